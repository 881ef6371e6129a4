/** Waits until a predicate holds: evaluates, captures anew, evaluates again, until it is true or the time is up. */
import type { ChangedEntry, VerificationOutcome } from '../model/wire.ts';
import type { Evaluation, Predicate } from '../semantic/predicate/predicate.ts';
import type { Change } from '../semantic/state-table.ts';
import { pause } from './pause.ts';
import type { Session } from './session.ts';

export interface WaitOptions {
  readonly timeoutMs: number;
  /** Pause between a capture and the next. */
  readonly intervalMs: number;
  readonly maxCycles: number;
  readonly signal: AbortSignal;
  /** Changes are told since this capture. */
  readonly since: string;
  /** Evaluate the cached state before the first capture. */
  readonly cachedFirst: boolean;
}

export interface WaitResult {
  readonly evaluation: Evaluation;
  readonly outcome: VerificationOutcome;
}

/** However much changed, an answer stays readable. */
const MAX_CHANGED_FIELDS = 1000;

export async function waitFor(predicate: Predicate, session: Session, options: WaitOptions): Promise<WaitResult> {
  const started = performance.now();
  const deadline = started + options.timeoutMs;
  let cycles = 0;
  let evaluation: Evaluation | null = null;
  let problem: string | null = null;
  let captured = false;
  const evaluate = () => {
    cycles++;
    evaluation = predicate.evaluate(session.view);
    return evaluation.passed;
  };
  let passed = options.cachedFirst && evaluate();
  while (!passed && cycles < options.maxCycles && performance.now() < deadline) {
    if (cycles > 0) await pause(Math.min(options.intervalMs, deadline - performance.now()), options.signal);
    options.signal.throwIfAborted();
    const failure = await captureBefore(session, deadline, options.signal);
    problem = captured ? null : failure;
    captured ||= failure === null;
    passed = evaluate();
  }
  const last: Evaluation = evaluation ?? predicate.evaluate(session.view);
  const changes = cycles > 1 || !options.cachedFirst ? (session.changesSince(options.since) ?? []) : [];
  return {
    evaluation: last,
    outcome: {
      passed: last.passed,
      expression: predicate.source,
      computed_value: last.value,
      explanation:
        problem === null ? last.explanation : `${last.explanation} The state could not be read again: ${problem}`,
      latency_ms: Math.round(performance.now() - started),
      poll_cycles: Math.max(1, cycles),
      changed_fields: changes.slice(0, MAX_CHANGED_FIELDS).map(toChangedEntry),
    },
  };
}

/** A capture that takes longer than there is time is left to itself. The problem in words, or null. */
async function captureBefore(session: Session, deadline: number, signal: AbortSignal): Promise<string | null> {
  const timeUp = pause(Math.max(1, deadline - performance.now()), signal).then(() => 'it took too long.');
  const captured = session.refresh().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return Promise.race([captured, timeUp]);
}

function toChangedEntry({ key, before, after }: Change): ChangedEntry {
  return { path: key, before: before ?? null, after: after ?? null };
}
