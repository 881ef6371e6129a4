/** Globs that match nothing, with similar keys. Works in steps, because a state may have very many keys. */
import { globMatcher, splitSteps } from './glob.ts';
import { seekNearest } from './nearest.ts';
import { pathPattern } from './path.ts';

/** Keys per step. */
const STEP = 16;

export interface UnmatchedGlob {
  readonly glob: string;
  /** Keys, or prefixes of keys, with a similar spelling; the nearest first. */
  readonly nearest: readonly string[];
}

/** `chosen`: the keys that all globs together select. `places`: all keys, by pattern. */
export function* unmatchedGlobs(
  globs: readonly string[],
  chosen: readonly string[],
  places: ReadonlyMap<string, unknown>,
  matcherOf = globMatcher,
): Generator<void, readonly UnmatchedGlob[], void> {
  const open = new Map(globs.map((glob) => [glob, matcherOf(glob)]));
  for (const [at, key] of chosen.entries()) {
    if (open.size === 0) return [];
    for (const [glob, matches] of open) if (matches(key)) open.delete(glob);
    if (at % STEP === 0) yield;
  }
  const unmatched: UnmatchedGlob[] = [];
  for (const glob of open.keys()) unmatched.push({ glob, nearest: yield* nearestTo(glob, places.keys()) });
  return unmatched;
}

/** A glob for everything below a key is compared with prefixes of keys. */
function* nearestTo(glob: string, patterns: Iterable<string>): Generator<void, readonly string[], void> {
  const wanted = pathPattern(glob.replace(/(?:\.?\*\*)+$/, '').replace(/^(?:\*\*\.?)+/, ''));
  const plain = wanted.replace(/\[\*\]|[*?]/g, (wild) => (wild === '[*]' ? wild : ''));
  if (plain === '') return [];
  const depth = glob.startsWith('**') ? Number.POSITIVE_INFINITY : splitSteps(wanted).length;
  return yield* seekNearest(plain, beginnings(patterns, depth));
}

/** A generator, because the caller compares in steps. */
function* beginnings(patterns: Iterable<string>, depth: number): Generator<string, void, void> {
  const seen = new Set<string>();
  for (const pattern of patterns) {
    const beginning =
      depth === Number.POSITIVE_INFINITY ? pattern : pattern.slice(0, splitSteps(pattern)[depth - 1]?.end);
    if (seen.has(beginning)) continue;
    seen.add(beginning);
    yield beginning;
  }
}
