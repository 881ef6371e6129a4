/** Which keys of a state are meant. In steps: a state may have very many keys, and globs may be hard to match. */
import type { KeyFilter } from './key-filter.ts';
import { pathPattern } from './path.ts';
import type { StateLook } from './state-look.ts';

export interface Chosen {
  /** In the order of the state. */
  readonly keys: readonly string[];
  /** How many of them have each pattern. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Patterns or keys between two steps. */
const STEP = 64;

/** Null: all of them. */
export function* chooseKeys(
  { keys, places }: StateLook['keys'],
  filter: KeyFilter | null,
): Generator<void, Chosen, void> {
  const counts = new Map<string, number>();
  if (filter === null) {
    for (const [pattern, at] of places) {
      counts.set(pattern, at.length);
      if (counts.size % STEP === 0) yield;
    }
    return { keys, counts };
  }
  const chosen: number[] = [];
  let looked = 0;
  for (const [pattern, at] of places) {
    const before = chosen.length;
    const isMeant = filter.ofPattern(pattern);
    if (isMeant === true) for (const place of at) chosen.push(place);
    for (const place of isMeant === null ? at : []) {
      if (filter.matches(keys[place] ?? '', pattern)) chosen.push(place);
      if (++looked % STEP === 0) yield;
    }
    if (chosen.length > before) counts.set(pattern, chosen.length - before);
    if (++looked % STEP === 0) yield;
  }
  if (chosen.length === keys.length) return { keys, counts };
  return { keys: Array.from(Uint32Array.from(chosen).sort(), (place) => keys[place] ?? ''), counts };
}

/** The counts of those that are not among the first so many. */
export function countsAfter({ keys, counts }: Chosen, first: number): ReadonlyMap<string, number> {
  if (first === 0) return counts;
  const rest = new Map(counts);
  for (const key of keys.slice(0, first)) {
    const pattern = pathPattern(key);
    const count = rest.get(pattern) ?? 0;
    if (count > 1) rest.set(pattern, count - 1);
    else rest.delete(pattern);
  }
  return rest;
}
