/** Where a pattern stands, and what that says of it: its root, the object around it, and the area of both. */
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
  /** The probe says that it is a constant. */
  readonly isReported: boolean;
  /** One half of an entry of an enumeration, whose other half is there, too. */
  isPaired: boolean;
  hasValue: boolean;
  /** What its first leaf held, and whether any other held something else. */
  first: Scalar | undefined;
  isVaried: boolean;
  wasThere: boolean;
  count: number;
  /** Of all its keys, in millionths: whole numbers, so that adding and taking away again leaves nothing behind. */
  confidence: number;
  hasChanged: boolean;
  wasShown: boolean;
  wasHidden: boolean;
  /** One of its values, to be looked for on the screen and at other places. */
  sample: string | null;
  score: number;
  /** Of which time the score is. */
  scoredAt: number;
  /** What it adds to the sums of all. */
  readonly part: Part;
}

/**
 * What a pattern holds. `live`: it was seen to change, is on the screen, or is held by what lives: a store, a bean, a
 * thread. `plain`: a value of the program of which that is not known. `internal`: a library keeps it for itself.
 */
export type Kind = 'live' | 'plain' | 'constant' | 'internal' | 'opaque';

export interface Sums {
  confidence: number;
  weight: number;
  keys: number;
  /** How much there is of each kind. */
  readonly kinds: Record<Kind, number>;
  /** Of what is live: what was seen to change, and what a screen shows. */
  changed: number;
  screen: number;
  /** What is held where apps hold their state: in stores, variables of programs, beans. */
  held: number;
  /** Of the program's own, what says something: neither empty nor the name of something that is not read. */
  telling: number;
}

/** What one pattern adds to them. Flat: there may be very many. */
export interface Part {
  confidence: number;
  weight: number;
  keys: number;
  kind: Kind;
  amount: number;
  changed: number;
  screen: number;
  held: number;
  telling: number;
}

export function noSums(): Sums {
  const kinds = { live: 0, plain: 0, constant: 0, internal: 0, opaque: 0 };
  return { confidence: 0, weight: 0, keys: 0, changed: 0, screen: 0, held: 0, telling: 0, kinds };
}

export function noPart(): Part {
  return { confidence: 0, weight: 0, keys: 0, kind: 'plain', amount: 0, changed: 0, screen: 0, held: 0, telling: 0 };
}

export function addTo(sums: Sums, part: Part, sign: 1 | -1): void {
  sums.confidence += sign * part.confidence;
  sums.weight += sign * part.weight;
  sums.keys += sign * part.keys;
  sums.changed += sign * part.changed;
  sums.screen += sign * part.screen;
  sums.held += sign * part.held;
  sums.telling += sign * part.telling;
  sums.kinds[part.kind] += sign * part.amount;
}

/** All that begins with one first step. */
export interface Root {
  readonly originScore: number;
  readonly isScreen: boolean;
  /** What is below it lives, by where it comes from. */
  readonly isLive: boolean;
  /** It holds constants alone, by where it comes from. */
  readonly isConstant: boolean;
  leaves: number;
  /** Different second steps. */
  areas: number;
  /** Values of it that stand on the screen. */
  hits: number;
  /** The best score among its patterns, so far. */
  best: number;
  hasChanged: boolean;
  changedAt: number;
}

/** An object, by the pattern of its path: how many names it has, and whether any of their values changed. */
export interface Parent {
  /** From so many names on it is a table. */
  readonly limit: number;
  names: number;
  /** The value of its first name. */
  first: Scalar;
  /** Names of it that are written in capitals, and those that are numbers. */
  capitals: number;
  numbers: number;
  /** Names whose values count from 0 or 1, and those that are set. */
  counted: number;
  same: number;
  /** One of its values is a timer, a socket or the like. */
  holdsHandle: boolean;
  hasChanged: boolean;
  changedAt: number;
}

/** What has the first two steps in common: an object of the app, or an instance of something that a library made. */
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

/** So many names of plain values beside each other are a table that somebody wrote, not the state of something. */
const TABLE_NAMES = 120;
/** The same of what nobody meant to show: options of a library, a variable that was found. */
export const SMALL_TABLE = 25;
/** An object with fewer names is judged by each of them alone. */
const SMALL_AREA = 20;
const NOISY = 0.3;
const PROGRAM = 0.8;
const DEEP_ROW = 6;

/** From how many names on the object around this one is a table. */
export function tableLimit(steps: readonly string[], { originScore: score }: Root): number {
  return score < WEAK || isOptionsName(steps.at(-2) ?? '') ? SMALL_TABLE : TABLE_NAMES;
}

/** It holds state of the app, and is not the screen. */
export function isGood({ originScore: score }: Root): boolean {
  return score >= OWN && score < SCREEN;
}

/** Near the root a list needs no help to be seen, and may be a table of words. */
export function isRow(steps: readonly string[]): boolean {
  return steps.length >= DEEP_ROW && steps.slice(-3).includes('*');
}

/** Variables, objects and locals of a program; stores of pages are more than that. */
export function isOfProgram({ originScore: score }: Root): boolean {
  return score >= OWN && score <= PROGRAM;
}

export function isTable(steps: readonly string[], { names, limit, hasChanged }: Parent): boolean {
  return steps.length > 1 && names >= limit && !hasChanged;
}

/** A variable that holds very many things by name, of which none changes. */
export function isMap({ originScore: score, areas, hasChanged }: Root): boolean {
  return score < WEAK && areas >= SMALL_TABLE && !hasChanged;
}

export function isMostlyNoise({ patterns, noise }: Area): boolean {
  return patterns >= SMALL_AREA && noise >= patterns * NOISY;
}

/** Of two places of one value, the one that a person would name. Never both. */
export function isBetter(one: Pattern, other: Pattern): boolean {
  if (one.root.originScore !== other.root.originScore) return one.root.originScore > other.root.originScore;
  // Within one root the same value may well be two things.
  if (one.root === other.root) return false;
  return one.steps.length < other.steps.length;
}
