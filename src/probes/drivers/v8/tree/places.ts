/** The places of the app's objects in the tree, and the leaves and references that represent the others. */
import { formatPath, joinPath, type Segment } from '../../../../model/path.ts';
import { WALK_LIMITS } from '../../../insight/walk-rules.ts';
import type { NodeKind } from './classification.ts';
import { LeafLog, NOTHING } from './leaf-log.ts';
import { isObject, isPrimitiveData, isRecord } from './own-data.ts';
import { type Child, countName, isAncestor, segmentsOf, type TreeNode } from './tree-node.ts';
import type { TreeOptions } from './tree-options.ts';

/** The number of passes in which every object is checked carefully once. */
export const CAREFUL_TURNS = 8;

/** Children of one object that are read at first; more follow when everything else was read and there is room. */
export const FIRST_CHILDREN = 100;

const { getPrototypeOf } = Object;

export class Places {
  readonly log: LeafLog;
  /** Objects that hold functions or belong to a class. */
  readonly holders = new Set<TreeNode>();
  /** Objects that were not read completely. */
  readonly cut = new Set<TreeNode>();
  structureVersion = 0;
  leftOut = 0;
  /** Some object is no longer shown at its place, so references to it may be wrong. */
  ownersMoved = false;
  private readonly owners = new WeakMap<object, TreeNode>();
  private readonly options: TreeOptions;
  /** Called for each object that is to be read. */
  private readonly onNew: (node: TreeNode) => void;
  private nodeCount = 0;

  constructor(options: TreeOptions, onNew: (node: TreeNode) => void) {
    this.options = options;
    this.log = new LeafLog(options.maxLeaves);
    this.onNew = onNew;
  }

  createNode(parent: TreeNode | null, key: Segment | null, kind: NodeKind, target: object, source: unknown): TreeNode {
    const depth = parent ? parent.depth + 1 : 0;
    const stable = parent?.stable || (depth === 1 && this.options.isStable?.(String(key)) === true);
    const guarded = parent?.guarded || (depth === 1 && this.options.isGuarded?.(String(key)) === true);
    const node: TreeNode = {
      parent,
      key,
      kind,
      depth,
      target,
      source,
      stable,
      guarded,
      limit: FIRST_CHILDREN,
      unread: true,
      restUntil: 0,
      leftOut: 0,
      keys: [],
      children: [],
      size: -1,
      countSlot: NOTHING,
      views: null,
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

  /** Omitted leaves are counted anew at each pass. */
  settleCount(node: TreeNode): void {
    this.leftOut -= node.leftOut;
    node.leftOut = 0;
  }

  leaveOut(node: TreeNode, count: number): void {
    node.leftOut += count;
    this.leftOut += count;
  }

  compareCount(node: TreeNode, count: number): void {
    if (node.countSlot < 0) node.countSlot = this.addLeaf(node, countName(node), count);
    else this.log.set(node.countSlot, count);
  }

  /** True if the node can represent this value: the same object, or another one of its kind in its place. */
  follow(parent: TreeNode, child: TreeNode, value: unknown): boolean {
    if (child.target === value) return true;
    // The variables of the overlay belong to the one object that it was made for.
    if (child.overlay || !isObject(value) || isAncestor(parent, value)) return false;
    const classified = this.options.classify(value);
    if (!classified || !('expand' in classified) || classified.expand !== child.kind) return false;
    if (getPrototypeOf(value) !== getPrototypeOf(child.target)) return false;
    this.owners.set(value, child);
    child.target = value;
    this.ownersMoved = true;
    return true;
  }

  /** True if the leaf stays a leaf; its value is updated. */
  keepLeaf(slot: number, value: unknown): boolean {
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

  /** Creates a place for a new value. */
  place(node: TreeNode, key: Segment, value: unknown, source: unknown): Child {
    if (typeof value === 'function') {
      if (!this.holders.has(node)) this.structureVersion++;
      this.holders.add(node);
      return NOTHING;
    }
    if (!isPrimitiveData(value)) return NOTHING;
    if (typeof key === 'string' && key.length > WALK_LIMITS.maxKey) {
      this.leaveOut(node, 1);
      return NOTHING;
    }
    if (!isObject(value)) return this.addLeaf(node, key, value);
    const classified = this.options.classify(value);
    if (!classified) return NOTHING;
    if ('text' in classified) return this.addObjectLeaf(node, key, classified.text, value, classified.live);
    if (this.log.isFull || this.nodeCount >= this.options.maxLeaves) {
      this.leaveOut(node, 1);
      return NOTHING;
    }
    if (node.depth >= WALK_LIMITS.maxDepth)
      return this.addObjectLeaf(node, key, '[deeper levels are not read]', value, false);
    const cyclic = isAncestor(node, value);
    const owner = this.isShown(value) ? this.owners.get(value) : undefined;
    // Two variables for the same object (an import, an export): one of them is enough.
    const isVariable = this.options.isScope(node.target);
    if (isVariable && owner?.parent && this.options.isScope(owner.parent.target)) return NOTHING;
    if (isVariable && owner && this.options.variablesHideKnown) return NOTHING;
    if (cyclic || (owner && !isRecord(value, classified.expand)))
      return !cyclic && isVariable ? NOTHING : this.addReference(node, key, value);
    const created = this.createNode(node, key, classified.expand, value, source);
    if (classified.expand === 'fields' && getPrototypeOf(value) !== Object.prototype) this.holders.add(created);
    this.onNew(created);
    return created;
  }

  isShown(value: object): boolean {
    const owner = this.owners.get(value);
    return owner !== undefined && !owner.dead && owner.target === value;
  }

  isRefRight(value: object, owner: TreeNode | undefined): boolean {
    return this.isShown(value) && this.owners.get(value) === owner;
  }

  private addLeaf(node: TreeNode, key: Segment, value: unknown): number {
    const slot = this.log.add(node, key, value);
    if (slot === NOTHING) this.leaveOut(node, 1);
    return slot;
  }

  private addObjectLeaf(node: TreeNode, key: Segment, text: string, object: object, live: boolean): number {
    const slot = this.addLeaf(node, key, text);
    if (slot >= 0) this.log.objects.set(slot, { object, live, ref: null });
    return slot;
  }

  private addReference(node: TreeNode, key: Segment, object: object): number {
    const owner = this.owners.get(object);
    const slot = this.addLeaf(node, key, `[ref] ${owner ? this.shownPath(owner) : ''}`);
    if (slot >= 0) this.log.objects.set(slot, { object, live: true, ref: { node, key, owner } });
    return slot;
  }

  private shownPath(node: TreeNode): string {
    const segments = segmentsOf(node);
    const label = segments.length === 0 ? undefined : this.options.labelOf?.(String(segments[0]));
    return label === undefined ? formatPath(segments) : segments.slice(1).reduce<string>(joinPath, label);
  }

  drop(child: Child): void {
    if (typeof child === 'number') {
      this.log.remove(child);
      return;
    }
    child.dead = true;
    this.holders.delete(child);
    this.cut.delete(child);
    this.nodeCount--;
    this.leftOut -= child.leftOut;
    this.structureVersion++;
    this.ownersMoved = true;
    if (this.owners.get(child.target) === child) this.owners.delete(child.target);
    this.log.remove(child.countSlot);
    for (const grandchild of child.children) this.drop(grandchild);
    if (child.overlay) this.drop(child.overlay);
  }
}
