/** Actions that wait for a person: asked for by a key with `confirm`, decided by another key. No answer is a no. */
import { randomBytes } from 'node:crypto';
import { SubstrateError } from '../model/errors.ts';
import type { ActionRequest, ActionSchema, Approval } from '../model/wire.ts';
import { hide, redactReturn, secretsAmong } from '../semantic/redact-return.ts';
import type { CallOptions } from './service.ts';
import type { Session } from './session.ts';

/** Some of the request's time is left for the action itself. */
const WAIT_MS = 100_000;
const MAX_WAITING = 32;
const MAX_CHANGES = 20;

/** What a person is told; `changes` are told anew each time. */
export type Question = Omit<Approval, 'id' | 'asked_at' | 'expires_at' | 'changes' | 'change_count'>;

interface Waiting {
  readonly question: Question;
  readonly approval: Omit<Approval, 'changes' | 'change_count'>;
  readonly changesNow: () => Pick<Approval, 'changes' | 'change_count'>;
  readonly decide: (decision: Decision) => void;
}
type Decision = { readonly isYes: boolean; readonly keyId: string } | null;

export class Approvals {
  private readonly waiting = new Map<string, Waiting>();
  private readonly waitMs: number;

  constructor(waitMs = WAIT_MS) {
    this.waitMs = waitMs;
  }

  /** Gives the key of the person who agreed. Throws `not_confirmed` when nobody does. */
  async ask(question: Question, changesNow: Waiting['changesNow'], signal: AbortSignal): Promise<string> {
    if (this.waiting.size >= MAX_WAITING)
      throw new SubstrateError('overloaded', `${MAX_WAITING} actions wait for a person already.`, {
        retryAfterMs: 5000,
      });
    const id = `ask_${randomBytes(4).toString('hex')}`;
    const now = Date.now();
    const approval = {
      ...question,
      id,
      asked_at: new Date(now).toISOString(),
      expires_at: new Date(now + this.waitMs).toISOString(),
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      const decision = await new Promise<Decision>((decide) => {
        this.waiting.set(id, { question, approval, changesNow, decide });
        timer = setTimeout(decide, this.waitMs, null);
        signal.addEventListener('abort', () => decide(null), { once: true });
      });
      if (decision?.isYes) return decision.keyId;
      const why = decision === null ? 'Nobody answered in time' : 'A person said no';
      throw new SubstrateError('not_confirmed', `${why}: ${question.action} was not run.`);
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  /** Those that wait, the oldest first. */
  list(): Approval[] {
    return [...this.waiting.values()].map(({ approval, changesNow }) => ({ ...approval, ...changesNow() }));
  }

  /** Throws `not_found` where nothing of this id waits, and `forbidden_scope` where a key would decide for itself. */
  decide(id: string, isYes: boolean, keyId: string): Approval {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) throw notWaiting(id);
    if (waiting.question.key_id === keyId)
      throw new SubstrateError('forbidden_scope', 'This key asked for the action: another one has to decide.');
    const approval = { ...waiting.approval, ...waiting.changesNow() };
    waiting.decide({ isYes, keyId });
    return approval;
  }
}

export function notWaiting(id: string): SubstrateError {
  return new SubstrateError('not_found', `No action ${JSON.stringify(id)} waits: it was decided, or took too long.`);
}

export function questionOf(
  { action, parameters, verify_expression }: ActionRequest,
  { description, reversibility }: ActionSchema,
  { process, appId, recognition }: Session,
  { keyId, keyLabel }: CallOptions,
): Question {
  const secrets = secretsAmong(parameters);
  const shown = Object.entries(parameters).map(([name, value]) => [name, hide(secrets, redactReturn(value, name))]);
  return {
    key_id: keyId,
    key_label: keyLabel,
    pid: process.pid,
    app_id: appId,
    app_name: recognition.appName,
    action,
    description,
    reversibility,
    parameters: Object.fromEntries(shown),
    verify_expression: verify_expression ?? null,
  };
}

export function changesSince(session: Session, captureId: string): Pick<Approval, 'changes' | 'change_count'> {
  const changes = session.changesSince(captureId) ?? [];
  const told = changes.slice(0, MAX_CHANGES);
  return {
    changes: told.map(({ key, before, after }) => ({ path: key, before: before ?? null, after: after ?? null })),
    change_count: changes.length,
  };
}
