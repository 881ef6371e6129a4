/**
 * Spreads the agent's work over time, so that the app hardly notices it: slices of a few ms, pauses that keep the work
 * to its share of the time, longer ones while the app itself is busy, and an end when its budget is spent.
 */
import type { BudgetPart } from '../../../../../model/budget.ts';

/** How long the app's thread is occupied without a pause. */
const SLICE_MS = 4;
/** Even if the share allows more, the app gets this many times the length of the slice for itself. */
const LEAST_REST = 3;
/** Above this share of its time the app's event loop is busy, and the agent waits. */
const BUSY = 0.5;
const BUSY_PAUSE_MS = 250;

export interface PaceClock {
  now(): number;
  /** CPU time of all threads of the process, in ms. */
  cpu(): number;
  nextTurn(): Promise<void>;
  sleep(ms: number): Promise<void>;
  markLoad(): void;
  /** Share of time that the event loop was busy since the mark, between 0 and 1. */
  load(): number;
  /** Bytes in use on the app's heap. */
  heapUsed(): number;
  /** The part that has survived a collection or two. */
  heapKept(): number;
}

export interface WorkBudget {
  readonly ms: number;
  readonly percent: number;
  readonly bytes: number;
  /** How long to wait for a busy app: one that is always busy is read all the same. */
  readonly busyWaitMs: number;
}

const NOTHING: WorkBudget = { ms: 0, percent: 100, bytes: 0, busyWaitMs: 0 };

export class Pace {
  private readonly clock: PaceClock;
  private budget = NOTHING;
  /** The share of the budget that may be used at the end of the current stage. */
  private share = 1;
  private stagesAt = 0;
  private beganAt = 0;
  private sliceAt = 0;
  private sliceCpu = 0;
  private spentMs = 0;
  private busyWaitMs = 0;
  private sliceHeap = 0;
  /** Bytes allocated by slices, and growth of the app's kept memory, slices and pauses together. */
  private allocated = 0;
  private grown = 0;
  private lastKept = 0;

  constructor(clock: PaceClock) {
    this.clock = clock;
  }

  /** Starts a new piece of work. */
  begin(budget: WorkBudget): void {
    this.budget = budget;
    this.share = 1;
    this.stagesAt = 0;
    this.spentMs = 0;
    this.busyWaitMs = 0;
    this.beginMemory();
    this.beganAt = this.clock.now();
    this.beginSlice();
  }

  /** The work so far was unavoidable: stages share the rest of the time, and all of the memory. */
  beginStages(): void {
    this.stagesAt = this.costMs;
    this.beginMemory();
    this.sliceHeap = this.clock.heapUsed();
  }

  /** The next stage has to leave the rest of the budget to later ones. */
  stage(share: number): void {
    this.share = share;
  }

  get sliceEnd(): number {
    return this.sliceAt + SLICE_MS;
  }

  get isSliceOver(): boolean {
    return this.clock.now() >= this.sliceEnd;
  }

  /** CPU time that it took so far. */
  get costMs(): number {
    return this.spentMs + this.sliceMs;
  }

  /** The part of its budget that the stage has used up, or null. */
  get spentPart(): BudgetPart | null {
    if (this.costMs >= this.stagesAt + (this.budget.ms - this.stagesAt) * this.share) return 'time';
    return this.keptBytes >= this.budget.bytes * this.share ? 'memory' : null;
  }

  /**
   * An upper limit of the memory that the work keeps: not more than it has allocated, most of which is garbage, and not
   * more than the app's growth meanwhile, some of which is its own.
   */
  private get keptBytes(): number {
    return Math.min(this.allocated, this.grown);
  }

  private beginMemory(): void {
    this.allocated = 0;
    this.grown = 0;
    this.lastKept = this.clock.heapKept();
  }

  private noteKept(): void {
    const kept = this.clock.heapKept();
    this.grown += Math.max(0, kept - this.lastKept);
    this.lastKept = kept;
  }

  /** Ends the slice; the next one begins when this resolves. */
  async rest(): Promise<void> {
    const took = this.sliceMs;
    this.spentMs += took;
    this.allocated += Math.max(0, this.clock.heapUsed() - this.sliceHeap);
    this.noteKept();
    const pauseMs = this.pauseAfter(took);
    if (pauseMs < 1) await this.clock.nextTurn();
    else await this.pause(pauseMs);
    this.beginSlice();
  }

  /** Waits for something other than the clock, which is no work of ours. */
  async outside<Result>(work: Promise<Result>): Promise<Result> {
    this.spentMs += this.sliceMs;
    try {
      return await work;
    } finally {
      this.beginSlice();
    }
  }

  /** Neither other programs nor other threads of this one count. */
  private get sliceMs(): number {
    return Math.min(this.clock.now() - this.sliceAt, this.clock.cpu() - this.sliceCpu);
  }

  private beginSlice(): void {
    this.sliceAt = this.clock.now();
    this.sliceCpu = this.clock.cpu();
    this.sliceHeap = this.clock.heapUsed();
  }

  /** One second's share may be spent at the start, so that a small state is read at once. */
  private pauseAfter(took: number): number {
    const { percent } = this.budget;
    const due = (this.spentMs * 100) / percent - 1000;
    const least = took * Math.min(LEAST_REST, 100 / percent - 1);
    return Math.max(least, percent >= 100 ? 0 : due - (this.clock.now() - this.beganAt));
  }

  private async pause(ms: number): Promise<void> {
    this.clock.markLoad();
    await this.clock.sleep(ms);
    while (this.clock.load() > BUSY && this.busyWaitMs < this.budget.busyWaitMs) {
      this.busyWaitMs += BUSY_PAUSE_MS;
      this.clock.markLoad();
      await this.clock.sleep(BUSY_PAUSE_MS);
    }
  }
}
