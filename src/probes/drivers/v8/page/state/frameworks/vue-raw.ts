/** The objects behind Vue's reactive Proxies and refs. Reads Vue's own marks, which no tracking notices. */
import { attempt, dataOf, isObject } from '../safe.ts';

/** In flags of a computed value: its dependencies changed since it was computed. */
const DIRTY = 16;

/** The object behind a reactive Proxy; other values are returned unchanged. */
export function rawOf(value: unknown): unknown {
  let raw = value;
  for (let depth = 0; depth < 4 && isObject(raw); depth++) {
    const holder = raw;
    const inner = attempt(() => (holder as { __v_raw?: unknown }).__v_raw);
    if (!isObject(inner)) return raw;
    raw = inner;
  }
  return raw;
}

/** The value of a ref; undefined for an outdated computed value, since updating it runs the app. */
export function refValue(ref: object): unknown {
  const isComputed =
    dataOf(ref, 'fn') !== undefined || dataOf(ref, 'effect') !== undefined || dataOf(ref, 'getter') !== undefined;
  if (isComputed) return isFresh(ref) ? rawOf(dataOf(ref, '_value')) : undefined;
  const raw = dataOf(ref, '_rawValue');
  if (raw !== undefined) return rawOf(raw);
  const value = dataOf(ref, '_value');
  if (value !== undefined) return rawOf(value);
  // `toRef(object, key)` keeps both.
  const target = rawOf(dataOf(ref, '_object'));
  const key = dataOf(ref, '_key');
  return isObject(target) && typeof key === 'string' ? rawOf(dataOf(target, key)) : undefined;
}

function isFresh(computed: object): boolean {
  const flags = dataOf(computed, 'flags');
  // Without subscribers it is not notified of changes.
  if (typeof flags === 'number') return (flags & DIRTY) === 0 && isObject(dataOf(dataOf(computed, 'dep'), 'subs'));
  const dirtyLevel = dataOf(dataOf(computed, 'effect'), '_dirtyLevel');
  if (typeof dirtyLevel === 'number') return dirtyLevel === 0;
  return dataOf(computed, '_dirty') === false;
}
