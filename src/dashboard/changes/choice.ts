/** The two captures to compare. */
import type { CaptureNote } from '../live/app-model.ts';

/** Null for the newest. */
export interface Choice {
  readonly from: string | null;
  /** `now`: always the latest capture, while `from` stays. */
  readonly to: string | 'now' | null;
}

export const NEWEST: Choice = { from: null, to: null };

export interface Pair {
  readonly from: string;
  /** Null for now. */
  readonly to: string | null;
}

/** The captures that a choice currently selects; null while there is only one. */
export function pairOf({ from, to }: Choice, captures: readonly CaptureNote[]): Pair | null {
  const last =
    to === null || to === 'now' ? captures.length - 1 : captures.findIndex(({ captureId }) => captureId === to);
  const start = from ?? captures[Math.max(0, last - 1)]?.captureId;
  if (start === undefined || (from === null && captures.length < 2)) return null;
  if (to === 'now') return { from: start, to: null };
  const end = to ?? captures.at(-1)?.captureId;
  return end === undefined ? null : { from: start, to: end };
}
