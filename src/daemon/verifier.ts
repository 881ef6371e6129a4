/** Waits until a predicate is true: captures and evaluates until it is, or until the time is up. */
import { messageOf } from '../model/failure.ts';
import type { ChangedEntry, VerificationOutcome } from '../model/wire.ts';
import type { Evaluation, Predicate } from '../semantic/predicate/predicate.ts';
import type { Change } from '../semantic/state-table.ts';
import { evaluateNow } from './evaluations.ts';
import { pause } from './pause.ts';
import type { Session } from './session.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Pause between two captures. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  /** The owner of the evaluation's time. */
  readonly owner?: string;
  /** Changes are reported since this capture. */
  readonly since: string;
  /** Accept the cached state if the predicate is true there. */
  readonly cachedFirst: boolean;
}

export interface WaitResult {
  /** Why the last capture failed, or null. */
  readonly problem: string | null;
  readonly evaluation: Evaluation;
  readonly outcome: VerificationOutcome;
}

/** Keeps an answer readable, however much changed. */
const MAX_CHANGED_FIELDS = 1000;
/** The last capture begins at the deadline and may take this long. */
const LAST_CAPTURE_MS = 500;
/** An evaluation may end this long after the deadline, because others had their turns meanwhile. */
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
    // A failed capture proves nothing, so the old state is not evaluated again.
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

/** The problem in words, or null. A longer capture goes on without this caller. */
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
