/** How much the values of one pattern matter to the user of an app, from 0 to 1. The one place where evidence is weighed. */
import { hasBusinessWord, isNoiseName, ORIGINS, OTHER_ORIGIN } from './evidence.ts';

/** Below this a key is shown only when it is asked for. */
export const FLOOR = 0.15;

export interface PatternFacts {
  /** The steps of the pattern; `*` for an index. */
  readonly steps: readonly string[];
  readonly origin: string;
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
/** Each makes a score larger. */
const BONUSES = { changed: 0.25, onScreen: 0.25, business: 0.08 } as const;

export function scoreOf(facts: PatternFacts): number {
  const { steps } = facts;
  const names = steps.filter((step) => step !== '*');
  let score = originScore(facts.origin);
  // What is shown and what the browser says is never noise.
  const isScreen = score >= 0.9;
  if (!isScreen) {
    if (names.some(isNoiseName)) score *= FACTORS.noise;
    if (names.some((name) => /^unnamed\d*$/.test(name))) score *= FACTORS.unnamed;
    if (names.some((name) => /^[_$]/.test(name) || /_$/.test(name))) score *= FACTORS.private;
    if (names.some((name) => /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/.test(name))) score *= FACTORS.constant;
    if (names.some((name) => /^\d+$/.test(name))) score *= FACTORS.numbered;
    if (facts.isInTable) score *= FACTORS.table;
    if (facts.isInHugeRoot) score *= FACTORS.huge;
    if (facts.isCopy) score *= FACTORS.copy;
    score *= FACTORS.deep ** Math.max(0, steps.length - DEEP);
  }
  if (facts.isOpaque) score *= FACTORS.opaque;
  const isNoise = score < FLOOR;
  // A value that changes or is shown matters, but that does not make all of a library's insides matter.
  if (facts.hasChanged) score += isNoise ? BONUSES.changed / 4 : BONUSES.changed;
  if (facts.isOnScreen) score += isNoise ? BONUSES.onScreen / 2 : BONUSES.onScreen;
  if (!isNoise && !facts.isOpaque && names.slice(-2).some(hasBusinessWord)) score += BONUSES.business;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

export function originScore(origin: string): number {
  for (const [pattern, score] of ORIGINS) if (pattern.test(origin)) return score;
  return OTHER_ORIGIN;
}
