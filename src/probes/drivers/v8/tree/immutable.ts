/**
 * Reads structures of Immutable.js as the data that they represent: by their fields, which are the same in versions 3,
 * 4 and 5. None of its functions is called.
 */
import type { NodeKind } from './classification.ts';
import { isObject, ownValue } from './own-data.ts';

export interface Decoded {
  readonly view: object;
  /** The kind of the view; absent if its type decides. */
  readonly kind?: NodeKind;
}

export interface ImmutableOptions {
  /** Proxies are not read. */
  isProxy?(value: object): boolean;
  /** Only the beginning of longer structures is read. */
  readonly limit?: number;
}

const MARKS = {
  collection: ['@@__IMMUTABLE_ITERABLE__@@', '@@__IMMUTABLE_COLLECTION__@@'],
  keyed: ['@@__IMMUTABLE_KEYED__@@'],
  record: ['@@__IMMUTABLE_RECORD__@@'],
  lazy: ['@@__IMMUTABLE_SEQ__@@'],
} as const;

/** Longer chains do not occur. */
const MAX_PROTOTYPES = 16;
/** Maps and lists are trees of 32 branches: 32 bits of a hash or an index give no more levels than this. */
const MAX_LEVELS = 8;
const BITS = 5;
const BRANCHES = 1 << BITS;
const MAX_RECORD_NAMES = 64;

const { getPrototypeOf } = Object;
const { apply } = Reflect;
const hasOwn = Object.prototype.hasOwnProperty;

type Visit = (item: unknown, key: unknown) => void;

/** Null if it is no structure of Immutable.js. Its values are unchanged; nested structures are decoded in turn. */
export function decodeImmutable(value: object, options: ImmutableOptions = {}): Decoded | null {
  return new Reader(options).decode(value);
}

class Reader {
  private readonly isProxy: (value: object) => boolean;
  private left: number;

  constructor({ isProxy = () => false, limit = Number.POSITIVE_INFINITY }: ImmutableOptions) {
    this.isProxy = isProxy;
    this.left = limit;
  }

  decode(value: object): Decoded | null {
    const isRecord = this.isMarked(value, 'record');
    // Reading a lazy sequence runs functions of the app.
    if (!isRecord && (!this.isMarked(value, 'collection') || this.isMarked(value, 'lazy'))) return null;
    const names = this.inherited(value, '_keys');
    if (Array.isArray(names) && !this.isProxy(names)) return this.decodeRecord(value, names);
    if (isRecord) return null;
    if (this.isMarked(value, 'keyed')) {
      const entries = new Map<unknown, unknown>();
      if (!this.entries(value, (item, key) => entries.set(key, item))) return null;
      // Names of fields look like names; a map with ids also shows its size.
      const isOfNames = entries.size > 0 && entries.size <= MAX_RECORD_NAMES && [...entries.keys()].every(isFieldName);
      return isOfNames ? { view: entries, kind: 'record' } : { view: entries };
    }
    const items: unknown[] = [];
    return this.items(value, (item) => items.push(item)) ? { view: items } : null;
  }

  /** Values that were set are in a list (version 4 and newer) or a map; the others are those of its class. */
  private decodeRecord(value: object, names: readonly unknown[]): Decoded | null {
    const inList = this.field(value, '_values');
    const inMap = this.field(value, '_map');
    const defaults = this.inherited(value, '_defaultValues');
    const list: unknown[] = [];
    const map = new Map<unknown, unknown>();
    const isRead = isObject(inList)
      ? this.items(inList, (item) => list.push(item))
      : !isObject(inMap) || this.entries(inMap, (item, key) => map.set(key, item));
    if (!isRead) return null;
    const view = new Map<unknown, unknown>();
    for (const [at, name] of names.entries()) {
      const item = isObject(inList) ? list[at] : map.get(name);
      view.set(name, item === undefined && typeof name === 'string' ? this.field(defaults, name) : item);
    }
    return { view, kind: 'record' };
  }

  /** False if it is no known map. */
  private entries(map: object, visit: Visit): boolean {
    // An ordered map is a list of its entries, and a map of their positions in it.
    const list = this.field(map, '_list');
    if (isObject(list)) return this.items(list, (entry) => this.entry(entry, visit));
    const root = this.field(map, '_root');
    if (root === undefined && !this.has(map, '_root')) return false;
    this.branch(root, MAX_LEVELS, visit);
    return true;
  }

  private branch(node: unknown, levels: number, visit: Visit): void {
    if (!isObject(node) || levels === 0 || this.left <= 0) return;
    this.entry(this.field(node, 'entry'), visit);
    for (const entry of this.elements(node, 'entries')) this.entry(entry, visit);
    for (const inner of this.elements(node, 'nodes')) this.branch(inner, levels - 1, visit);
  }

  private entry(entry: unknown, visit: Visit): void {
    if (!Array.isArray(entry) || this.isProxy(entry) || this.left-- <= 0) return;
    visit(ownValue(entry, 1), ownValue(entry, 0));
  }

  private items(value: object, visit: (item: unknown) => void): boolean {
    // A set is a map from each of its members to something.
    const map = this.field(value, '_map');
    if (isObject(map)) return this.entries(map, (_, key) => visit(key));
    if (this.has(value, '_head')) return this.stack(value, visit);
    const [from, to, level] = ['_origin', '_capacity', '_level'].map((name) => this.field(value, name));
    if (typeof from !== 'number' || typeof to !== 'number' || typeof level !== 'number') return false;
    const tailAt = to < BRANCHES ? 0 : ((to - 1) >>> BITS) << BITS;
    for (let at = from; at < to && this.left > 0; ) {
      const leaf = at >= tailAt ? this.field(value, '_tail') : this.leaf(this.field(value, '_root'), level, at);
      const array = this.field(leaf, 'array');
      // All elements of one leaf array.
      for (const end = Math.min(to, (at | (BRANCHES - 1)) + 1); at < end && this.left-- > 0; at++)
        visit(Array.isArray(array) && !this.isProxy(array) ? ownValue(array, at & (BRANCHES - 1)) : undefined);
    }
    return true;
  }

  private leaf(root: unknown, level: number, index: number): unknown {
    let node = root;
    for (let shift = Math.min(level, BITS * MAX_LEVELS); shift > 0; shift -= BITS) {
      const array = this.field(node, 'array');
      node = Array.isArray(array) ? this.field(array, (index >>> shift) & (BRANCHES - 1)) : undefined;
    }
    return node;
  }

  private stack(value: object, visit: (item: unknown) => void): boolean {
    for (let at = this.field(value, '_head'); isObject(at) && this.left-- > 0; at = this.field(at, 'next'))
      visit(this.field(at, 'value'));
    return true;
  }

  private *elements(node: object, name: string): Generator<unknown> {
    const list = this.field(node, name);
    if (!Array.isArray(list) || this.isProxy(list)) return;
    for (let at = 0; at < list.length && this.left > 0; at++) yield ownValue(list, at);
  }

  private isMarked(value: object, mark: keyof typeof MARKS): boolean {
    return MARKS[mark].some((name) => Boolean(this.inherited(value, name)));
  }

  private has(value: object, name: string): boolean {
    return !this.isProxy(value) && apply(hasOwn, value, [name]);
  }

  private field(value: unknown, name: string | number): unknown {
    return isObject(value) && !this.isProxy(value) ? ownValue(value, name) : undefined;
  }

  private inherited(value: object, name: string): unknown {
    let at: object | null = value;
    for (let depth = 0; at !== null && depth < MAX_PROTOTYPES && !this.isProxy(at); depth++) {
      if (apply(hasOwn, at, [name])) return ownValue(at, name);
      at = getPrototypeOf(at);
    }
    return undefined;
  }
}

function isFieldName(key: unknown): boolean {
  return typeof key === 'string' && /^[A-Za-z_$][\w$]{0,40}$/.test(key);
}
