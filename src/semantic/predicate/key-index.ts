import { seekNearest } from '../../model/nearest.ts';
import { joinPath, type Segment } from '../../model/path.ts';
import type { StateView } from './state-view.ts';
import type { Steps } from './steps.ts';
import { type Reader, StateObject, type Value } from './value.ts';

/**
 * The keys as a tree. A branch sorts its keys by their next segment on its first use, so that the cost is that of the
 * visited places, not of parsing every key.
 */
export class KeyIndex {
  readonly keys: readonly string[];
  readonly root: StateBranch;
  private readonly knownNearest = new Map<string, string[]>();

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.root = new StateBranch('', [...keys]);
  }

  /**
   * In steps, because there may be very many keys. Cached, because a predicate that waits for a key is evaluated at
   * each poll.
   */
  *seekNearest(wanted: string, more: readonly string[]): Steps<readonly string[]> {
    const known = this.knownNearest.get(wanted);
    if (known !== undefined) return known;
    const names = yield* seekNearest(wanted, more.length === 0 ? this.keys : [...more, ...this.keys]);
    if (this.knownNearest.size >= MAX_REMEMBERED) this.knownNearest.clear();
    this.knownNearest.set(wanted, names);
    return names;
  }

  /** Sorts the keys along a path, in steps. Other branches are sorted on use. */
  *preparing(path: readonly Segment[]): Steps<void> {
    let branch: StateBranch | undefined = this.root;
    for (const segment of path) {
      if (!branch.isExpanded) yield* branch.expanding();
      branch = branch.child(String(segment));
      if (branch === undefined) return;
    }
    if (!branch.isExpanded) yield* branch.expanding();
  }
}

const MAX_REMEMBERED = 50;
const KEYS_BETWEEN_PAUSES = 256;

const indices = new WeakMap<StateView, { version: number; index: KeyIndex }>();

export function keyIndexOf(view: StateView): KeyIndex {
  const known = indices.get(view);
  if (known !== undefined && known.version === view.keySetVersion) return known.index;
  const index = new KeyIndex(Array.from(view.keys()));
  indices.set(view, { version: view.keySetVersion, index });
  return index;
}

/** A copy of a view, with its index: it does not follow later changes of the app. */
export function heldView(view: StateView): StateView {
  const index = keyIndexOf(view);
  const values = new Map(index.keys.map((key) => [key, view.get(key)]));
  const { keySetVersion, context } = view;
  const held: StateView = { get: (key) => values.get(key), keys: () => index.keys, keySetVersion, context };
  indices.set(held, { version: keySetVersion, index });
  return held;
}

/** One segment of a key: the syntax of `parsePath`, from the middle of a key. */
const SEGMENT = /(?:^|\.)([A-Za-z_$][\w$]*)|\[(0|[1-9]\d{0,8})\]|\[("(?:[^"\\]|\\.)*")\]/y;
const DOT = 0x2e;
const BRACKET = 0x5b;

/** There are as many branches as keys, so fields that most of them never need are created late. */
class StateBranch extends StateObject {
  readonly path: string;
  /** True if the path is itself a key. Its value then hides everything below, since a scalar has no properties. */
  isKey = false;
  /** The keys below, until they are sorted into children. */
  private keys: string[] | null;
  private children: Map<string, StateBranch> | null = null;
  /** The children that are array elements, at their index; sparse when the probe left elements out. */
  private elements: StateBranch[] | null = null;
  private knownNames: readonly string[] | null = null;

  constructor(path: string, keys: string[] | null) {
    super();
    this.path = path;
    this.keys = keys;
  }

  get isExpanded(): boolean {
    return this.children !== null;
  }

  child(name: string): StateBranch | undefined {
    return this.expanded().get(name);
  }

  /** At or below it. */
  firstKeys(limit: number): string[] {
    const found = this.isKey ? [this.path] : [];
    if (this.keys !== null) return [...found, ...this.keys.slice(0, limit - found.length)];
    for (const child of this.children?.values() ?? []) {
      if (found.length >= limit) break;
      found.push(...child.firstKeys(limit - found.length));
    }
    return found;
  }

  value(run: Reader): Value {
    if (!this.isKey) return this;
    const value = run.view.get(this.path);
    if (value !== undefined) run.noteRead(this.path, value);
    return value;
  }

  override read(run: Reader, name: string): Value {
    const child = this.child(name);
    if (child !== undefined) return child.value(run);
    if (name === 'length' && this.isArray(run)) return this.arrayLength(run);
    if (!run.missingIsFull) run.noteMissing(joinPath(this.path, /^\d{1,9}$/.test(name) ? Number(name) : name));
    return undefined;
  }

  override has(run: Reader, name: string): boolean {
    return this.child(name) !== undefined || (name === 'length' && this.isArray(run));
  }

  override names(run: Reader): readonly string[] {
    const children = this.expanded();
    run.produceElements(children.size);
    this.knownNames ??= [...children.keys()];
    return this.knownNames;
  }

  /** With elements, or only with a length: probes report an empty array like that. */
  override isArray(run: Reader): boolean {
    const children = this.expanded();
    return this.elements !== null || (children.size === 1 && this.explicitLength(run) !== null);
  }

  override arrayLength(run: Reader): number {
    return this.explicitLength(run) ?? this.elementCount;
  }

  override knownLength(run: Reader): number {
    const length = this.arrayLength(run);
    const known = this.elementCount;
    if (known < length) run.partialArray ??= { path: this.path, known, length };
    return known;
  }

  override element(run: Reader, index: number): Value {
    return this.elements?.[index]?.value(run);
  }

  private get elementCount(): number {
    return this.elements?.length ?? 0;
  }

  private addKey(key: string): void {
    if (this.keys === null) this.keys = [key];
    else this.keys.push(key);
  }

  private explicitLength(run: Reader): number | null {
    const child = this.child('length');
    const value = child?.isKey === true ? run.view.get(child.path) : undefined;
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
  }

  private expanded(): Map<string, StateBranch> {
    if (this.children === null) for (const _ of this.expanding());
    return this.children ?? new Map();
  }

  /** Another evaluation may do the same meanwhile: the first to finish wins. */
  *expanding(): Steps<void> {
    if (this.children !== null) return;
    const children = new Map<string, StateBranch>();
    const elements: StateBranch[] = [];
    let last: StateBranch | null = null;
    let looked = 0;
    for (const key of this.keys ?? []) {
      if (++looked % KEYS_BETWEEN_PAUSES === 0) yield;
      if (this.children !== null) return;
      // Neighbouring keys mostly share their next segment.
      last = last !== null && isAtOrBelow(key, last.path) ? last : this.place(key, children, elements);
      if (last === null) continue;
      if (key.length === last.path.length) last.isKey = true;
      else last.addKey(key);
    }
    this.children = children;
    if (elements.length > 0) this.elements = elements;
    this.keys = null;
  }

  /** The child for `key`; null for a key that is no path, which is only reachable by its exact name. */
  private place(key: string, children: Map<string, StateBranch>, elements: StateBranch[]): StateBranch | null {
    SEGMENT.lastIndex = this.path.length;
    const match = SEGMENT.exec(key);
    const end = SEGMENT.lastIndex;
    if (match === null || !isBoundary(key, end)) return null;
    const name = match[1] ?? match[2] ?? unquote(match[3] ?? '');
    if (name === null) return null;
    const known = children.get(name);
    // `a[0]` and `a["0"]` side by side: one of them is only reachable by its exact name.
    if (known !== undefined) return known.path.length === end ? known : null;
    const child = new StateBranch(key.slice(0, end), null);
    children.set(name, child);
    if (match[2] !== undefined) elements[Number(match[2])] = child;
    return child;
  }
}

function isAtOrBelow(key: string, path: string): boolean {
  return key.startsWith(path) && isBoundary(key, path.length);
}

function isBoundary(key: string, at: number): boolean {
  if (at === key.length) return true;
  const code = key.charCodeAt(at);
  return code === DOT || code === BRACKET;
}

function unquote(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    // Not a quoted name: nothing has this key.
    return null;
  }
}
