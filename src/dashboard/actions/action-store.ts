/** The use of one app's actions: the selection, the drafts, the runs. Kept in memory only. */
import type { Scalar } from '../../client/index.ts';
import { storeOf, ViewStore, type Whose } from '../view-store.ts';
import type { Draft, Drafts } from './argument-drafts.ts';
import { type Outcome, outcomeOfError, outcomeOfResponse } from './outcome.ts';

const MAX_RUNS = 20;

/** An action with all fields of the form. */
export interface Attempt {
  readonly action: string;
  readonly drafts: Drafts;
  readonly verify: string;
  readonly timeoutText: string;
  readonly looksBefore: boolean;
}

export interface Run {
  readonly id: number;
  readonly attempt: Attempt;
  readonly startedAt: number;
  /** Null while it runs. */
  readonly ended: { readonly afterMs: number; readonly outcome: Outcome } | null;
}

/** The parsed values of the form, ready to be sent. */
export interface Order {
  readonly values: Readonly<Record<string, unknown>>;
  readonly verify: { readonly expression: string; readonly timeoutMs: number } | null;
}

export class ActionStore extends ViewStore {
  search = '';
  selected: string | null = null;
  /** The run whose result is shown. */
  shownRun: number | null = null;
  /** An irreversible action was requested once: it waits for the second, deliberate press. */
  isAsking = false;
  /** Newest first. */
  runs: readonly Run[] = [];
  private readonly attempts = new Map<string, Attempt>();
  private readonly whose: Whose;
  private stopping: AbortController | null = null;
  private count = 0;

  constructor(whose: Whose) {
    super();
    this.whose = whose;
  }

  get running(): Run | null {
    return this.runs.find(({ ended }) => ended === null) ?? null;
  }

  setSearch(text: string): void {
    this.search = text;
    this.changed();
  }

  select(action: string): void {
    this.selected = action;
    this.isAsking = false;
    this.shownRun = this.runs.find(({ attempt }) => attempt.action === action)?.id ?? null;
    this.changed();
  }

  attemptOf(action: string): Attempt {
    return this.attempts.get(action) ?? { action, drafts: {}, verify: '', timeoutText: '5000', looksBefore: false };
  }

  edit(action: string, change: Partial<Omit<Attempt, 'action' | 'drafts'>>): void {
    this.attempts.set(action, { ...this.attemptOf(action), ...change });
    // A change of the form withdraws the confirmation.
    this.isAsking = false;
    this.changed();
  }

  editDraft(action: string, name: string, draft: Draft): void {
    const attempt = this.attemptOf(action);
    const drafts = Object.fromEntries([...Object.entries(attempt.drafts), [name, draft]]);
    this.attempts.set(action, { ...attempt, drafts });
    this.isAsking = false;
    this.changed();
  }

  ask(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.changed();
  }

  show(run: Run): void {
    this.selected = run.attempt.action;
    this.shownRun = run.id;
    this.isAsking = false;
    this.changed();
  }

  /** Copies the values of a run back into the form. */
  restore({ attempt }: Run): void {
    this.attempts.set(attempt.action, attempt);
    this.selected = attempt.action;
    this.isAsking = false;
    this.changed();
  }

  /** `known`: the state before it. */
  async run(attempt: Attempt, { values, verify }: Order, known: ReadonlyMap<string, Scalar>): Promise<void> {
    if (this.running) return;
    const stopping = new AbortController();
    this.stopping = stopping;
    const wereNull = new Set<string>();
    for (const [key, value] of known) if (value === null) wereNull.add(key);
    const run: Run = { id: ++this.count, attempt, startedAt: Date.now(), ended: null };
    this.runs = [run, ...this.runs].slice(0, MAX_RUNS);
    this.shownRun = run.id;
    this.isAsking = false;
    this.changed();
    const { substrate, pid } = this.whose;
    const outcome = await substrate
      .tryAction(pid, attempt.action, values, {
        signal: stopping.signal,
        // The user decides about retries.
        retries: 0,
        freshState: attempt.looksBefore,
        ...(verify === null ? {} : { verify: verify.expression, verifyTimeoutMs: verify.timeoutMs }),
      })
      .then(
        (response) => outcomeOfResponse(response, wereNull),
        (error: unknown) => outcomeOfError(error, stopping.signal.aborted),
      );
    const ended = { afterMs: Date.now() - run.startedAt, outcome };
    this.runs = this.runs.map((one) => (one.id === run.id ? { ...one, ended } : one));
    this.changed();
  }

  cancel(): void {
    this.stopping?.abort(new Error('cancelled'));
  }
}

export const actionStoreOf = storeOf((whose) => new ActionStore(whose));
