/** Reads what objects of the app hold without running any of its code. */
import type { Scalar } from '../../../model/scalar.ts';
import type { NodeKind } from './classification.ts';

const MAX_TEXT = 4096;
/** All texts of one report together; when it is used up only the beginning of each is sent. */
const REPORT_TEXT = 32 * 1024 * 1024;
const SHORT_TEXT = 100;
/** An object met a second time is shown again only if it is a small record; else a reference stands in its place. */
const MAX_RECORD_KEYS = 24;

const { keys: keysOf, getOwnPropertyDescriptor } = Object;
const { apply } = Reflect;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

/** What an own data property holds; undefined for an accessor, which is never called. */
export function ownValue(target: object, key: string | number): unknown {
  const descriptor = getOwnPropertyDescriptor(target, key);
  return descriptor !== undefined && 'value' in descriptor ? descriptor.value : undefined;
}

/** The first `limit` entries whose key can be written as text; others are counted but have no path. */
export function mapEntries(
  map: Map<unknown, unknown>,
  limit: number,
  reserved: string | null = 'size',
): { keys: string[]; values: unknown[]; total: number; leftOut: number } {
  const keys: string[] = [];
  const values: unknown[] = [];
  const used = new Set<string>();
  let total = 0;
  let leftOut = 0;
  apply(mapForEach, map, [
    (value: unknown, key: unknown) => {
      total++;
      const type = typeof key;
      if (type === 'object' || type === 'function' || type === 'symbol') return;
      if (keys.length >= limit) {
        leftOut++;
        return;
      }
      const name = String(key);
      // `size` is the place of the count, and 1 and '1' would be one key.
      if (used.has(name) || name === reserved) {
        leftOut++;
        return;
      }
      used.add(name);
      keys.push(name);
      values.push(value);
    },
  ]);
  return { keys, values, total, leftOut };
}

export function setValues(set: Set<unknown>, limit: number): { values: unknown[]; total: number } {
  const values: unknown[] = [];
  let total = 0;
  apply(setForEach, set, [
    (value: unknown) => {
      if (total++ < limit) values.push(value);
    },
  ]);
  return { values, total };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isPrimitiveData(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** Small and flat: worth showing at each place that holds it. */
export function isRecord(value: object, kind: NodeKind): boolean {
  if (kind !== 'fields') return false;
  const keys = keysOf(value);
  return keys.length <= MAX_RECORD_KEYS && keys.every((key) => !isObject(ownValue(value, key)));
}

export function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** How the values of one report are written. */
export function createWriter(): (value: unknown) => Scalar {
  let textLeft = REPORT_TEXT;
  return (value) => {
    if (typeof value !== 'string') return toScalar(value);
    const limit = textLeft > 0 ? MAX_TEXT : SHORT_TEXT;
    textLeft -= Math.min(value.length, limit);
    return value.length > limit ? `${value.slice(0, limit)}… [${value.length} characters]` : value;
  };
}

function toScalar(value: unknown): Scalar {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  return String(value);
}
