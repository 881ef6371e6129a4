/** Hosts that were listed a while ago: one that does not answer in time is not left out without a word. */
import type { HostSummary } from '../model/fleet-wire.ts';

const KEPT_MS = 600_000;
const MAX_KEPT = 100_000;

export class HostMemory {
  private readonly seen = new Map<string, { readonly summary: HostSummary; readonly at: number }>();

  /** `now`: as of `Date.now()`. */
  withMissing(answering: readonly HostSummary[], now: number): HostSummary[] {
    for (const summary of answering) {
      // The newest last.
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
