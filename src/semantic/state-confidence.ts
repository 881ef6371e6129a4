/**
 * The confidence that an app's content, screen and changes are in its state, as far as known, and the reason. Pure:
 * facts in, a figure and a sentence out. Names alone prove nothing, since the name of a constant is as good as any.
 */
import type { BudgetPart } from '../model/budget.ts';
import type { Found } from './salience/salience.ts';

/** The facts besides the leaves. */
export interface Circumstances {
  /** The part of the budget that ended the search, or null. */
  readonly stoppedBy: BudgetPart | null;
  /** The event that reveals more, or null. */
  readonly waitsFor: string | null;
  /** The program has worked for a while, apart from work for the probe. */
  readonly works: boolean;
  /** More will come by itself. */
  readonly isLoading: boolean;
  /** The objects nearest to the program were not all read yet: the search goes on. */
  readonly isSearching: boolean;
  /** Most of them are left. */
  readonly hasMuchLeft: boolean;
  /** The central object of the program if it was not found; null if it was, as far as known. */
  readonly unseen: string | null;
  /** No object of its own classes was found. */
  readonly seesNoObject: boolean;
}

export interface StateConfidence {
  readonly confidence: number;
  /** One sentence for people. */
  readonly reason: string;
}

export const NO_CIRCUMSTANCES: Circumstances = {
  stoppedBy: null,
  waitsFor: null,
  works: false,
  isLoading: false,
  isSearching: false,
  hasMuchLeft: false,
  unseen: null,
  seesNoObject: false,
};

/** From here on the state is good enough for actions; below, a deeper capture may find more. */
export const GOOD_CONFIDENCE = 0.8;

/** Nothing was found: the content of the app is unknown. */
const EMPTY = 0.15;
const OPAQUE = 0.3;
/** Only constants: the names are right, but say nothing about the app. */
const CONSTANTS_ONLY = 0.25;
/** State that becomes visible with a call may be most of the program: the deeper capture searches it. */
const WAITS = 0.75;
/** Unless much of it was found already. */
const WAITS_FOR_LESS = 0.86;
const MUCH_OWN = 20;
/** The handler of requests is the heart of a server; other finds are secondary. */
const BLIND = 0.4;
/** Nor is anything else known to be live: probably only constants. */
const BLIND_TO_ALL = 0.15;
/** So far anything may be missing. */
const SEARCHING = 0.35;
/** Most objects were found. */
const SEARCHING_FOR_LESS = 0.86;
/** For a program that works while nothing in its state changes. */
const STANDS_STILL = 0.7;
/** A search that was ended may have missed anything. */
const ENDED_EARLY = 0.7;
/** Something is known to be missing. */
const NOT_ALL = 0.89;
/** Apps hold more than they show. */
const SCREEN_ONLY = 0.93;
/** So little of the program's own that constants outweigh it by far. */
const LEAST = 0.5;
/** From here on enough was found that constants say nothing about the rest. */
const ENOUGH_SHARE = 0.7;
/** Every program has this many: two or three tables. Above the other number, more mean nothing. */
const FEW_CONSTANTS = 6;
const MOST_CONSTANTS = 100;
/** Live values count more than possible constants. */
const LIVE = 25;
/** About one value of a store. */
const LEAST_HELD = 0.8;
/** Below this the search had hardly reached the program's own state. */
const FEW_OWN = 3;
/** The share of possibly live values that must be seen live. */
const PROVEN_SHARE = 0.05;
const CERTAIN = 0.97;
/** A screen agrees with the objects behind it, but nothing has changed yet. */
const UNMOVED = 0.94;
const UNPROVEN = 'Variables of the program were read; hardly any was seen to change yet.';
const STILL = 'Objects of the program were read; none was seen to change yet.';
/** The share of the program's own values that are meaningful, if there was something to find. */
const MEANINGFUL_SHARE = 0.3;
const NOTHING = 1e-6;
/** Below this names are part of the reason. */
const SURE_NAMES = 0.9;

interface Limit extends StateConfidence {}

export function confidenceIn(found: Found, circumstances: Circumstances = NO_CIRCUMSTANCES): StateConfidence {
  const { names, keys } = found;
  if (keys === 0 || names === null || own(found) < NOTHING) return withoutOwn(found, circumstances);
  const known: Limit = { confidence: names, reason: reasonOf(found) };
  const least = limitsOf(found, circumstances).reduce(
    (lowest, limit) => (limit.confidence < lowest.confidence ? limit : lowest),
    known,
  );
  return { confidence: rounded(least.confidence), reason: least.reason };
}

function withoutOwn({ names, kinds, keys }: Found, { waitsFor, stoppedBy }: Circumstances): StateConfidence {
  const what =
    keys === 0
      ? 'Found nothing'
      : kinds.opaque > kinds.constant
        ? 'Found only values without a usable name'
        : kinds.constant < NOTHING
          ? 'Found only what libraries keep for themselves'
          : 'Found constants only';
  // An unnamed value is as certain as its name.
  const found = kinds.opaque > NOTHING ? (names ?? OPAQUE) : EMPTY;
  const confidence = kinds.constant > NOTHING ? CONSTANTS_ONLY : Math.min(found, OPAQUE);
  return { confidence, reason: `${what}${missing(waitsFor, stoppedBy)}.` };
}

/** Each is a reason to be less certain than the names are. */
function limitsOf(found: Found, circumstances: Circumstances): Limit[] {
  const { works, waitsFor, stoppedBy, isLoading, isSearching, hasMuchLeft, unseen, seesNoObject } = circumstances;
  const { kinds, changed, screen, held, meaningful } = found;
  const limits: Limit[] = [];
  const add = (confidence: number, reason: string) => limits.push({ confidence, reason });
  const share = shareOfOwn(found);
  if (share < ENOUGH_SHARE) {
    const confidence = LEAST + ((NOT_ALL - LEAST) * share) / ENOUGH_SHARE;
    add(confidence, `Most values that were found are constants${missing(waitsFor, stoppedBy)}.`);
  }
  if (meaningful < own(found) * MEANINGFUL_SHARE)
    add(EMPTY, `Nearly all values that were found are empty${missing(waitsFor, stoppedBy)}.`);
  if (kinds.plain > screen) {
    const proven = Math.max(0, kinds.live - screen) / (kinds.plain * PROVEN_SHARE);
    if (proven < 1) add(NOT_ALL + (CERTAIN - NOT_ALL) * proven, UNPROVEN);
  }
  if (changed < NOTHING) add(screen > NOTHING ? UNMOVED : NOT_ALL, STILL);
  if (screen > NOTHING && held < LEAST_HELD)
    add(SCREEN_ONLY, 'The screen was read; what is behind it was found in part at most.');
  if (works && changed < NOTHING) add(STANDS_STILL, 'The program works, but nothing that is read changes.');
  if (stoppedBy !== null && own(found) < FEW_OWN)
    add(ENDED_EARLY, `The search was ended by its budget (${stoppedBy}) before much of the program was reached.`);
  if (isSearching && hasMuchLeft)
    add(SEARCHING, 'The search has not come to most objects of the program yet; it goes on.');
  else if (isSearching)
    add(SEARCHING_FOR_LESS, 'The search has not come to all objects of the program yet; it goes on.');
  // Windows show the essence of a program, wherever it is kept.
  if (unseen !== null && screen < NOTHING) {
    const seesNothing = seesNoObject || kinds.live < NOTHING;
    add(seesNothing ? BLIND_TO_ALL : BLIND, `${capitalised(unseen)} was not seen${missing(waitsFor, null)}.`);
  }
  // It has classes, and what they hold is known to be somewhere: a few variables beside them are not the program.
  if (seesNoObject && waitsFor !== null && own(found) < MUCH_OWN && screen < NOTHING)
    add(
      changed < NOTHING ? BLIND_TO_ALL : BLIND,
      `No object of the program's own classes was seen${missing(waitsFor, null)}.`,
    );
  if (waitsFor !== null) add(own(found) < MUCH_OWN ? WAITS : WAITS_FOR_LESS, `More can be seen after ${waitsFor}.`);
  if (isLoading) add(GOOD_CONFIDENCE, 'The page is still loading.');
  return limits;
}

const own = ({ kinds }: Found) => kinds.live + kinds.plain;

/** The share among all finds, weighed. */
function shareOfOwn({ kinds: { live, plain, constant } }: Found): number {
  const weighed = LIVE * live + plain;
  return weighed / (weighed + Math.min(Math.max(0, constant - FEW_CONSTANTS), MOST_CONSTANTS));
}

function reasonOf({ names, changed }: Found): string {
  if (names !== null && names < SURE_NAMES) return 'Some names were shortened by a minifier, or are missing.';
  if (changed > NOTHING) return 'Values of the program were seen to change.';
  return STILL;
}

function missing(waitsFor: string | null, stoppedBy: BudgetPart | null): string {
  if (waitsFor !== null) return `; waits for ${waitsFor} to see its objects`;
  return stoppedBy === null ? '' : `; the search was ended by its budget (${stoppedBy})`;
}

const capitalised = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const rounded = (confidence: number) => Math.round(confidence * 1000) / 1000;
