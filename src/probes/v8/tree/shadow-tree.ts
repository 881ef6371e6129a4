/**
 * The agent's memory of what it last saw: a tree beside the app's own objects. A pass walks both together and compares
 * value by value, builds no path and allocates next to nothing while nothing changed; only differences become text.
 * The app's data is read by own data properties alone: no getter, no method, no Proxy trap of the app ever runs. (One
 * exception, for speed: an array element that was data and is redefined as an accessor.)
 */
import type { LeafUpdate } from '../../../model/leaves.ts';
import { formatPath, type Segment } from '../../../model/path.ts';
import type { Classification, NodeKind } from './classification.ts';
import { LeafLog, NOTHING } from './leaf-log.ts';
import { isObject, isPrimitiveData, isRecord, mapEntries, ownValue, sameKeys, setValues } from './own-data.ts';
import {
  type Child,
  childPath,
  countName,
  createPaths,
  indexOf,
  isAncestor,
  segmentAt,
  segmentsOf,
  type TreeNode,
} from './tree-node.ts';

export type { TreeNode } from './tree-node.ts';

const MAX_DEPTH = 32;
/** A longer name is no name but data (a map keyed by texts); its path would be of no use. */
const MAX_NAME = 1000;

const { keys: keysOf, getPrototypeOf } = Object;

/**
 * A field could be redefined as an accessor, which must not run. Up to this many leaves every field is looked at before it
 * is read; in a larger state that look would cost the app more than all the rest, so each object's turn comes in one
 * pass of several, and always when another object stands in its place.
 */
const CAREFUL_LEAVES = 20_000;
const CAREFUL_TURNS = 8;

export interface TreeOptions {
  classify(value: object): Classification;
  maxLeaves: number;
  now(): number;
  /** True for objects that stand for a scope: what they hold is a variable, not a field. */
  isScope(value: object): boolean;
}

export class ShadowTree {
  readonly root: TreeNode;
  /** Objects that hold functions or belong to a class: where actions can be found. Grows and shrinks with the tree. */
  readonly holders = new Set<TreeNode>();
  /** Raised whenever a node comes or goes, or begins to hold functions. */
  structureVersion = 0;
  /** Leaves that a cap left out at the last pass. */
  leftOut = 0;
  private readonly owners = new WeakMap<object, TreeNode>();
  private readonly log: LeafLog;
  private readonly options: TreeOptions;
  /** No single list may fill the whole budget. */
  private readonly maxChildren: number;
  private turn = 0;
  private pending: TreeNode[] = [];
  private nodeCount = 0;
  /** Some object is not shown any more where it was: references to it may be wrong. */
  private ownersMoved = false;

  constructor(root: object, options: TreeOptions) {
    this.options = options;
    this.log = new LeafLog(options.maxLeaves);
    this.maxChildren = Math.max(1, options.maxLeaves >> 1);
    this.root = this.createNode(null, null, 'fields', root);
    this.pending.push(this.root);
  }

  get leafCount(): number {
    return this.log.count;
  }

  /** Compares everything known; new objects are left for `expand`. */
  compare(): void {
    this.leftOut = 0;
    this.turn = (this.turn + 1) % CAREFUL_TURNS;
    if (this.root.keys.length > 0 || this.pending.length === 0) this.compareNode(this.root);
  }

  /** Reads new objects, nearest to the root first, until `deadline` (ms); true when none is left. */
  expand(deadline: number): boolean {
    let done = 0;
    for (;;) {
      if (done === this.pending.length) this.settleReferences();
      const node = this.pending[done];
      if (!node) break;
      done++;
      if (!node.dead) this.compareNode(node);
      if (done % 64 === 0 && this.options.now() > deadline) break;
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
        node.children[indexOf(node, segment)] ?? node.overlay?.children[indexOf(node.overlay, segment)];
      node = typeof child === 'object' ? child : null;
    }
    return node;
  }

  segmentsOf(node: TreeNode): Segment[] {
    return segmentsOf(node);
  }

  /** Everything, newly numbered. */
  takeFull(): Extract<LeafUpdate, { kind: 'full' }> {
    return this.log.takeFull((move) => {
      const walk = (node: TreeNode, path: string): void => {
        if (node.countSlot >= 0) node.countSlot = move(node.countSlot, childPath(path, countName(node)));
        const { children } = node;
        for (let index = 0; index < children.length; index++) {
          const child = children[index] as Child;
          if (child === NOTHING) continue;
          const place = childPath(path, segmentAt(node, index));
          if (typeof child === 'object') walk(child, place);
          else children[index] = move(child, place);
        }
        if (node.overlay) walk(node.overlay, path);
      };
      walk(this.root, '');
    });
  }

  takeUpdate(): LeafUpdate {
    return this.log.isSparse ? this.takeFull() : this.log.takeDelta(createPaths());
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
      countSlot: NOTHING,
      overlay: null,
      dead: false,
      checked: null,
      turn: this.structureVersion % CAREFUL_TURNS,
    };
    if (!this.isShown(target)) this.owners.set(target, node);
    this.nodeCount++;
    this.structureVersion++;
    return node;
  }

  private compareNode(node: TreeNode): void {
    if (node.kind === 'fields') this.compareFields(node);
    else if (node.kind === 'map') this.compareEntries(node);
    else if (node.kind === 'array') this.compareElements(node, node.target as unknown[]);
    else this.compareMembers(node);
    if (node.overlay) this.compareFields(node.overlay);
  }

  private compareFields(node: TreeNode): void {
    const { target } = node;
    // An overlay must not show a name that the object itself has.
    const own = node.key === null ? node.parent?.keys : undefined;
    const keys = own ? keysOf(target).filter((key) => !own.includes(key)) : keysOf(target);
    if (keys.length > this.maxChildren) {
      this.leftOut += keys.length - this.maxChildren;
      keys.length = this.maxChildren;
    }
    if (!sameKeys(keys, node.keys)) this.rekey(node, keys);
    const careful = node.checked !== target || this.log.count < CAREFUL_LEAVES || node.turn === this.turn;
    node.checked = target;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      const isNew = node.children[index] === NOTHING;
      this.compareChild(
        node,
        index,
        careful || isNew ? ownValue(target, key) : (target as Record<string, unknown>)[key],
      );
    }
  }

  private compareEntries(node: TreeNode): void {
    const { keys, values, total, leftOut } = mapEntries(node.target as Map<unknown, unknown>, this.maxChildren);
    this.leftOut += leftOut;
    this.compareCount(node, total);
    if (!sameKeys(keys, node.keys)) this.rekey(node, keys);
    for (let index = 0; index < keys.length; index++) this.compareChild(node, index, values[index]);
  }

  private compareMembers(node: TreeNode): void {
    const { values, total } = setValues(node.target as Set<unknown>, this.maxChildren);
    this.resize(node, total);
    for (let index = 0; index < values.length; index++) this.compareChild(node, index, values[index]);
  }

  private compareElements(node: TreeNode, elements: readonly unknown[]): void {
    this.resize(node, elements.length);
    const { children } = node;
    for (let index = 0; index < children.length; index++) {
      // What was data is read directly, for a look at each descriptor costs more than all the rest.
      const value = children[index] === NOTHING ? ownValue(elements, index) : elements[index];
      this.compareChild(node, index, value);
    }
  }

  private resize(node: TreeNode, count: number): void {
    this.compareCount(node, count);
    const length = Math.min(count, this.maxChildren);
    this.leftOut += count - length;
    const { children } = node;
    for (let index = length; index < children.length; index++) this.drop(children[index] as Child);
    if (children.length > length) children.length = length;
    while (children.length < length) children.push(NOTHING);
  }

  private compareCount(node: TreeNode, count: number): void {
    if (node.countSlot < 0) node.countSlot = this.addLeaf(node, countName(node), count);
    else this.log.set(node.countSlot, count);
  }

  /** Takes over the children of keys that stay, drops the others, reserves places for the new ones. */
  private rekey(node: TreeNode, keys: string[]): void {
    const former = new Map<string, Child>();
    for (const [index, key] of node.keys.entries()) former.set(key, node.children[index] as Child);
    node.children = keys.map((key) => {
      const child = former.get(key) ?? NOTHING;
      former.delete(key);
      return child;
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
    } else if (child === NOTHING) {
      if (value === undefined) return;
    } else if (this.keepLeaf(child, value)) return;
    this.drop(child);
    node.children[index] = this.place(node, segmentAt(node, index), value);
  }

  /** True when the node can stand for this value: the same object, or another one of its kind in its place. */
  private follow(parent: TreeNode, child: TreeNode, value: unknown): boolean {
    if (child.target === value) return true;
    // What the overlay shows is hidden in the one object that it was made for.
    if (child.overlay || !isObject(value) || isAncestor(parent, value)) return false;
    const classified = this.options.classify(value);
    if (!classified || !('expand' in classified) || classified.expand !== child.kind) return false;
    if (getPrototypeOf(value) !== getPrototypeOf(child.target)) return false;
    this.owners.set(value, child);
    child.target = value;
    this.ownersMoved = true;
    return true;
  }

  /** True when the leaf stays a leaf; its value is brought up to date. */
  private keepLeaf(slot: number, value: unknown): boolean {
    const { log } = this;
    if (!isObject(value)) {
      if (log.holds(slot, value) && !log.objects.has(slot)) return true;
      if (!isPrimitiveData(value)) return false;
      log.objects.delete(slot);
      log.set(slot, value);
      return true;
    }
    const known = log.objects.get(slot);
    if (known?.object === value && !known.live) return true;
    const classified = this.options.classify(value);
    if (classified && 'text' in classified) {
      log.objects.set(slot, { object: value, live: classified.live, ref: null });
      log.set(slot, classified.text);
      return true;
    }
    // A reference whose first place is gone becomes the object itself.
    return known?.object === value && classified !== null && this.isRefRight(value, known.ref?.owner);
  }

  /** Makes room for a value that was not there before. */
  private place(node: TreeNode, key: Segment, value: unknown): Child {
    if (typeof value === 'function') {
      if (!this.holders.has(node)) this.structureVersion++;
      this.holders.add(node);
      return NOTHING;
    }
    if (!isPrimitiveData(value)) return NOTHING;
    if (typeof key === 'string' && key.length > MAX_NAME) {
      this.leftOut++;
      return NOTHING;
    }
    if (!isObject(value)) return this.addLeaf(node, key, value);
    const classified = this.options.classify(value);
    if (!classified) return NOTHING;
    if ('text' in classified) return this.addObjectLeaf(node, key, classified.text, value, classified.live);
    if (this.log.isFull || this.nodeCount >= this.options.maxLeaves) {
      this.leftOut++;
      return NOTHING;
    }
    if (node.depth >= MAX_DEPTH) return this.addObjectLeaf(node, key, '[deeper levels are not read]', value, false);
    const cyclic = isAncestor(node, value);
    const owner = this.isShown(value) ? this.owners.get(value) : undefined;
    // Two variables of one name or another for the same object (an import, an export): one of them says it all.
    const isVariable = this.options.isScope(node.target);
    if (isVariable && owner?.parent && this.options.isScope(owner.parent.target)) return NOTHING;
    if (cyclic || (owner && !isRecord(value, classified.expand)))
      return !cyclic && isVariable ? NOTHING : this.addReference(node, key, value);
    const created = this.createNode(node, key, classified.expand, value);
    if (classified.expand === 'fields' && getPrototypeOf(value) !== Object.prototype) this.holders.add(created);
    this.pending.push(created);
    return created;
  }

  private isShown(value: object): boolean {
    const owner = this.owners.get(value);
    return owner !== undefined && !owner.dead && owner.target === value;
  }

  private isRefRight(value: object, owner: TreeNode | undefined): boolean {
    return this.isShown(value) && this.owners.get(value) === owner;
  }

  /** An object can move while a pass is on its way: references are looked at again when it is through. */
  private settleReferences(): void {
    if (!this.ownersMoved) return;
    this.ownersMoved = false;
    for (const { object, ref } of [...this.log.objects.values()]) {
      if (!ref || ref.node.dead || this.isRefRight(object, ref.owner)) continue;
      const index = indexOf(ref.node, ref.key);
      if (index >= 0) this.compareChild(ref.node, index, object);
    }
  }

  private addLeaf(node: TreeNode, key: Segment, value: unknown): number {
    const slot = this.log.add(node, key, value);
    if (slot === NOTHING) this.leftOut++;
    return slot;
  }

  private addObjectLeaf(node: TreeNode, key: Segment, text: string, object: object, live: boolean): number {
    const slot = this.addLeaf(node, key, text);
    if (slot >= 0) this.log.objects.set(slot, { object, live, ref: null });
    return slot;
  }

  private addReference(node: TreeNode, key: Segment, object: object): number {
    const owner = this.owners.get(object);
    const slot = this.addLeaf(node, key, `[ref] ${owner ? formatPath(segmentsOf(owner)) : ''}`);
    if (slot >= 0) this.log.objects.set(slot, { object, live: true, ref: { node, key, owner } });
    return slot;
  }

  private drop(child: Child): void {
    if (typeof child === 'number') {
      this.log.remove(child);
      return;
    }
    child.dead = true;
    this.holders.delete(child);
    this.nodeCount--;
    this.structureVersion++;
    this.ownersMoved = true;
    if (this.owners.get(child.target) === child) this.owners.delete(child.target);
    this.log.remove(child.countSlot);
    for (const grandchild of child.children) this.drop(grandchild);
    if (child.overlay) this.drop(child.overlay);
  }
}
