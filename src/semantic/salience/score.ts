/** How much the values of one pattern matter to the user of an app, from 0 to 1. The one place where evidence is weighed. */
import { hasBusinessWord, isNoiseName, ORIGINS, OTHER_ORIGIN } from './evidence.ts';

/** Below this a key is shown only when it is asked for. */
export const FLOOR = 0.15;

export interface PatternFacts {
  /** The steps of the pattern; `*` for an index. */
  readonly steps: readonly string[];
  readonly originScore: number;
  readonly isOpaque: boolean;
  /** Its value was seen to change. */
  readonly hasChanged: boolean;
  /** A value of it stands on the screen. */
  readonly isOnScreen: boolean;
  /** It is one of very many names beside each other, none of whose values has ever changed. */
  readonly isInTable: boolean;
  /** The root holds very much, and nothing of it was seen to change or to be shown. */
  readonly isInHugeRoot: boolean;
  /** The same values stand at a better place. */
  readonly isCopy: boolean;
}

/** Each makes a score smaller. */
const FACTORS = {
  noise: 0.15,
  opaque: 0.2,
  unnamed: 0.5,
  table: 0.25,
  huge: 0.5,
  copy: 0.3,
  private: 0.7,
  constant: 0.6,
  /** Names that are numbers: ids of a bundler, or rows of a map. */
  numbered: 0.6,
  /** For each step beyond the fourth. */
  deep: 0.94,
} as const;
const DEEP = 4;
const SCREEN = 0.9;
/** Each makes a score larger. */
const BONUSES = { changed: 0.25, onScreen: 0.25, business: 0.08 } as const;

export function scoreOf(facts: PatternFacts): number {
  const { steps } = facts;
  let score = facts.originScore;
  // What is shown and what the browser says is never noise.
  if (score < SCREEN) {
    let says = 0;
    for (const step of steps) says |= saidBy(step);
    if (says & NOISE) score *= FACTORS.noise;
    if (says & UNNAMED) score *= FACTORS.unnamed;
    if (says & PRIVATE) score *= FACTORS.private;
    if (says & CONSTANT) score *= FACTORS.constant;
    if (says & NUMBERED) score *= FACTORS.numbered;
    if (facts.isInTable) score *= FACTORS.table;
    if (facts.isInHugeRoot) score *= FACTORS.huge;
    if (facts.isCopy) score *= FACTORS.copy;
    if (steps.length > DEEP) score *= FACTORS.deep ** (steps.length - DEEP);
  }
  if (facts.isOpaque) score *= FACTORS.opaque;
  const isNoise = score < FLOOR;
  // A value that changes or is shown matters, but that does not make all of a library's insides matter.
  if (facts.hasChanged) score += isNoise ? BONUSES.changed / 4 : BONUSES.changed;
  if (facts.isOnScreen) score += isNoise ? BONUSES.onScreen / 2 : BONUSES.onScreen;
  if (!isNoise && !facts.isOpaque && (saidBy(steps.at(-1)) | saidBy(steps.at(-2))) & BUSINESS)
    score += BONUSES.business;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

const NOISE = 1;
const UNNAMED = 2;
const PRIVATE = 4;
const CONSTANT = 8;
const NUMBERED = 16;
const BUSINESS = 32;
/** Names come again and again. */
const known = new Map<string, number>();
const MAX_KNOWN = 50_000;

function saidBy(step: string | undefined): number {
  if (step === undefined || step === '*') return 0;
  let says = known.get(step);
  if (says === undefined) {
    says =
      (isNoiseName(step) ? NOISE : 0) |
      (/^unnamed\d*$/.test(step) ? UNNAMED : 0) |
      (/^[_$]|_$/.test(step) ? PRIVATE : 0) |
      (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(step) ? CONSTANT : 0) |
      (/^\d+$/.test(step) ? NUMBERED : 0) |
      (hasBusinessWord(step) ? BUSINESS : 0);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(step, says);
  }
  return says;
}

export function originScore(origin: string): number {
  for (const [pattern, score] of ORIGINS) if (pattern.test(origin)) return score;
  return OTHER_ORIGIN;
}
