/** Reads data of the app's objects without running any of its code. */
import type { Segment } from '../../../../model/path.ts';
import type { Scalar } from '../../../../model/scalar.ts';
import { WALK_LIMITS } from '../../../insight/walk-rules.ts';
import type { NodeKind } from './classification.ts';

/** The limit for all texts of one report; beyond it only the beginning of each is sent. */
const REPORT_TEXT = 32 * 1024 * 1024;
const SHORT_TEXT = 100;

const { keys: keysOf, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply } = Reflect;
const { entries: entriesOfMap, forEach: mapForEach } = Map.prototype;
const { values: valuesOfSet } = Set.prototype;
const { next: nextEntry } = Object.getPrototypeOf(new Map().entries()) as Iterator<[unknown, unknown]>;
const { next: nextMember } = Object.getPrototypeOf(new Set().values()) as Iterator<unknown>;
/** Methods become functions of their object, because `apply` would allocate a list of arguments. */
const { bind, call } = Function.prototype;
const asFunction = (method: unknown) => apply(bind, call, [method]) as (self: object, key?: unknown) => unknown;
const mapSize = asFunction(getterOf(Map.prototype, 'size'));
const setSize = asFunction(getterOf(Set.prototype, 'size'));
const getFromMap = asFunction(Map.prototype.get);
const isInMap = asFunction(Map.prototype.has);
const hasOwn = asFunction(Object.prototype.hasOwnProperty);
const lookUpGetter = asFunction(Reflect.get(Object.prototype, '__lookupGetter__'));

/** A marker that no app can hold as a value. */
export const ABSENT = Symbol('absent');

/** The value of an own data property; undefined for an accessor, which is never called. */
export function ownValue(target: object, key: string | number): unknown {
  const descriptor = getOwnPropertyDescriptor(target, key);
  return descriptor !== undefined && 'value' in descriptor ? descriptor.value : undefined;
}

/** Reads a property that is known not to be an accessor. */
export function readField(target: object, key: string): unknown {
  return (target as Record<string, unknown>)[key];
}

/** Neither calls the getter nor allocates: this runs for each field of a large state at each pass. */
export function hasGetter(target: object, key: string): boolean {
  return lookUpGetter(target, key) !== undefined;
}

/** True for the same names in the same order. Allocates nothing for plain objects. */
export function hasSameKeys(target: object, keys: readonly Segment[]): boolean {
  // A class may inherit from a Proxy, whose traps would run.
  if (getPrototypeOf(target) !== Object.prototype) return sameKeys(keysOf(target), keys);
  let at = 0;
  for (const key in target) {
    if (key === keys[at]) at++;
    else if (hasOwn(target, key)) return false;
  }
  return at === keys.length;
}

/** The value of a text key, or `ABSENT`. */
export function mapValue(map: Map<unknown, unknown>, key: string): unknown {
  const value = getFromMap(map, key);
  return value === undefined && !isInMap(map, key) ? ABSENT : value;
}

/** The objects that represent entries whose keys are objects: the same object in each capture. */
export class EntryViews {
  private readonly views = new WeakMap<object, { key: object; value: unknown }>();

  of(key: object, value: unknown): object {
    const view = this.views.get(key) ?? { key, value };
    view.value = value;
    this.views.set(key, view);
    return view;
  }
}

/**
 * The first `limit` entries whose key can be written as text, and the total number. Reads no further. With
 * `viewOf`, entries whose keys are objects have indices, and views as values.
 */
export function mapEntries(
  map: Map<unknown, unknown>,
  limit: number,
  reserved: string | null = 'size',
  viewOf: ((key: object, value: unknown) => object) | null = null,
): { keys: Segment[]; values: unknown[]; total: number; leftOut: number; hasTextKeys: boolean } {
  const keys: Segment[] = [];
  const values: unknown[] = [];
  const total = sizeOfMap(map);
  let unnamed = 0;
  let leftOut = 0;
  let seen = 0;
  /** Only keys of different types can have the same text. */
  let used: Set<Segment> | null = null;
  let hasTextKeys = true;
  const take = (value: unknown, key: unknown) => {
    seen++;
    const type = typeof key;
    if (type !== 'string') hasTextKeys = false;
    if (type === 'function' || type === 'symbol') return;
    if (isObject(key)) {
      if (viewOf === null) return;
      keys.push(unnamed++);
      values.push(viewOf(key, value));
      return;
    }
    const name = String(key);
    if (type !== 'string') used ??= new Set(keys);
    // `size` is reserved for the count, and 1 and '1' would be one key.
    if (used?.has(name) || name === reserved) {
      leftOut++;
      return;
    }
    used?.add(name);
    keys.push(name);
    values.push(value);
  };
  if (total <= limit) apply(mapForEach, map, [take]);
  else {
    const entries = apply(entriesOfMap, map, []);
    while (seen < total && keys.length < limit) {
      const { done, value: entry } = apply(nextEntry, entries, []) as IteratorResult<[unknown, unknown]>;
      if (done) break;
      take(entry[1], entry[0]);
    }
  }
  return { keys, values, total, leftOut: leftOut + total - seen, hasTextKeys };
}

export function setValues(set: Set<unknown>, limit: number): { values: unknown[]; total: number } {
  const values: unknown[] = [];
  const total = sizeOfSet(set);
  const members = apply(valuesOfSet, set, []);
  while (values.length < total && values.length < limit) {
    const { done, value } = apply(nextMember, members, []) as IteratorResult<unknown>;
    if (done) break;
    values.push(value);
  }
  return { values, total };
}

export function sizeOfMap(map: Map<unknown, unknown>): number {
  return mapSize(map) as number;
}

function sizeOfSet(set: Set<unknown>): number {
  return setSize(set) as number;
}

function getterOf(prototype: object, name: string): () => unknown {
  return getOwnPropertyDescriptor(prototype, name)?.get ?? (() => 0);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isPrimitiveData(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** True for a small flat object, which is shown at each place that holds it. */
export function isRecord(value: object, kind: NodeKind): boolean {
  if (kind !== 'fields') return false;
  const keys = keysOf(value);
  return keys.length <= WALK_LIMITS.maxFlat && keys.every((key) => !isObject(ownValue(value, key)));
}

export function sameKeys(a: readonly Segment[], b: readonly Segment[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** Writes the values of one report. */
export function createWriter(): (value: unknown) => Scalar {
  let textLeft = REPORT_TEXT;
  return (value) => {
    if (typeof value !== 'string') return toScalar(value);
    const limit = textLeft > 0 ? WALK_LIMITS.maxText : SHORT_TEXT;
    textLeft -= Math.min(value.length, limit);
    return value.length > limit ? `${value.slice(0, limit)}… [${value.length} characters]` : value;
  };
}

function toScalar(value: unknown): Scalar {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  return String(value);
}
