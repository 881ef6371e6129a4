/**
 * The life of a probe: attach, first snapshot, polls; after failures it detaches and attaches again, with growing
 * pauses.
 */
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import type { ProcessInfo } from '../model/process.ts';
import { type Trace, traced } from '../model/trace.ts';
import type { ProbeStatus } from '../model/wire.ts';
import { AttachError, type Probe, TakenError, TargetBusyError } from '../probes/probe.ts';
import { pause } from './pause.ts';
import type { Session } from './session.ts';

export interface ProbeLoopOptions {
  readonly process: ProcessInfo;
  readonly session: Session;
  readonly attach: (abort: AbortSignal) => Promise<Probe>;
  readonly intervalMs: number;
  /** Share of the time that polls may take, in percent. Expensive apps are polled less often. */
  readonly pollBudgetPercent: number;
  /** The same for polls that continue a search. */
  readonly searchBudgetPercent: number;
  readonly coldTimeoutMs: number;
  readonly log: Logger;
  readonly trace: Trace;
}

const FAILURES_BEFORE_REATTACH = 3;
/**
 * The minimal pause between polls while somebody watches. An app that changes all the time is not read all the time:
 * its captures would push each other out of the history. An app that cannot report changes is polled often until it
 * changes.
 */
const LEAST_MS = { quiet: 100, polledChange: 1000, reportedChange: 250 };
/** The limit, however expensive a poll is. */
const LONGEST_INTERVAL_MS = 30_000;
/** For the mean that people see. */
const COSTS_KEPT = 16;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 30_000;
/** How soon this daemon takes over a program that another daemon has left. */
const TAKEN_RETRY_MS = 2000;
const HEALTHY_MS = 30_000;
const LAST_CAPTURE_MS = 1000;

export class ProbeLoop {
  status: ProbeStatus = 'detecting';
  /** Why the last attach or capture failed, for people. */
  lastProblem: string | null = null;
  private readonly options: ProbeLoopOptions;
  private stopping = new AbortController();
  /** The costs of the last polls, in ms. */
  private costs: number[] = [];
  private failures = 0;
  /** It cannot be attached to while this process runs. */
  hasGivenUp = false;
  /** Set until it begins. */
  private settling: AbortController | null = null;
  private attachedAt = 0;
  private backoffMs = FIRST_BACKOFF_MS;
  /** From the attach until the connection is lost. */
  private isConnected = false;
  /** Null if it was never started. */
  private finished: Promise<void> | null = null;

  constructor(options: ProbeLoopOptions) {
    this.options = options;
  }

  /** False if it was stopped, or has given up for good. */
  get isTrying(): boolean {
    return !this.stopping.signal.aborted && !this.hasGivenUp;
  }

  /** Also works after a stop. `settleMs`: pause before the first attach. */
  start(settleMs: number): void {
    this.stopping = new AbortController();
    this.status = 'detecting';
    this.hasGivenUp = false;
    this.lastProblem = null;
    this.backoffMs = FIRST_BACKOFF_MS;
    const { signal } = this.stopping;
    const run = () => this.run(settleMs, signal);
    this.finished = this.finished === null ? run() : this.finished.then(run);
  }

  /** The pause between polls. */
  get intervalMs(): number {
    return Math.max(this.options.intervalMs, this.affordableMs);
  }

  /** The mean of the last polls. */
  get meanCostMs(): number {
    return this.costs.length === 0 ? 0 : this.costs.reduce((sum, ms) => sum + ms, 0) / this.costs.length;
  }

  /** Detaches; resolves when nothing of ours is left in the target. */
  async stop(): Promise<void> {
    this.status = 'detached';
    this.stopping.abort();
    await this.finished;
  }

  /** Called after every capture, whoever requested it. */
  noteCycle(error: unknown): void {
    // A capture may end well just after the connection was lost: that does not bring the connection back.
    if (this.stopping.signal.aborted || this.status === 'cold_probe' || !this.isConnected) return;
    if (error === null) {
      this.failures = 0;
      // A probe that is lost again after one good capture must not be attached every second for ever.
      if (performance.now() - this.attachedAt > HEALTHY_MS) this.backoffMs = FIRST_BACKOFF_MS;
      this.lastProblem = null;
      this.status = 'active';
    } else {
      if (!(error instanceof TargetBusyError)) this.failures++;
      this.noteProblem(error, 'capture failed');
    }
  }

  /** Ends the pause before the first attach. Returns false if it is already over. */
  hurry(): boolean {
    if (this.settling === null) return false;
    this.settling.abort();
    return true;
  }

  private async run(settleMs: number, signal: AbortSignal): Promise<void> {
    if (settleMs > 0) {
      this.settling = new AbortController();
      const asked = AbortSignal.any([signal, this.settling.signal]);
      await traced(this.options.trace, 'wait until it has settled', () => pause(settleMs, asked));
      this.settling = null;
    }
    while (!signal.aborted) {
      this.status = 'attaching';
      try {
        const probe = await traced(this.options.trace, 'attach', () => this.options.attach(signal));
        this.attachedAt = performance.now();
        this.isConnected = true;
        try {
          this.costs = [];
          this.options.session.useProbe(probe);
          await this.pollUntilBroken(probe);
        } finally {
          this.options.session.useProbe(null);
          await traced(this.options.trace, 'detach', () => probe.detach());
        }
      } catch (error) {
        this.noteProblem(error, 'attach failed');
        if (error instanceof AttachError && !error.retry) {
          this.hasGivenUp = true;
          return;
        }
        if (error instanceof TakenError) {
          await this.waitFor(TAKEN_RETRY_MS, signal);
          continue;
        }
      }
      if (signal.aborted) return;
      await this.waitFor(this.backoffMs, signal);
      this.backoffMs = Math.min(LONGEST_BACKOFF_MS, this.backoffMs * 2);
    }
  }

  private waitFor(ms: number, signal: AbortSignal): Promise<void> {
    return traced(this.options.trace, 'wait before it is tried again', () => pause(ms, signal));
  }

  private async pollUntilBroken(probe: Probe): Promise<void> {
    const { session } = this.options;
    const over = new AbortController();
    const end = () => over.abort();
    void probe.closed.then(() => {
      this.isConnected = false;
      if (!over.signal.aborted) this.noteProblem(new Error('the connection to the app was lost'), 'probe lost');
      end();
    });
    this.stopping.signal.addEventListener('abort', end, { once: true });
    try {
      this.failures = 0;
      // Stopped while the attach was under way: the event has passed and will not come again.
      if (this.stopping.signal.aborted) return;
      if (!session.head) await orStopped(this.takeFirstSnapshot(), over.signal);
      while (!over.signal.aborted && this.failures < FAILURES_BEFORE_REATTACH) {
        const poll = session.poll().then(
          () => this.noteCost(session.cost.lastMs),
          // The session has reported it, and `noteCycle` has counted it.
          () => undefined,
        );
        await orStopped(poll, over.signal);
        await this.untilNextPoll(over.signal);
      }
    } finally {
      end();
      this.stopping.signal.removeEventListener('abort', end);
    }
  }

  /** The interval, or less while somebody watches and something may have changed, but never less than the minimum. */
  private async untilNextPoll(over: AbortSignal): Promise<void> {
    const { session } = this.options;
    const interval = this.intervalMs;
    const least = Math.max(Math.min(this.options.intervalMs, LEAST_MS[session.pace]), this.affordableMs);
    const began = performance.now();
    const rest = (ms: number) => ms - (performance.now() - began);
    await session.watchers.untilSome(interval, over);
    if (rest(least) > 0) await pause(rest(least), over);
    if (rest(interval) <= 0 || over.aborted) return;
    const isOver = new AbortController();
    const signal = AbortSignal.any([over, isOver.signal]);
    const untilEnd = pause(rest(interval), signal);
    // It cannot report changes, so it is polled.
    const unwatched = (error: unknown) => {
      this.options.trace.ignored('wait for a change', error);
      return untilEnd;
    };
    await Promise.race([untilEnd, session.changed(signal).catch(unwatched)]);
    isOver.abort();
  }

  private noteCost(ms: number): void {
    this.costs = [...this.costs.slice(1 - COSTS_KEPT), ms];
  }

  /** A pause of this length keeps the last poll within the budget. */
  private get affordableMs(): number {
    const { session, pollBudgetPercent, searchBudgetPercent } = this.options;
    const percent = session.isSearching ? Math.max(pollBudgetPercent, searchBudgetPercent) : pollBudgetPercent;
    return Math.min(LONGEST_INTERVAL_MS, ((this.costs.at(-1) ?? 0) * 100) / percent);
  }

  private async takeFirstSnapshot(): Promise<void> {
    this.status = 'cold_probe';
    try {
      await this.options.session.cold(this.options.coldTimeoutMs);
      if (!this.isConnected) return;
      this.status = 'active';
      this.noteCycle(null);
    } catch (error) {
      this.status = 'error';
      throw error;
    }
  }

  private noteProblem(error: unknown, what: string): void {
    if (this.stopping.signal.aborted) return;
    const problem = messageOf(error);
    if (what === 'probe lost') this.options.trace.ignored(what, error);
    // Logged once per problem, not once per try.
    if (problem !== this.lastProblem) this.options.log.warn({ pid: this.options.process.pid, problem }, what);
    this.lastProblem = problem;
    this.status = 'error';
  }
}

/**
 * Work that is under way at a stop gets a moment to end. It may never end: a program that has become another one can
 * hold the connection of its vanished agent open.
 */
function orStopped(work: Promise<void>, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined;
    const onStop = () => {
      late = setTimeout(resolve, LAST_CAPTURE_MS);
    };
    if (stop.aborted) onStop();
    else stop.addEventListener('abort', onStop, { once: true });
    // After giving up, the outcome does not matter.
    void work.then(resolve, reject).finally(() => {
      clearTimeout(late);
      stop.removeEventListener('abort', onStop);
    });
  });
}
