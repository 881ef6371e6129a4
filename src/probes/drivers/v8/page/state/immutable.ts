/** Structures of Immutable.js, read as the data that they stand for. */
import type { NodeKind } from '../../tree/classification.ts';
import { dataOf, isFunction } from './safe.ts';

export interface Decoded {
  readonly view: object;
  /** How to read the view; without it as what it is. */
  readonly kind?: NodeKind;
}

const MARKS = {
  collection: ['@@__IMMUTABLE_ITERABLE__@@', '@@__IMMUTABLE_COLLECTION__@@'],
  keyed: ['@@__IMMUTABLE_KEYED__@@'],
  record: ['@@__IMMUTABLE_RECORD__@@'],
  indexed: ['@@__IMMUTABLE_INDEXED__@@'],
  lazy: ['@@__IMMUTABLE_SEQ__@@'],
} as const;

/** Null: no structure of Immutable.js. Its values are as they are; those that are structures are decoded in their turn. */
export function decodeImmutable(value: object): Decoded | null {
  if (isMarked(value, 'record')) return decodeRecord(value);
  // To read a lazy sequence runs functions of the app.
  if (!isMarked(value, 'collection') || isMarked(value, 'lazy')) return null;
  const forEach = dataOf(value, 'forEach') ?? dataOf(value, '__iterate');
  if (!isFunction(forEach)) return null;
  if (isMarked(value, 'keyed')) {
    const entries = new Map<unknown, unknown>();
    each(value, forEach, (item, key) => entries.set(key, item));
    // Names of fields look like names; a map by ids shows how many there are.
    const isRecord = entries.size > 0 && entries.size <= 64 && [...entries.keys()].every(isFieldName);
    return isRecord ? { view: entries, kind: 'record' } : { view: entries };
  }
  const items: unknown[] = [];
  each(value, forEach, (item) => items.push(item));
  return { view: items };
}

function decodeRecord(value: object): Decoded | null {
  const names = dataOf(value, '_keys');
  const values = dataOf(value, '_values');
  // Version 4 and newer: a list of names on the prototype, and a List of the values that were set.
  if (Array.isArray(names)) {
    const get = dataOf(value, 'get');
    if (!isFunction(get)) return null;
    const view = new Map<unknown, unknown>();
    for (const name of names) view.set(name, Reflect.apply(get, value, [name]));
    return { view, kind: 'record' };
  }
  const map = values ?? dataOf(value, '_map');
  return typeof map === 'object' && map !== null ? decodeImmutable(map) : null;
}

function each(
  value: object,
  forEach: (...args: unknown[]) => unknown,
  visit: (item: unknown, key: unknown) => void,
): void {
  Reflect.apply(forEach, value, [
    (item: unknown, key: unknown) => {
      visit(item, key);
    },
  ]);
}

function isMarked(value: object, mark: keyof typeof MARKS): boolean {
  return MARKS[mark].some((name) => Boolean(dataOf(value, name)));
}

function isFieldName(key: unknown): boolean {
  return typeof key === 'string' && /^[A-Za-z_$][\w$]{0,40}$/.test(key);
}
