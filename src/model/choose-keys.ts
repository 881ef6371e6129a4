/**
 * Selects the keys of a state. Works in steps, because a state may have very many keys, and globs may be slow to match.
 */
import type { KeyFilter } from './key-filter.ts';
import type { StateLook } from './state-look.ts';

/** Patterns or keys per step. */
const STEP = 64;

/** Yields the keys in the order of the state. */
export function* chooseKeys(
  { keys, places }: StateLook['keys'],
  filter: KeyFilter,
): Generator<void, readonly string[], void> {
  const chosen: number[] = [];
  let looked = 0;
  for (const [pattern, at] of places) {
    const isMeant = filter.ofPattern(pattern);
    if (isMeant === true) for (const place of at) chosen.push(place);
    for (const place of isMeant === null ? at : []) {
      if (filter.matches(keys[place] ?? '', pattern)) chosen.push(place);
      if (++looked % STEP === 0) yield;
    }
    if (++looked % STEP === 0) yield;
  }
  if (chosen.length === keys.length) return keys;
  return Array.from(Uint32Array.from(chosen).sort(), (place) => keys[place] ?? '');
}
