/**
 * The agent's memory of what it last saw: a tree beside the app's own objects. A pass walks both together and compares
 * value by value, builds no path and allocates next to nothing while nothing changed; only differences become text.
 * The app's data is read by own data properties alone: no getter, no method, no Proxy trap of the app ever runs.
 */
import type { LeafUpdate } from '../../../model/leaves.ts';
import { joinPath, type Segment } from '../../../model/path.ts';
import type { Scalar } from '../../../model/scalar.ts';
import type { Classification, NodeKind } from './classify.ts';

const MAX_DEPTH = 32;
const MAX_TEXT = 4096;
/** An object met a second time is shown again only if it is a small record; else a reference stands in its place. */
const MAX_RECORD_KEYS = 24;

/** Not readable as data (accessor), and not looked at again while the object keeps its keys. */
const ACCESSOR = -1;
/** Nothing to show now (undefined, a function, over the cap); looked at again at each pass. */
const NOTHING = -2;
type Child = TreeNode | number;

const { keys: keysOf, getOwnPropertyDescriptor, is } = Object;
const { apply } = Reflect;
const mapForEach = Map.prototype.forEach;
const setForEach = Set.prototype.forEach;

export interface TreeNode {
  readonly parent: TreeNode | null;
  /** null: stands for its parent (variables of a closure, shown as if they were fields). */
  readonly key: Segment | null;
  readonly kind: NodeKind;
  readonly depth: number;
  target: object;
  keys: string[];
  children: Child[];
  /** Slot of `.length` or `.size`. */
  countSlot: number;
  overlay: TreeNode | null;
  dead: boolean;
}

export interface TreeOptions {
  classify(value: object): Classification;
  maxLeaves: number;
  /** True for objects that stand for a scope: what they hold is a variable, not a field. */
  isScope(value: object): boolean;
}

export class ShadowTree {
  readonly root: TreeNode;
  /** Objects that hold functions or belong to a class: where actions can be found. Grows and shrinks with the tree. */
  readonly holders = new Set<TreeNode>();
  /** Raised whenever a node comes or goes. */
  structureVersion = 0;
  /** Leaves that a cap left out at the last pass. */
  leftOut = 0;
  leafCount = 0;
  private readonly owners = new WeakMap<object, TreeNode>();
  private pending: TreeNode[] = [];
  private seen: unknown[] = [];
  /** For leaves that stand for an object: which one, and whether its text can change by itself. */
  private leafObjects = new Map<number, { object: object; live: boolean }>();
  private nextSlot = 0;
  private sentSlots = 0;
  private changed: number[] = [];
  private removed: number[] = [];
  private added = new Map<number, { node: TreeNode; key: Segment }>();
  private readonly options: TreeOptions;

  constructor(root: object, options: TreeOptions) {
    this.options = options;
    this.root = this.createNode(null, null, 'fields', root);
    this.pending.push(this.root);
  }

  /** Compares everything known; new objects are left for `expand`. */
  compare(): void {
    this.leftOut = 0;
    if (this.root.keys.length > 0 || this.pending.length === 0) this.compareNode(this.root);
  }

  /** Reads new objects, nearest to the root first, until `deadline` (ms); true when none is left. */
  expand(deadline: number): boolean {
    let done = 0;
    while (done < this.pending.length) {
      const node = this.pending[done++] as TreeNode;
      if (!node.dead) this.compareNode(node);
      if (done % 64 === 0 && performance.now() > deadline) break;
    }
    this.pending = done < this.pending.length ? this.pending.slice(done) : [];
    return this.pending.length === 0;
  }

  /** Shows `variables` as if they were fields of this node's object. */
  setOverlay(node: TreeNode, variables: object): void {
    if (node.overlay || node.dead) return;
    node.overlay = this.createNode(node, null, 'fields', variables);
    this.pending.push(node.overlay);
  }

  /** The node below `node` by these segments, if it is still there. */
  find(segments: readonly Segment[]): TreeNode | null {
    let node: TreeNode | null = this.root;
    for (const segment of segments) {
      if (!node) return null;
      const child: Child | undefined =
        this.childAt(node, segment) ?? (node.overlay ? this.childAt(node.overlay, segment) : undefined);
      node = typeof child === 'object' ? child : null;
    }
    return node;
  }

  segmentsOf(node: TreeNode): Segment[] {
    const segments: Segment[] = [];
    for (let at: TreeNode | null = node; at; at = at.parent) if (at.key !== null) segments.unshift(at.key);
    return segments;
  }

  /** Everything, newly numbered. */
  takeFull(): Extract<LeafUpdate, { kind: 'full' }> {
    const paths: string[] = [];
    const values: Scalar[] = [];
    const seen: unknown[] = [];
    const leafObjects = new Map<number, { object: object; live: boolean }>();
    const renumber = (slot: number, path: string): number => {
      const number = paths.length;
      const object = this.leafObjects.get(slot);
      if (object) leafObjects.set(number, object);
      seen.push(this.seen[slot]);
      values.push(toScalar(this.seen[slot]));
      paths.push(path);
      return number;
    };
    const walk = (node: TreeNode, path: string): void => {
      if (node.countSlot >= 0) node.countSlot = renumber(node.countSlot, joinPath(path, countName(node)));
      node.children.forEach((child, index) => {
        if (child === ACCESSOR || child === NOTHING) return;
        const childPath = joinPath(path, segmentAt(node, index));
        if (typeof child === 'object') walk(child, childPath);
        else node.children[index] = renumber(child, childPath);
      });
      if (node.overlay) walk(node.overlay, path);
    };
    walk(this.root, '');
    this.seen = seen;
    this.leafObjects = leafObjects;
    this.nextSlot = paths.length;
    this.forgetChanges();
    return { kind: 'full', paths, values };
  }

  takeUpdate(): LeafUpdate {
    // Slots are never reused; when most are empty a new numbering costs less than carrying them along.
    if (this.nextSlot > 2 * this.leafCount + 10_000) return this.takeFull();
    if (this.changed.length + this.removed.length + this.added.size === 0) return { kind: 'same' };
    const paths = new Map<TreeNode, string>();
    const pathOf = (node: TreeNode): string => {
      if (!node.parent) return '';
      let path = paths.get(node);
      if (path === undefined) {
        path = node.key === null ? pathOf(node.parent) : joinPath(pathOf(node.parent), node.key);
        paths.set(node, path);
      }
      return path;
    };
    const update: LeafUpdate = {
      kind: 'delta',
      changed: this.changed
        .filter((slot) => slot in this.seen && !this.added.has(slot))
        .map((slot) => [slot, toScalar(this.seen[slot])] as const),
      added: [...this.added].map(
        ([slot, { node, key }]) => [slot, joinPath(pathOf(node), key), toScalar(this.seen[slot])] as const,
      ),
      removed: this.removed,
    };
    this.forgetChanges();
    return update;
  }

  private forgetChanges(): void {
    this.sentSlots = this.nextSlot;
    this.changed = [];
    this.removed = [];
    this.added = new Map();
  }

  private createNode(parent: TreeNode | null, key: Segment | null, kind: NodeKind, target: object): TreeNode {
    const depth = parent ? parent.depth + 1 : 0;
    const node: TreeNode = {
      parent,
      key,
      kind,
      depth,
      target,
      keys: [],
      children: [],
      countSlot: -1,
      overlay: null,
      dead: false,
    };
    if (!this.owners.has(target)) this.owners.set(target, node);
    this.structureVersion++;
    return node;
  }

  private compareNode(node: TreeNode): void {
    if (node.kind === 'fields') this.compareFields(node);
    else if (node.kind === 'array') this.compareElements(node, node.target as unknown[]);
    else if (node.kind === 'set') this.compareElements(node, setValues(node.target as Set<unknown>));
    else this.compareEntries(node);
    if (node.overlay) this.compareFields(node.overlay);
  }

  private compareFields(node: TreeNode): void {
    const target = node.target as Record<string, unknown>;
    const keys = keysOf(target);
    if (!sameKeys(keys, node.keys)) this.rekey(node, keys, target);
    const { children } = node;
    for (let index = 0; index < keys.length; index++) {
      if (children[index] !== ACCESSOR) this.compareChild(node, index, target[keys[index] as string]);
    }
  }

  private compareEntries(node: TreeNode): void {
    const entries = mapEntries(node.target as Map<unknown, unknown>);
    this.compareCount(node, entries.total);
    if (!sameKeys(entries.keys, node.keys)) this.rekey(node, entries.keys, null);
    for (let index = 0; index < entries.keys.length; index++) this.compareChild(node, index, entries.values[index]);
  }

  private compareElements(node: TreeNode, elements: readonly unknown[]): void {
    this.compareCount(node, elements.length);
    // No single list may fill the whole budget.
    const limit = Math.max(1, this.options.maxLeaves >> 1);
    const length = Math.min(elements.length, limit);
    this.leftOut += elements.length - length;
    const { children } = node;
    for (let index = length; index < children.length; index++) this.drop(children[index] as Child);
    if (children.length > length) children.length = length;
    while (children.length < length) children.push(NOTHING);
    for (let index = 0; index < length; index++) this.compareChild(node, index, elements[index]);
  }

  private compareCount(node: TreeNode, count: number): void {
    if (node.countSlot < 0) node.countSlot = this.addLeaf(node, countName(node), count);
    else this.setLeaf(node.countSlot, count);
  }

  /** Takes over the children of keys that stay, drops the others, reserves places for the new ones. */
  private rekey(node: TreeNode, keys: string[], target: object | null): void {
    const former = new Map<string, Child>();
    for (const [index, key] of node.keys.entries()) former.set(key, node.children[index] as Child);
    node.children = keys.map((key) => {
      const child = former.get(key);
      former.delete(key);
      if (child !== undefined && child !== ACCESSOR) return child;
      return target && !isDataProperty(target, key) ? ACCESSOR : NOTHING;
    });
    for (const child of former.values()) this.drop(child);
    node.keys = keys;
  }

  private compareChild(node: TreeNode, index: number, value: unknown): void {
    const child = node.children[index] as Child;
    if (typeof child === 'object') {
      if (this.follow(node, child, value)) {
        this.compareNode(child);
        return;
      }
    } else if (child >= 0) {
      if (this.keepLeaf(child, value)) return;
    } else if (child === ACCESSOR || value === undefined) return;
    this.drop(child);
    node.children[index] = this.place(node, segmentAt(node, index), value);
  }

  /** True when the node can stand for this value: the same object, or another one of its kind in its place. */
  private follow(parent: TreeNode, child: TreeNode, value: unknown): boolean {
    if (child.target === value) return true;
    if (!isObject(value) || this.isAncestor(parent, value)) return false;
    const classified = this.options.classify(value);
    if (!classified || !('expand' in classified) || classified.expand !== child.kind) return false;
    this.owners.set(value, child);
    child.target = value;
    return true;
  }

  /** True when the leaf stays a leaf; its value is brought up to date. */
  private keepLeaf(slot: number, value: unknown): boolean {
    if (!isObject(value)) {
      if (is(value, this.seen[slot])) return true;
      if (!isPrimitiveData(value)) return false;
      this.leafObjects.delete(slot);
      this.setLeaf(slot, value);
      return true;
    }
    const known = this.leafObjects.get(slot);
    if (known?.object === value && !known.live) return true;
    const classified = this.options.classify(value);
    if (classified && 'text' in classified) {
      this.leafObjects.set(slot, { object: value, live: classified.live });
      this.setLeaf(slot, classified.text);
      return true;
    }
    // A reference whose first place is gone becomes the object itself.
    return known?.object === value && classified !== null && this.isShownElsewhere(value);
  }

  /** Makes room for a value that was not there before. */
  private place(node: TreeNode, key: Segment, value: unknown): Child {
    if (typeof value === 'function') {
      this.holders.add(node);
      return NOTHING;
    }
    if (!isObject(value)) return isPrimitiveData(value) ? this.addLeaf(node, key, value) : NOTHING;
    const classified = this.options.classify(value);
    if (!classified) return NOTHING;
    if ('text' in classified) return this.addObjectLeaf(node, key, classified.text, value, classified.live);
    if (this.leafCount >= this.options.maxLeaves) {
      this.leftOut++;
      return NOTHING;
    }
    if (node.depth >= MAX_DEPTH) return this.addObjectLeaf(node, key, '[deeper levels are not read]', value, false);
    const cyclic = this.isAncestor(node, value);
    const owner = this.isShownElsewhere(value) ? this.owners.get(value) : undefined;
    // Two variables of one name or another for the same object (an import, an export): one of them says it all.
    const isVariable = this.options.isScope(node.target);
    if (isVariable && owner?.parent && this.options.isScope(owner.parent.target)) return NOTHING;
    if (cyclic || (owner && !isRecord(value, classified.expand))) {
      if (!cyclic && isVariable) return NOTHING;
      return this.addObjectLeaf(
        node,
        key,
        `[ref] ${owner ? this.segmentsOf(owner).reduce<string>(joinPath, '') : ''}`,
        value,
        true,
      );
    }
    const created = this.createNode(node, key, classified.expand, value);
    if (classified.expand === 'fields' && Object.getPrototypeOf(value) !== Object.prototype) this.holders.add(created);
    this.pending.push(created);
    return created;
  }

  private isAncestor(node: TreeNode, value: object): boolean {
    for (let at: TreeNode | null = node; at; at = at.parent) if (at.target === value) return true;
    return false;
  }

  private isShownElsewhere(value: object): boolean {
    const owner = this.owners.get(value);
    return owner !== undefined && !owner.dead && owner.target === value;
  }

  private addLeaf(node: TreeNode, key: Segment, value: unknown): number {
    if (this.leafCount >= this.options.maxLeaves) {
      this.leftOut++;
      return NOTHING;
    }
    const slot = this.nextSlot++;
    this.seen[slot] = value;
    this.added.set(slot, { node, key });
    this.leafCount++;
    return slot;
  }

  private addObjectLeaf(node: TreeNode, key: Segment, text: string, object: object, live: boolean): number {
    const slot = this.addLeaf(node, key, text);
    if (slot >= 0) this.leafObjects.set(slot, { object, live });
    return slot;
  }

  private setLeaf(slot: number, value: unknown): void {
    if (is(this.seen[slot], value)) return;
    this.seen[slot] = value;
    this.changed.push(slot);
  }

  private drop(child: Child): void {
    if (typeof child === 'number') {
      if (child < 0) return;
      this.leafObjects.delete(child);
      delete this.seen[child];
      this.leafCount--;
      if (!this.added.delete(child) && child < this.sentSlots) this.removed.push(child);
      return;
    }
    child.dead = true;
    this.holders.delete(child);
    this.structureVersion++;
    if (this.owners.get(child.target) === child) this.owners.delete(child.target);
    this.drop(child.countSlot);
    for (const grandchild of child.children) this.drop(grandchild);
    if (child.overlay) this.drop(child.overlay);
  }

  private childAt(node: TreeNode, segment: Segment): Child | undefined {
    if (typeof segment === 'number')
      return node.kind === 'array' || node.kind === 'set' ? node.children[segment] : undefined;
    const index = node.keys.indexOf(segment);
    return index < 0 ? undefined : node.children[index];
  }
}

function segmentAt(node: TreeNode, index: number): Segment {
  return node.kind === 'array' || node.kind === 'set' ? index : (node.keys[index] as string);
}

function countName(node: TreeNode): string {
  return node.kind === 'array' ? 'length' : 'size';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPrimitiveData(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function isDataProperty(target: object, key: string): boolean {
  const descriptor = getOwnPropertyDescriptor(target, key);
  return descriptor !== undefined && 'value' in descriptor;
}

/** Small and flat: worth showing at each place that holds it. */
function isRecord(value: object, kind: NodeKind): boolean {
  if (kind !== 'fields') return false;
  const keys = keysOf(value);
  return keys.length <= MAX_RECORD_KEYS && keys.every((key) => !isObject(getOwnPropertyDescriptor(value, key)?.value));
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

/** Entries whose key can be written as text; others are counted but have no path. */
function mapEntries(map: Map<unknown, unknown>): { keys: string[]; values: unknown[]; total: number } {
  const keys: string[] = [];
  const values: unknown[] = [];
  const used = new Set<string>();
  let total = 0;
  apply(mapForEach, map, [
    (value: unknown, key: unknown) => {
      total++;
      const type = typeof key;
      if (type === 'object' || type === 'function' || type === 'symbol') return;
      const name = String(key);
      if (used.has(name)) return;
      used.add(name);
      keys.push(name);
      values.push(value);
    },
  ]);
  return { keys, values, total };
}

function setValues(set: Set<unknown>): unknown[] {
  const values: unknown[] = [];
  apply(setForEach, set, [(value: unknown) => values.push(value)]);
  return values;
}

function toScalar(value: unknown): Scalar {
  if (typeof value === 'string') {
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}… [${value.length} characters]` : value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'boolean' || value === null) return value;
  return String(value);
}
