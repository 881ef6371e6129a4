/** Remembers requests that change something by their reply subject: one that arrives twice is carried out once. */

/** No caller waits as long as this. */
const KEPT_MS = 900_000;
const MAX_KEPT = 100_000;

export class SeenRequests {
  private readonly seen = new Map<string, number>();

  /** False if the request was seen before. `now` is a time of `performance.now()`. */
  add(reply: string, now = performance.now()): boolean {
    if (this.seen.has(reply)) return false;
    for (const [known, at] of this.seen) {
      if (now - at < KEPT_MS && this.seen.size < MAX_KEPT) break;
      this.seen.delete(known);
    }
    this.seen.set(reply, now);
    return true;
  }
}
