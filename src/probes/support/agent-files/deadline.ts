/** An aborted wait still gives an almost finished step this long, because that ends more cleanly. */
const WHEN_STOPPING_MS = 500;

/** A time limit for a wait. */
export class Deadline {
  private readonly abort: AbortSignal;
  private deadline: number;
  private isStopping = false;

  constructor(waitMs: number, abort: AbortSignal) {
    this.abort = abort;
    this.deadline = performance.now() + waitMs;
  }

  get isOver(): boolean {
    const now = performance.now();
    if (this.abort.aborted && !this.isStopping) {
      this.isStopping = true;
      this.deadline = Math.min(this.deadline, now + WHEN_STOPPING_MS);
    }
    return now >= this.deadline;
  }
}
