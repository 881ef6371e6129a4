/** Waits until a predicate holds: captures, evaluates, captures again, until it is true or the time is up. */
import { messageOf } from '../model/failure.ts';
import type { ChangedEntry, VerificationOutcome } from '../model/wire.ts';
import type { Evaluation, Predicate } from '../semantic/predicate/predicate.ts';
import type { Change } from '../semantic/state-table.ts';
import { evaluateNow } from './evaluations.ts';
import { pause } from './pause.ts';
import type { Session } from './session.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Pause between a capture and the next. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** Whose time the evaluation takes. */
  readonly owner?: string;
  /** Changes are told since this capture. */
  readonly since: string;
  /** Be content with the cached state if the predicate holds there. */
  readonly cachedFirst: boolean;
}

export interface WaitResult {
  /** Why the state could not be read the last time; null: it could. */
  readonly problem: string | null;
  readonly evaluation: Evaluation;
  readonly outcome: VerificationOutcome;
}

/** However much changed, an answer stays readable. */
const MAX_CHANGED_FIELDS = 1000;
/** The last capture begins at the deadline and may take this long. */
const LAST_CAPTURE_MS = 500;
/** An evaluation may end this much after the deadline: others had their turns meanwhile. */
const LAST_EVALUATION_MS = 3000;

export async function waitFor(predicate: Predicate, session: Session, options: WaitOptions): Promise<WaitResult> {
  const started = performance.now();
  const deadline = started + options.timeoutMs;
  const evaluate = () => {
    const limitMs = Math.max(0, deadline - performance.now()) + LAST_EVALUATION_MS;
    return evaluateNow(predicate, session, { owner: options.owner ?? '', signal: options.signal, limitMs });
  };
  let evaluation = options.cachedFirst ? await evaluate() : null;
  let cycles = options.cachedFirst ? 1 : 0;
  let passed = evaluation?.passed === true;
  let problem: string | null = null;
  while (!passed) {
    const isLast = performance.now() >= deadline;
    problem = await captureWithin(session, Math.max(deadline - performance.now(), LAST_CAPTURE_MS));
    options.signal.throwIfAborted();
    // What could not be read proves nothing: the state of before is not evaluated again.
    if (problem === null) {
      cycles++;
      evaluation = await evaluate();
      passed = evaluation.passed;
    }
    if (session.hasEnded) problem = 'the program has ended.';
    if (passed || isLast || session.hasEnded || performance.now() >= deadline) break;
    await pause(Math.min(options.intervalMs, deadline - performance.now()), options.signal);
    options.signal.throwIfAborted();
  }
  evaluation ??= await evaluate();
  const changes = cycles > 1 || !options.cachedFirst ? (session.changesSince(options.since) ?? []) : [];
  const unread = problem === null ? '' : ` The state could not be read: ${problem}`;
  const cut =
    changes.length > MAX_CHANGED_FIELDS
      ? ` changed_fields holds ${MAX_CHANGED_FIELDS} of ${changes.length} changes.`
      : '';
  return {
    problem,
    evaluation: { ...evaluation, passed },
    outcome: {
      passed,
      expression: predicate.source,
      computed_value: evaluation.value,
      explanation: `${evaluation.explanation}${unread}${cut}`,
      latency_ms: Math.round(performance.now() - started),
      poll_cycles: Math.max(1, cycles),
      changed_fields: changes.slice(0, MAX_CHANGED_FIELDS).map(toChangedEntry),
    },
  };
}

/** The problem in words, or null. A capture that takes longer goes on without us. */
function captureWithin(session: Session, limitMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('the app did not answer in time.'), limitMs);
    const settle = (problem: string | null) => {
      clearTimeout(timer);
      resolve(problem);
    };
    session.refresh().then(
      () => settle(null),
      (error: unknown) => settle(messageOf(error)),
    );
  });
}

function toChangedEntry({ key, before, after }: Change): ChangedEntry {
  return { path: key, before: before ?? null, after: after ?? null };
}
