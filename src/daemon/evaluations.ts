/**
 * Evaluates predicates against the state of an app. An evaluation may take half a second, so it runs in slices, and the
 * owners take turns. Each expression is evaluated once per state, however many callers wait for it, and however often
 * the state was found unchanged.
 */
import { SubstrateError } from '../model/errors.ts';
import { inSlices } from '../model/in-slices.ts';
import { heldView } from '../semantic/predicate/key-index.ts';
import type { Evaluating, Evaluation, Predicate, StateView } from '../semantic/predicate/predicate.ts';
import type { Session } from './session.ts';

export interface EvaluationOptions {
  /** The owner of the work. */
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Throws `overloaded` after this long: the owner has asked for more than can be done in the time. */
  readonly limitMs: number;
}

/** The results for one state of an app. */
interface Known {
  readonly of: string | null;
  /** A copy of the state, made when an evaluation pauses; other evaluations of the same state continue with it, too. */
  held: StateView | null;
  readonly done: Map<string, Evaluation>;
}

interface Running {
  readonly evaluation: Promise<Evaluation>;
  waiting: number;
}

/** Expressions whose result is kept. */
const MAX_DONE = 256;

const known = new WeakMap<Session, Known>();
const running = new WeakMap<Session, Map<string, Running>>();

/** Throws `overloaded`, or the reason of the abort. */
export async function evaluateNow(
  predicate: Predicate,
  session: Session,
  { owner, signal, limitMs }: EvaluationOptions,
): Promise<Evaluation> {
  const done = knownOf(session).done.get(predicate.source);
  if (done !== undefined) return done;
  const shared = sharedWith(predicate, session, owner);
  shared.waiting++;
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(tooMuch()), limitMs);
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([shared.evaluation, left]);
  } finally {
    leave();
    shared.waiting--;
  }
}

/** The predicate with its result for the current state cached. */
export async function evaluated(
  predicate: Predicate,
  session: Session,
  options: EvaluationOptions,
): Promise<Predicate> {
  const evaluation = await evaluateNow(predicate, session, options);
  return { ...predicate, evaluate: () => evaluation };
}

function knownOf(session: Session): Known {
  const of = session.head === null ? null : session.sameSince;
  const found = known.get(session);
  if (found !== undefined && found.of === of) return found;
  const made = { of, held: null, done: new Map() };
  known.set(session, made);
  return made;
}

/**
 * Callers of one owner that wait for the same expression share an evaluation; it ends when none of them waits any more.
 */
function sharedWith(predicate: Predicate, session: Session, owner: string): Running {
  const all = running.get(session) ?? new Map<string, Running>();
  running.set(session, all);
  const name = `${owner}\n${predicate.source}`;
  const found = all.get(name);
  if (found !== undefined) return found;
  const work = new Work(predicate, session);
  const goOn = () => {
    if (shared.waiting === 0) throw new Error('nobody waits for it');
  };
  const beforeRest = () => work.hold();
  const evaluation = inSlices(work.steps(), { owner, goOn, beforeRest }).finally(() => all.delete(name));
  // Waiting callers get the failure from `evaluateNow`; without any, nobody needs it.
  evaluation.catch(() => undefined);
  const shared = { evaluation, waiting: 0 };
  all.set(name, shared);
  return shared;
}

class Work {
  private readonly predicate: Predicate;
  private readonly session: Session;
  private evaluating: Evaluating | null = null;
  private state: Known | null = null;

  constructor(predicate: Predicate, session: Session) {
    this.predicate = predicate;
    this.session = session;
  }

  /** Evaluates the state at the time of its turn, which may be newer than the request. */
  *steps(): Generator<void, Evaluation, void> {
    const state = knownOf(this.session);
    const done = state.done.get(this.predicate.source);
    if (done !== undefined) return done;
    this.state = state;
    this.evaluating = this.predicate.begin(this.session.view);
    const evaluation = yield* this.evaluating.steps;
    if (state.done.size >= MAX_DONE) state.done.clear();
    state.done.set(this.predicate.source, evaluation);
    return evaluation;
  }

  /**
   * The app continues during a pause: from the first pause on this reads a copy, taken while the state was the same.
   */
  hold(): void {
    if (this.state === null) return;
    this.state.held ??= heldView(this.session.view);
    this.evaluating?.hold(this.state.held);
  }
}

function tooMuch(): SubstrateError {
  const message =
    'The expressions that this key waits for take more time to evaluate than it has. Ask for fewer at once.';
  return new SubstrateError('overloaded', message, { retryAfterMs: 1000 });
}
