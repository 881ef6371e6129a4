/**
 * The importance of the values of one pattern for the user of an app, from 0 to 1. The one place where evidence is
 * weighed.
 */
import {
  isNoiseName,
  isPlumbing,
  leadsUp,
  ORIGINS,
  OTHER_ORIGIN,
  OWN_FILES,
  saysBusiness,
  saysLook,
  wordsOf,
} from './evidence.ts';

/** Below this a key is shown on request only. */
export const FLOOR = 0.25;

export interface PatternFacts {
  /** The steps of the pattern; `*` for an index. */
  readonly steps: readonly string[];
  readonly originScore: number;
  readonly isOpaque: boolean;
  /** Its value was seen to change. */
  readonly hasChanged: boolean;
  /** One of its values is on the screen. */
  readonly isOnScreen: boolean;
  /** A word on the screen matches its name. */
  readonly isNamedOnScreen: boolean;
  /** It is one of very many names side by side, none of whose values has ever changed. */
  readonly isInTable: boolean;
  /** The root is very large, and nothing of it was seen to change or to be shown. */
  readonly isInHugeRoot: boolean;
  /** The same values are at a better place. */
  readonly isCopy: boolean;
  /** It is a long list of plain values, none of which has changed or is shown. */
  readonly isLongConstant: boolean;
  /** Its value is a reference, or only about the look. */
  readonly isPresentation: boolean;
  /** No root of the app holds state in a better way, and something of it changes or is shown. */
  readonly isBestThereIs: boolean;
  /** Many of its neighbours have names of libraries. */
  readonly isAmongNoise: boolean;
  /** It has no meaningful value: nothing, zero, no. */
  readonly isEmpty: boolean;
  /** Very many objects have it, all with the same value. */
  readonly isUniform: boolean;
  /** Its value is its own name, or that of the surrounding object. */
  readonly isOwnName: boolean;
  /** It belongs to a program, which holds far more than its users know. */
  readonly isOfProgram: boolean;
  /** Texts in the elements of a list or map of a program: most likely rows of data. */
  readonly isRow: boolean;
  /** The probe reports it as a constant, and it has not changed. */
  readonly isConstant: boolean;
  /** An entry of an enumeration, which exists in both directions. */
  readonly isPaired: boolean;
}

/** Each lowers a score. */
const FACTORS = {
  noise: 0.15,
  opaque: 0.25,
  unnamed: 0.5,
  plumbing: 0.4,
  /** Its neighbours are a library's, so this probably is, too. */
  amongNoise: 0.4,
  empty: 0.85,
  /** The same for a program, in which most empty values are unused. */
  unused: 0.6,
  uniform: 0.5,
  ownName: 0.3,
  table: 0.3,
  huge: 0.5,
  copy: 0.4,
  presentation: 0.4,
  /** Its name is about the look. */
  look: 0.6,
  /** One of many objects that were reached upwards from a small one. */
  up: 0.4,
  /** Cached values are elsewhere, too. */
  cache: 0.5,
  longConstant: 0.3,
  /** Below the data of the app, but above noise. */
  reported: 0.4,
  paired: 0.2,
  /** No name for a variable in a program: an entry of some table. */
  entry: 0.4,
  /** The same step again and again: a tree that is walked up and down. */
  repeated: 0.2,
  private: 0.7,
  constant: 0.6,
  /** Names that are numbers: ids of a bundler, or rows of a map. */
  numbered: 0.5,
  /** For each step beyond the fourth. */
  deep: 0.94,
  deepInProgram: 0.91,
} as const;
const DEEP = 4;
/** From here on a root holds state of the app. */
export const OWN = 0.6;
/** From here on it is the screen or the browser. */
export const SCREEN = 0.9;
/** Each raises a score. */
const BONUSES = {
  changed: 0.25,
  onScreen: 0.25,
  business: 0.08,
  named: 0.1,
  best: 0.2,
  deepRow: 0.2,
  row: 0.1,
  entry: 0.05,
} as const;
const MAX_REPEATS = 3;

export function scoreOf(facts: PatternFacts): number {
  const { steps } = facts;
  let isTree = false;
  let says = 0;
  for (const step of steps) says |= saidBy(step);
  let score = facts.originScore + (facts.isBestThereIs && !(says & PLUMBING) ? BONUSES.best : 0);
  // A program's own declarations, and the content of a store, are data, however long.
  const isLongConstant = facts.isLongConstant && facts.originScore < OWN_FILES;
  const isEntry = facts.originScore < WEAK && ENTRY.test(steps[0] ?? '');
  // Content of the screen and of the browser is never noise.
  if (facts.originScore < SCREEN) {
    if (says & NOISE) score *= FACTORS.noise;
    if (says & UNNAMED) score *= FACTORS.unnamed;
    if (says & PLUMBING) score *= FACTORS.plumbing;
    if (says & PRIVATE) score *= FACTORS.private;
    if (isConstantName(says)) score *= FACTORS.constant;
    // In a program's own maps they are the keys of rows.
    if (says & NUMBERED && facts.originScore < OWN) score *= FACTORS.numbered;
    if (says & UP) score *= FACTORS.up;
    if (says & CACHE) score *= FACTORS.cache;
    if (saidBy(steps.at(-1)) & LOOK) score *= FACTORS.look;
    if (facts.isPaired) score *= FACTORS.paired;
    else if (facts.isConstant) score *= FACTORS.reported;
    if (isEntry) score *= FACTORS.entry;
    if (isLongConstant) score *= FACTORS.longConstant;
    if (facts.isInTable) score *= FACTORS.table;
    if (facts.isInHugeRoot && facts.originScore < OWN) score *= FACTORS.huge;
    if (facts.isCopy) score *= FACTORS.copy;
    if (facts.isPresentation) score *= FACTORS.presentation;
    if (facts.isAmongNoise) score *= FACTORS.amongNoise;
    // A disabled setting may be asked for.
    if (facts.isEmpty && !facts.hasChanged)
      score *= facts.isOfProgram && !(says & SETTINGS) ? FACTORS.unused : FACTORS.empty;
    if (facts.isUniform) score *= FACTORS.uniform;
    if (facts.isOwnName) score *= FACTORS.ownName;
    const depth = facts.isRow ? steps.filter((step) => step !== '*').length : steps.length;
    if (depth > DEEP)
      score *= (facts.isOfProgram && !facts.isRow ? FACTORS.deepInProgram : FACTORS.deep) ** (depth - DEEP);
    if (steps.length > DEEP) {
      isTree = repeatsOf(steps) >= MAX_REPEATS;
      if (isTree) score *= FACTORS.repeated;
    }
  }
  if (facts.isOpaque) score *= FACTORS.opaque;
  // A value that changes or is shown matters, but that does not apply to all internals of a library.
  const isNoise =
    (says & (NOISE | UP)) !== 0 ||
    isEntry ||
    isTree ||
    facts.isOpaque ||
    facts.isInTable ||
    isLongConstant ||
    facts.isPaired ||
    facts.isConstant ||
    facts.isCopy ||
    facts.isAmongNoise;
  if (facts.hasChanged) score += isNoise ? BONUSES.changed / 4 : BONUSES.changed;
  if (facts.isOnScreen) score += isNoise ? BONUSES.onScreen / 3 : BONUSES.onScreen;
  if (!isNoise && !(saidBy(steps.at(-1)) & LOOK)) {
    if ((saidBy(steps.at(-1)) | saidBy(steps.at(-2))) & BUSINESS) score += BONUSES.business;
    if (facts.isNamedOnScreen && facts.originScore < SCREEN) score += BONUSES.named;
  }
  // Besides its data a program declares many single values, most of which never change.
  if (!isNoise) score += facts.isRow ? BONUSES.deepRow : facts.originScore === OWN_FILES ? rowBonus(steps) : 0;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

/** For a field of an element of a list, or of an entry of a map: one with a name that no variable could have. */
function rowBonus(steps: readonly string[]): number {
  const inner = steps.slice(0, -1);
  if (inner.includes('*')) return BONUSES.row;
  return inner.some((step) => /[^\w$]/.test(step)) ? BONUSES.entry : 0;
}

/** The number of repetitions of the most frequent step. */
function repeatsOf(steps: readonly string[]): number {
  const counts = new Map<string, number>();
  let most = 0;
  for (const step of steps) {
    if (step === '*') continue;
    const count = (counts.get(step) ?? 0) + 1;
    counts.set(step, count);
    most = Math.max(most, count);
  }
  return most;
}

const NOISE = 1;
const UNNAMED = 2;
const PRIVATE = 4;
const CONSTANT = 8;
const NUMBERED = 16;
const BUSINESS = 32;
const PLUMBING = 64;
const LOOK = 128;
const UP = 256;
const CACHE = 512;
const SETTINGS = 1024;
const SETTINGS_NAME = /^_*(?:env|environment|config|configuration|settings|options|opts|prefs|preferences)_*$/i;
/** Names in capitals; but those of settings are written like that, too. */
const isConstantName = (says: number) => (says & CONSTANT) !== 0 && (says & SETTINGS) === 0;
/** Below this a root is a found variable, not a declaration of the app. */
export const WEAK = 0.3;
const ENTRY = /[^\w$ ]/;
/** Names repeat, so their meaning is cached. */
const known = new Map<string, number>();
const MAX_KNOWN = 50_000;

/** A name from a library, a bundler or a framework. */
export function isNoise(step: string): boolean {
  return (saidBy(step) & NOISE) !== 0;
}

/** Whether any of them is a name of a library or a framework, and whether any is written like a constant. */
export function kindsOfNames(steps: readonly string[]): { isInternal: boolean; isNamedConstant: boolean } {
  let says = 0;
  for (const step of steps) says |= saidBy(step);
  return { isInternal: (says & (NOISE | PLUMBING)) !== 0, isNamedConstant: isConstantName(says) };
}

function saidBy(step: string | undefined): number {
  if (step === undefined || step === '*') return 0;
  let says = known.get(step);
  if (says === undefined) {
    const words = wordsOf(step);
    says =
      (isNoiseName(step) ? NOISE : 0) |
      (/^unnamed\d*$/.test(step) ? UNNAMED : 0) |
      (/^[_$].|._$/.test(step) ? PRIVATE : 0) |
      (/^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^default[A-Z]|(?:_|^)constants?$|Constants?$/.test(step) ? CONSTANT : 0) |
      (/^\d+$/.test(step) ? NUMBERED : 0) |
      (isPlumbing(step) ? PLUMBING : 0) |
      (saysLook(words) ? LOOK : 0) |
      (leadsUp(step) ? UP : 0) |
      (/(?:^c|C)aches?$/.test(step) ? CACHE : 0) |
      (SETTINGS_NAME.test(step) ? SETTINGS : 0) |
      (saysBusiness(words) ? BUSINESS : 0);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(step, says);
  }
  return says;
}

export function originScore(origin: string): number {
  for (const [pattern, score] of ORIGINS) if (pattern.test(origin)) return score;
  return OTHER_ORIGIN;
}
