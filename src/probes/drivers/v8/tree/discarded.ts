/**
 * Counts the exceptions that an agent drops, by place in its code, for its reports. Each agent is a bundle of its own,
 * with counts of its own.
 */
const MAX_PLACES = 64;
const OTHER = 'other';

const counts = new Map<string, number>();
let isNew = false;

/** `place`: `Class.method`. */
export function discarded(place: string): void {
  const known = counts.has(place) || counts.size < MAX_PLACES - 1 ? place : OTHER;
  counts.set(known, (counts.get(known) ?? 0) + 1);
  isNew = true;
}

/** All counts if one has changed since the last call, or if all are wanted; otherwise undefined. */
export function takeDiscarded(all: boolean): Record<string, number> | undefined {
  if (!isNew && (!all || counts.size === 0)) return undefined;
  isNew = false;
  return Object.fromEntries(counts);
}
