/**
 * The state of a random generator: it reveals all future values, including keys and session ids. It has no name of its
 * own, so it is recognised by its place.
 */
import { stepsOf } from './words.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names of generators, also at the end of a name: `diceRng`, `secureRandom`. */
const GENERATORS = words(`
  rng prng csprng drbg trng twister mersenne fortuna xorshift xoshiro xoroshiro pcg lcg isaac chacha securerandom seedrandom
  splitmix`);
/** Names of their state. */
const STATES = words('seed seeds state states key keys counter pool pools cipher mt vector register registers');

const MAY_BE = /rng|rand|bg|twister|mersenne|fortuna|xor?[os]sh|pcg|lcg|isaac|chacha|splitmix|seed_?arr|_?s[0-3]$/i;
const IN_LIST = /\[(?:\*|\d+)\]$/;
/** `_s0`: of xoshiro, which .NET uses, and whose class is in no name. */
const WORD_OF_STATE = /(?:^|\.)_?s[0-3]$/;

/** Which numbers are secret: all, those that nobody would have chosen, or none. */
export function judgeGenerator(path: string): 'all' | 'large' | null {
  if (!MAY_BE.test(path)) return null;
  if (WORD_OF_STATE.test(path)) return 'large';
  const steps = stepsOf(path);
  const isInList = IN_LIST.test(path);
  const last = steps.at(-1) ?? [];
  if (isInList && last.at(-2) === 'seed' && last.at(-1) === 'array') return 'all';
  const at = steps.findIndex((step) => GENERATORS.has(step.at(-1) ?? '') || isRandom(step));
  if (at === -1) return null;
  const isNamedSo = GENERATORS.has(steps[at]?.at(-1) ?? '');
  const below = steps.slice(at + 1);
  const holdsState = below.some((step) => STATES.has(step.at(-1) ?? ''));
  // Names of one letter come from a minifier.
  const isSmall = below.length > 0 && below.every((step) => step.length === 1 && (step[0]?.length ?? 0) <= 2);
  if (isInList) return isNamedSo || holdsState || isSmall ? 'all' : 'large';
  return holdsState || isSmall ? 'large' : null;
}

/** `random`, `secureRandom`, but not `randomPosts`. */
const isRandom = (step: readonly string[]) =>
  step.at(-1) === 'random' &&
  (step.length === 1 || ['secure', 'crypto', 'thread', 'local'].includes(step.at(-2) ?? ''));
