/**
 * Spreads the agent's work over time, so that the app hardly notices it: slices of a few ms, pauses after them that keep
 * the work to its share of the time, longer ones while the app itself is busy, and an end when its budget is spent.
 */
import type { BudgetPart } from '../../../../../model/budget.ts';

/** How long the app's thread is held at a stretch. */
const SLICE_MS = 4;
/** Even where the share would allow more, the app has this many times as long for itself as the slice took. */
const LEAST_REST = 3;
/** Over this share of its time the app's event loop is busy, and we wait. */
const BUSY = 0.5;
const BUSY_PAUSE_MS = 250;

export interface PaceClock {
  now(): number;
  /** CPU time of all threads of the process, in ms. */
  cpu(): number;
  nextTurn(): Promise<void>;
  sleep(ms: number): Promise<void>;
  markLoad(): void;
  /** Share of its time that the event loop was busy since the mark, between 0 and 1. */
  load(): number;
  /** Bytes in use on the app's heap. */
  heapUsed(): number;
  /** Of these, what has outlived a collection or two. */
  heapKept(): number;
}

export interface WorkBudget {
  readonly ms: number;
  readonly percent: number;
  readonly bytes: number;
  /** How long a busy app is waited for: one that is always busy is read all the same. */
  readonly busyWaitMs: number;
}

const NOTHING: WorkBudget = { ms: 0, percent: 100, bytes: 0, busyWaitMs: 0 };

export class Pace {
  private readonly clock: PaceClock;
  private budget = NOTHING;
  /** The part of the budget that the current stage of the work may have used up at its end. */
  private share = 1;
  private stagesAt = 0;
  private beganAt = 0;
  private sliceAt = 0;
  private sliceCpu = 0;
  private spentMs = 0;
  private busyWaitMs = 0;
  private sliceHeap = 0;
  /** What slices have allocated, and by how much grew what the app keeps, slices and pauses together. */
  private allocated = 0;
  private grown = 0;
  private lastKept = 0;

  constructor(clock: PaceClock) {
    this.clock = clock;
  }

  /** A new piece of work. */
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

  /** What was done so far had to be: stages share what it has left of the time, and all of the memory. */
  beginStages(): void {
    this.stagesAt = this.costMs;
    this.beginMemory();
    this.sliceHeap = this.clock.heapUsed();
  }

  /** The next stage has to leave the rest of the budget to those after it. */
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

  /** Which part of its budget the stage has used up. */
  get spentPart(): BudgetPart | null {
    if (this.costMs >= this.stagesAt + (this.budget.ms - this.stagesAt) * this.share) return 'time';
    return this.keptBytes >= this.budget.bytes * this.share ? 'memory' : null;
  }

  /**
   * At most what the work keeps: not more than it has allocated, most of which is garbage, and not more than the app has
   * kept meanwhile, some of which is its own.
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

  /** Ends the slice; the next one begins when it resolves. */
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

  /** Waits for something else than the clock, which is no work of ours. */
  async outside<Result>(work: Promise<Result>): Promise<Result> {
    this.spentMs += this.sliceMs;
    try {
      return await work;
    } finally {
      this.beginSlice();
    }
  }

  /** Neither what other programs took of the processor counts, nor what other threads of this one did. */
  private get sliceMs(): number {
    return Math.min(this.clock.now() - this.sliceAt, this.clock.cpu() - this.sliceCpu);
  }

  private beginSlice(): void {
    this.sliceAt = this.clock.now();
    this.sliceCpu = this.clock.cpu();
    this.sliceHeap = this.clock.heapUsed();
  }

  /** At the start there is one second's share to spend, so that a small state is read at once. */
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
