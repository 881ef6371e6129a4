/** The place of a pattern, and its meaning: its root, the object around it, and the area of both. */
import type { Scalar } from '../../model/scalar.ts';
import { isOptionsName } from './evidence.ts';

import { OWN, SCREEN, WEAK } from './score.ts';

export interface Pattern {
  readonly steps: readonly string[];
  readonly root: Root;
  readonly parent: Parent;
  readonly area: Area;
  readonly isOpaque: boolean;
  /** By its names: of a library, or a constant. */
  readonly isInternal: boolean;
  readonly isNamedConstant: boolean;
  /** Its sample is its own name. */
  isOwnName: boolean;
  /** The probe reports it as a constant. */
  readonly isReported: boolean;
  /** One half of an entry of an enumeration whose other half exists, too. */
  isPaired: boolean;
  hasValue: boolean;
  /** The value of its first leaf, and whether any other leaf differs. */
  first: Scalar | undefined;
  isVaried: boolean;
  wasThere: boolean;
  count: number;
  /** The sum over all its keys, in millionths: whole numbers, so that adding and subtracting leave no rest. */
  confidence: number;
  hasChanged: boolean;
  wasShown: boolean;
  wasHidden: boolean;
  /** One of its values, to be searched on the screen and at other places. */
  sample: string | null;
  score: number;
  /** The time of the score. */
  scoredAt: number;
  /** Its contribution to the sums of all. */
  readonly part: Part;
}

/**
 * The content of a pattern. `live`: it was seen to change, is on the screen, or belongs to a live object: a store, a
 * bean, a thread. `plain`: a value of the program without that evidence. `internal`: private to a library.
 */
export type Kind = 'live' | 'plain' | 'constant' | 'internal' | 'opaque';

export interface Sums {
  confidence: number;
  weight: number;
  keys: number;
  /** The amount of each kind. */
  readonly kinds: Record<Kind, number>;
  /** The live part that was seen to change, and the part on a screen. */
  changed: number;
  screen: number;
  /** The part in the usual places of state: stores, variables of programs, beans. */
  held: number;
  /** The meaningful part of the program's own: neither empty nor the name of something unread. */
  meaningful: number;
}

/** The contribution of one pattern. Flat, because there may be very many. */
export interface Part {
  confidence: number;
  weight: number;
  keys: number;
  kind: Kind;
  amount: number;
  changed: number;
  screen: number;
  held: number;
  meaningful: number;
}

export function noSums(): Sums {
  const kinds = { live: 0, plain: 0, constant: 0, internal: 0, opaque: 0 };
  return { confidence: 0, weight: 0, keys: 0, changed: 0, screen: 0, held: 0, meaningful: 0, kinds };
}

export function noPart(): Part {
  return { confidence: 0, weight: 0, keys: 0, kind: 'plain', amount: 0, changed: 0, screen: 0, held: 0, meaningful: 0 };
}

export function addTo(sums: Sums, part: Part, sign: 1 | -1): void {
  sums.confidence += sign * part.confidence;
  sums.weight += sign * part.weight;
  sums.keys += sign * part.keys;
  sums.changed += sign * part.changed;
  sums.screen += sign * part.screen;
  sums.held += sign * part.held;
  sums.meaningful += sign * part.meaningful;
  sums.kinds[part.kind] += sign * part.amount;
}

/** Everything with one first step. */
export interface Root {
  readonly originScore: number;
  readonly isScreen: boolean;
  /** Its content is live, by its origin. */
  readonly isLive: boolean;
  /** It holds only constants, by its origin. */
  readonly isConstant: boolean;
  leaves: number;
  /** Different second steps. */
  areas: number;
  /** Number of its values on the screen. */
  hits: number;
  /** The best score among its patterns, so far. */
  best: number;
  hasChanged: boolean;
  changedAt: number;
}

/** An object, by the pattern of its path: the number of its names, and whether any of their values changed. */
export interface Parent {
  /** The number of names from which it is a table. */
  readonly limit: number;
  names: number;
  /** The value of its first name. */
  first: Scalar;
  /** Names in capitals, and names that are numbers. */
  capitals: number;
  numbers: number;
  /** Names whose values count from 0 or 1, and those with equal values. */
  counted: number;
  same: number;
  /** One of its values is a timer, a socket or the like. */
  holdsHandle: boolean;
  hasChanged: boolean;
  changedAt: number;
}

/** The patterns with the same first two steps: an object of the app, or an instance made by a library. */
export interface Area {
  patterns: number;
  noise: number;
  changedAt: number;
}

export function newParent(limit: number): Parent {
  return {
    limit,
    names: 0,
    first: null,
    capitals: 0,
    numbers: 0,
    counted: 0,
    same: 0,
    holdsHandle: false,
    hasChanged: false,
    changedAt: 0,
  };
}

export function forgetNames(parent: Parent): void {
  Object.assign(parent, { names: 0, first: null, capitals: 0, numbers: 0, counted: 0, same: 0 });
}

/** This many names of plain values side by side are a written table, not state. */
const TABLE_NAMES = 120;
/** The same for accidental finds: options of a library, a found variable. */
export const SMALL_TABLE = 25;
/** An object with fewer names is judged by each of them alone. */
const SMALL_AREA = 20;
const NOISY = 0.3;
const PROGRAM = 0.8;
const DEEP_ROW = 6;

/** The number of names from which the surrounding object is a table. */
export function tableLimit(steps: readonly string[], { originScore: score }: Root): number {
  return score < WEAK || isOptionsName(steps.at(-2) ?? '') ? SMALL_TABLE : TABLE_NAMES;
}

/** True if it holds state of the app, and is not the screen. */
export function isGood({ originScore: score }: Root): boolean {
  return score >= OWN && score < SCREEN;
}

/** Near the root a list needs no help to be seen, and may be a table of words. */
export function isRow(steps: readonly string[]): boolean {
  return steps.length >= DEEP_ROW && steps.slice(-3).includes('*');
}

/** Variables, objects and locals of a program; stores of pages rank higher. */
export function isOfProgram({ originScore: score }: Root): boolean {
  return score >= OWN && score <= PROGRAM;
}

export function isTable(steps: readonly string[], { names, limit, hasChanged }: Parent): boolean {
  return steps.length > 1 && names >= limit && !hasChanged;
}

/** A variable that holds very many things by name, none of which changes. */
export function isMap({ originScore: score, areas, hasChanged }: Root): boolean {
  return score < WEAK && areas >= SMALL_TABLE && !hasChanged;
}

export function isMostlyNoise({ patterns, noise }: Area): boolean {
  return patterns >= SMALL_AREA && noise >= patterns * NOISY;
}

/** The place of a value that a person would name, of two. Never both. */
export function isBetter(one: Pattern, other: Pattern): boolean {
  if (one.root.originScore !== other.root.originScore) return one.root.originScore > other.root.originScore;
  // Within one root the same value may well be two things.
  if (one.root === other.root) return false;
  return one.steps.length < other.steps.length;
}
