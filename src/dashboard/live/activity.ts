/** The number of changes in each of the last 60 seconds. */
export const ACTIVITY_SECONDS = 60;

export class Activity {
  private readonly counts = new Float64Array(ACTIVITY_SECONDS);
  /** The second that was counted last. */
  private latest = Number.NEGATIVE_INFINITY;

  add(count: number, atMs: number): void {
    const second = Math.floor(atMs / 1000);
    this.forget(second);
    // If the clock was set back, counts for the latest second.
    const at = Math.max(second, this.latest);
    this.latest = at;
    const slot = at % ACTIVITY_SECONDS;
    this.counts[slot] = (this.counts[slot] ?? 0) + count;
  }

  /** Oldest first; the last is the second that has just ended, because the current one would always look too low. */
  read(nowMs: number): number[] {
    const now = Math.floor(nowMs / 1000);
    return Array.from({ length: ACTIVITY_SECONDS - 1 }, (_, at) => {
      const second = now - (ACTIVITY_SECONDS - 1) + at;
      const isKnown = second <= this.latest && second > this.latest - ACTIVITY_SECONDS;
      return isKnown ? (this.counts[second % ACTIVITY_SECONDS] ?? 0) : 0;
    });
  }

  private forget(second: number): void {
    const steps = Math.min(ACTIVITY_SECONDS, second - this.latest);
    for (let step = 0; step < steps; step++) this.counts[(second - step) % ACTIVITY_SECONDS] = 0;
  }
}
