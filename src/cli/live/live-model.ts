/**
 * The model of a live view: the requested values, and which of them changed lately. Its cost depends on the changes.
 */
import type { AppSummary, DiffResponse, Scalar, SubstrateState } from '../../client/node.ts';
import { unmatchedNotes } from '../unmatched.ts';

/** Far more than any window has lines. */
const MAX_RECENT = 500;
const RATE_WINDOW_MS = 5000;

export interface RecentChange {
  readonly at: number;
  readonly before: Scalar | undefined;
  readonly after: Scalar | undefined;
}

export class LiveModel {
  readonly values = new Map<string, Scalar>();
  /** The newest last. */
  readonly recent = new Map<string, RecentChange>();
  captureId = '';
  capturedAt = 0;
  /** In words. */
  status = 'active';
  /** A note about a glob that matches nothing; empty if all match. */
  notice = '';
  private readonly began: number;
  private counts: { readonly at: number; readonly count: number }[] = [];

  constructor(now: number) {
    this.began = now;
  }

  takeState({ objects, capture_id, captured_at, unmatched }: SubstrateState): void {
    this.notice = unmatchedNotes(unmatched).join(' ');
    this.values.clear();
    for (const [key, value] of Object.entries(objects)) this.values.set(key, value);
    this.captureId = capture_id;
    this.capturedAt = Date.parse(captured_at);
  }

  /** Null if the daemon does not answer at the moment. */
  takeSummary(summary: AppSummary | null): void {
    this.status = summary === null ? 'the daemon does not answer' : summary.probe_status.replace('_', ' ');
    const capturedAt = Date.parse(summary?.last_captured_at ?? '');
    if (capturedAt > this.capturedAt) this.capturedAt = capturedAt;
  }

  takeDiff(diff: DiffResponse, capturedAt: string, now: number): void {
    this.captureId = diff.capture_id;
    this.capturedAt = Date.parse(capturedAt);
    if (diff.added.length > 0) this.notice = '';
    let count = 0;
    const note = (key: string, before: Scalar | undefined, after: Scalar | undefined) => {
      count++;
      if (after === undefined) this.values.delete(key);
      else this.values.set(key, after);
      // Removed first, so that it becomes the last.
      this.recent.delete(key);
      this.recent.set(key, { at: now, before, after });
    };
    for (const { path, value } of diff.removed) note(path, value, undefined);
    for (const { path, value } of diff.added) note(path, undefined, value);
    for (const { path, before, after } of diff.changed) note(path, before, after);
    for (const key of this.recent.keys()) {
      if (this.recent.size <= MAX_RECENT) break;
      this.recent.delete(key);
    }
    this.counts.push({ at: now, count });
    this.counts = this.counts.filter(({ at }) => now - at <= RATE_WINDOW_MS);
  }

  changesPerSecond(now: number): number {
    const sum = this.counts.reduce((total, { at, count }) => (now - at <= RATE_WINDOW_MS ? total + count : total), 0);
    return (sum * 1000) / Math.max(1000, Math.min(RATE_WINDOW_MS, now - this.began));
  }
}
