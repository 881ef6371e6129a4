/** Remembers hosts for ten minutes: one that does not answer in time is listed with a problem, not left out. */
import type { HostSummary } from '../model/fleet-wire.ts';

const KEPT_MS = 600_000;
const MAX_KEPT = 100_000;

export class HostMemory {
  private readonly seen = new Map<string, { readonly summary: HostSummary; readonly at: number }>();

  /** Adds remembered hosts that do not answer. `now` is a time of `Date.now()`. */
  withMissing(answering: readonly HostSummary[], now: number): HostSummary[] {
    for (const summary of answering) {
      // The map stays in order of time.
      this.seen.delete(summary.host);
      this.seen.set(summary.host, { summary, at: now });
    }
    const there = new Set(answering.map(({ host }) => host));
    const missing: HostSummary[] = [];
    for (const [host, { summary, at }] of this.seen) {
      if (now - at > KEPT_MS || this.seen.size > MAX_KEPT) this.seen.delete(host);
      else if (!there.has(host)) missing.push({ ...summary, problem: notNow(at) });
    }
    return [...answering, ...missing].sort((one, other) => (one.host < other.host ? -1 : 1));
  }
}

const notNow = (at: number) => `It did not answer this time; the last time was ${new Date(at).toISOString()}.`;
