/** How much the values of one pattern matter to the user of an app, from 0 to 1. The one place where evidence is weighed. */
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

/** Below this a key is shown only when it is asked for. */
export const FLOOR = 0.25;

export interface PatternFacts {
  /** The steps of the pattern; `*` for an index. */
  readonly steps: readonly string[];
  readonly originScore: number;
  readonly isOpaque: boolean;
  /** Its value was seen to change. */
  readonly hasChanged: boolean;
  /** A value of it stands on the screen. */
  readonly isOnScreen: boolean;
  /** The screen has a word for it. */
  readonly isNamedOnScreen: boolean;
  /** It is one of very many names beside each other, none of whose values has ever changed. */
  readonly isInTable: boolean;
  /** The root holds very much, and nothing of it was seen to change or to be shown. */
  readonly isInHugeRoot: boolean;
  /** The same values stand at a better place. */
  readonly isCopy: boolean;
  /** It is a long list of plain values, of which none has changed or is shown. */
  readonly isLongConstant: boolean;
  /** Its value stands for something else, or says only how something looks. */
  readonly isPresentation: boolean;
  /** Nothing of the app holds state in a better way than this root, and something of it changes or is shown. */
  readonly isBestThereIs: boolean;
  /** Much beside it has names of libraries. */
  readonly isAmongNoise: boolean;
  /** It has no value that would say anything: nothing, zero, no. */
  readonly isEmpty: boolean;
  /** Very many things have it, and all have the same. */
  readonly isUniform: boolean;
  /** Its value is its own name, or that of the object around it. */
  readonly isOwnName: boolean;
  /** It is kept by a program, which holds far more than its users know of. */
  readonly isOfProgram: boolean;
  /** Texts in the elements of a list or map that a program holds: rows of data, most likely. */
  readonly isRow: boolean;
  /** The probe says that it is a constant, and it has not changed. */
  readonly isConstant: boolean;
  /** An entry of an enumeration, which stands there in both directions. */
  readonly isPaired: boolean;
}

/** Each makes a score smaller. */
const FACTORS = {
  noise: 0.15,
  opaque: 0.25,
  unnamed: 0.5,
  plumbing: 0.4,
  /** Much beside it is a library's: so is this, likely. */
  amongNoise: 0.4,
  empty: 0.85,
  /** The same of a program, where most of what is empty is something that is not used. */
  unused: 0.6,
  uniform: 0.5,
  ownName: 0.3,
  table: 0.3,
  huge: 0.5,
  copy: 0.4,
  presentation: 0.4,
  /** Its name says how something looks. */
  look: 0.6,
  /** One of many things that were walked up to from one that is small. */
  up: 0.4,
  /** What is kept to be found again stands elsewhere, too. */
  cache: 0.5,
  longConstant: 0.3,
  /** Below what the app works with, but above what nobody asks for. */
  reported: 0.4,
  paired: 0.2,
  /** No name that a program would give to a variable: an entry of some table. */
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
/** From here on it is what the screen or the browser says. */
export const SCREEN = 0.9;
/** Each makes a score larger. */
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
  // What a program declares itself, or a store holds, is data, however long it is.
  const isLongConstant = facts.isLongConstant && facts.originScore < OWN_FILES;
  const isEntry = facts.originScore < WEAK && ENTRY.test(steps[0] ?? '');
  // What is shown and what the browser says is never noise.
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
    // A setting that is off is one that somebody may ask for.
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
  // A value that changes or is shown matters, but that does not make all of a library's insides matter.
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
  // Beside its data a program declares many single values, most of which it never changes.
  if (!isNoise) score += facts.isRow ? BONUSES.deepRow : facts.originScore === OWN_FILES ? rowBonus(steps) : 0;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

/** For a field of an element of a list, or of an entry of a map: of one whose name no variable could have. */
function rowBonus(steps: readonly string[]): number {
  const inner = steps.slice(0, -1);
  if (inner.includes('*')) return BONUSES.row;
  return inner.some((step) => /[^\w$]/.test(step)) ? BONUSES.entry : 0;
}

/** How often the step that comes most often does. */
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
/** Names in capitals; but those of settings are written so, too. */
const isConstantName = (says: number) => (says & CONSTANT) !== 0 && (says & SETTINGS) === 0;
/** Below this a root is a variable that was found, and nothing that the app says of itself. */
export const WEAK = 0.3;
const ENTRY = /[^\w$ ]/;
/** Names come again and again. */
const known = new Map<string, number>();
const MAX_KNOWN = 50_000;

/** A name that a library, a bundler or a framework gives. */
export function isNoise(step: string): boolean {
  return (saidBy(step) & NOISE) !== 0;
}

/** Whether any of them is a name of a library or a framework, and whether any is written as constants are. */
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
