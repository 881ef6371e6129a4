/** Requests that change something, by where their answer goes: one that arrives twice is carried out once. */

/** Longer than anybody waits for an answer. */
const KEPT_MS = 900_000;
const MAX_KEPT = 100_000;

export class SeenRequests {
  private readonly seen = new Map<string, number>();

  /** False: it was here before. `now`: as of `performance.now()`. */
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
