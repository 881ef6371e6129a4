/** The kind of value of a pattern: data of the app, or constants of its code. */
import type { Scalar } from '../../model/scalar.ts';
import { isPresentation } from './evidence.ts';
import { isGood, isMostlyNoise, isTable, type Kind, type Parent, type Pattern } from './places.ts';
import { isNoise, WEAK } from './score.ts';

/** Fewer may be alike by chance. */
const FEW_CAPITALS = 3;
const FEW_COUNTED = 4;
const FEW_SAME = 8;
/** Regular expressions in code. */
const REGEXP = /^\/(?:[\^[(\\]|.*[$\])+*]\/).*\/[dgimsuvy]*$/s;
/** The agents' notation for live objects that cannot be read: an object that holds one is live, too. */
const HANDLE =
  /^\[(?:Timeout|Immediate|Server|Socket|TLSSocket|WebSocket|WebSocketServer|EventEmitter|ChildProcess|Worker|FSWatcher|ReadStream|WriteStream|Agent|Interface|Promise|AbortController)\]$/;
/** Names of one letter, except for coordinates, come from a minifier. */
const SHORT_NAME = /^[a-wA-W$_]$/;

/** The weight of all names of a table together. */
const TABLE_WEIGHT = 3;
/** The maximal weight of a long list, in elements. */
const MAX_WEIGHT = 20;
/** Confidences are summed up in whole numbers. */
export const MILLION = 1_000_000;

export function kindOf(pattern: Pattern, isShown: boolean, isOnScreen: boolean): Kind {
  const { root, parent, area, hasChanged } = pattern;
  if (pattern.isOpaque) return 'opaque';
  if (root.isScreen) return 'live';
  if (isMostlyNoise(area) || pattern.isInternal) return 'internal';
  const isSeen = hasChanged || isOnScreen;
  // Internals of a page's libraries say nothing about the page.
  if (!isSeen && isConstant(pattern)) return root.originScore < WEAK ? 'internal' : 'constant';
  if (!isShown) return 'internal';
  return isSeen || root.isLive || parent.holdsHandle ? 'live' : 'plain';
}

/** A name of a library or a minifier: its neighbours are probably the same. */
export function saysNothing(step: string, at: number): boolean {
  return isNoise(step) || (step.length === 1 && at > 0 && SHORT_NAME.test(step));
}

/** As long as it has not changed. */
function isConstant({
  isReported,
  isPaired,
  isNamedConstant,
  isOwnName,
  root,
  parent,
  steps,
  sample,
}: Pattern): boolean {
  if (isReported || isPaired || isNamedConstant || isOwnName || root.isConstant) return true;
  if (isTable(steps, parent) || isWrittenDown(parent)) return true;
  return sample?.startsWith('/') === true && REGEXP.test(sample);
}

/** `{ DEBUG: 5, INFO: 7, WARN: 9 }`, `{ invalid: 0, call: 1, error: 2, signal: 3 }`, `{ y: true, b: true, … }` */
export function isWrittenDown({ names, capitals, counted, same, hasChanged }: Parent): boolean {
  if (hasChanged) return false;
  return (
    (names >= FEW_CAPITALS && capitals === names) ||
    (names >= FEW_COUNTED && counted === names) ||
    (names >= FEW_SAME && same === names)
  );
}

/** Adds a name of an object, with its first value. */
export function noteName(parent: Parent, name: string, value: Scalar): void {
  if (parent.names === 0) parent.first = value;
  // In this order, because most names are neither.
  if (isUpper(name) && /^[A-Z][A-Z\d_]+$/.test(name)) parent.capitals++;
  else if (isNumber(name)) parent.numbers++;
  if ((parent.first === 0 || parent.first === 1) && value === parent.first + parent.names) parent.counted++;
  if (value === true || value === 1) parent.same++;
  parent.names++;
}

/** The contribution of a pattern to the sums. `score` is null if it is not shown. */
export function measure(pattern: Pattern, kind: Kind, score: number | null): void {
  const { count, root, parent, part } = pattern;
  const isOwn = kind === 'live' || kind === 'plain';
  // Constants say nothing about the app, however certain their names are.
  const weight = kind === 'constant' ? 0 : (score ?? 0) * Math.min(count, MAX_WEIGHT);
  part.keys = score === null ? 0 : count;
  part.weight = weight;
  part.confidence = (weight * pattern.confidence) / count / MILLION;
  part.kind = kind;
  // A table is one thing, however long it is.
  part.amount = isOwn ? weight : root.originScore * Math.min(1, TABLE_WEIGHT / parent.names);
  part.changed = kind === 'live' && pattern.hasChanged ? weight : 0;
  part.screen = root.isScreen ? weight : 0;
  part.held = isOwn && isGood(root) ? weight : 0;
  part.meaningful = isOwn && saysSomething(pattern) ? weight : 0;
}

/** Not `null`, `0`, `""`, `[ref] a.b`, `[Socket]`, nor the length of a list. */
function saysSomething({ hasValue, hasChanged, sample, steps }: Pattern): boolean {
  if (hasChanged) return true;
  return hasValue && steps.at(-1) !== 'length' && !(typeof sample === 'string' && isPresentation(sample));
}

export function isHandle(value: Scalar): boolean {
  return typeof value === 'string' && value.startsWith('[') && HANDLE.test(value);
}

/** The other half of an entry of an enumeration: `X["0"] = "A"` and `X.A = 0`. Null if it is none. */
export function otherHalf(name: string, value: Scalar): { readonly name: string; readonly value: Scalar } | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { name: String(value), value: name };
  if (typeof value === 'string' && isNumber(name)) return { name: value, value: Number(name) };
  return null;
}

const isNumber = (name: string) => name.charCodeAt(0) <= NINE && /^-?\d{1,15}$/.test(name);
const isUpper = (name: string) => name.charCodeAt(0) <= LAST_CAPITAL;
const NINE = 0x39;
const LAST_CAPITAL = 0x5a;
