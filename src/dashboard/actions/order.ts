/** Turns the form into a request, or into a list of problems. */
import type { ActionSchema } from '../../client/index.ts';
import { readWaitingTime, WAITING_TIME } from '../predicate/waiting-time.ts';
import type { Attempt, Order } from './action-store.ts';
import { readDrafts } from './argument-drafts.ts';
import { type Gate, gatesOf } from './gates.ts';

export interface Prepared {
  readonly gates: readonly Gate[];
  readonly problems: Readonly<Record<string, string>>;
  readonly timeoutProblem: string | null;
  /** Null if it cannot be sent yet. */
  readonly order: Order | null;
}

export function prepare(attempt: Attempt, schema: ActionSchema): Prepared {
  const { values, problems } = readDrafts(schema.parameters, attempt.drafts);
  const isVerified = attempt.verify.trim() !== '';
  const timeoutMs = readWaitingTime(attempt.timeoutText);
  const timeoutProblem = isVerified && timeoutMs === null ? `This must be ${WAITING_TIME}.` : null;
  const verify = isVerified && timeoutMs !== null ? { expression: attempt.verify, timeoutMs } : null;
  const gates = gatesOf(schema, attempt.verify);
  // A new capture may raise the confidence, which is judged afterwards.
  const isOpen = gates.every((gate) => gate.isOpen || (gate.name === 'confidence' && attempt.looksBefore));
  const isReady = isOpen && timeoutProblem === null && Object.keys(problems).length === 0;
  return { gates, problems, timeoutProblem, order: isReady ? { values, verify } : null };
}
