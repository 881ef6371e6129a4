/** Which keys of a state are meant by globs. In steps: a state may have very many keys, and globs may be hard to match. */
import { globMatcher } from '../client/glob.ts';
import { pathPattern } from '../model/path.ts';
import type { StateLook } from '../model/state-look.ts';

export interface Chosen {
  /** In the order of the state. */
  readonly keys: readonly string[];
  /** How many of them have each pattern. */
  readonly counts: ReadonlyMap<string, number>;
}

/** What can tell one element of a list from another. */
const SINGLE = /[\d?]/;
/** Patterns or keys between two steps. */
const STEP = 64;

export function* chooseKeys(
  { keys, places }: StateLook['keys'],
  globs: readonly string[] | undefined,
): Generator<void, Chosen, void> {
  const counts = new Map<string, number>();
  if (globs === undefined) {
    for (const [pattern, at] of places) {
      counts.set(pattern, at.length);
      if (counts.size % STEP === 0) yield;
    }
    return { keys, counts };
  }
  // What says nothing of single elements is true of all that have one pattern, or of none.
  const general = globs.filter((glob) => !SINGLE.test(glob)).map(globMatcher);
  const special = globs
    .filter((glob) => SINGLE.test(glob))
    .map((glob) => {
      const anyElement = glob.replace(/\[\d+\]/g, '[*]');
      return { mayMatch: SINGLE.test(anyElement) ? () => true : globMatcher(anyElement), matches: globMatcher(glob) };
    });
  const chosen: number[] = [];
  let looked = 0;
  for (const [pattern, at] of places) {
    const before = chosen.length;
    if (general.some((matches) => matches(pattern))) for (const place of at) chosen.push(place);
    else if (special.length > 0) {
      const close = special.filter(({ mayMatch }) => mayMatch(pattern));
      for (const place of close.length > 0 ? at : []) {
        const key = keys[place] ?? '';
        if (close.some(({ matches }) => matches(key))) chosen.push(place);
        if (++looked % STEP === 0) yield;
      }
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
