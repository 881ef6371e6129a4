/**
 * The agent's memory of the last state: a tree beside the app's own objects. A pass walks both together and compares
 * value by value; it builds no path and allocates next to nothing while nothing changed, so only differences become
 * text. The app's data is read by own data properties only: no getter, no method, no Proxy trap of the app ever runs.
 * (One exception, for speed: an array element that was data and is redefined as an accessor.)
 */
import type { LeafUpdate } from '../../../../model/leaves.ts';
import type { Segment } from '../../../../model/path.ts';
import { type FullUpdate, NOTHING } from './leaf-log.ts';
import { numberLeaves } from './number-leaves.ts';
import {
  ABSENT,
  hasGetter,
  hasSameKeys,
  isObject,
  mapEntries,
  mapValue,
  ownValue,
  readField,
  sameKeys,
  setValues,
  sizeOfMap,
} from './own-data.ts';
import { CAREFUL_TURNS, FIRST_CHILDREN, Places } from './places.ts';
import { ScopeSteps } from './scope-steps.ts';
import { Sweeper } from './sweeper.ts';
import { type Child, createPaths, indexOf, segmentAt, segmentsOf, type TreeNode, viewOf } from './tree-node.ts';
import type { TreeOptions } from './tree-options.ts';

export type { TreeNode } from './tree-node.ts';
export type { TreeOptions } from './tree-options.ts';

const { keys: keysOf } = Object;

/**
 * A field could be redefined as an accessor, which must not run. Up to this many leaves every field is checked before
 * it is read; in a larger state that check would cost the app more than all the rest, so each object is checked in one
 * pass of several, and always when another object has taken its place.
 */
const CAREFUL_LEAVES = 20_000;
/** From this many omitted children on, the time for listing all is measured. */
const HEAVY = 2000;
/** Children of one new object that are read without checking the clock. */
const PART = 512;
/** The assumed number for an unknown object. */
const USUAL_LEAVES = 4;
/** How much more of a long object is read if there is room. */
const GROWTH = 10;
/** The share of the room that long objects may fill; the rest is for later objects, since those change. */
const FILLED = 0.75;

interface Part {
  readonly node: TreeNode;
  readonly values: readonly unknown[] | null;
  at: number;
  tookMs: number;
}

export class ShadowTree {
  readonly root: TreeNode;
  private readonly sweeper = new Sweeper((node) => this.compareNode(node));
  private readonly steps: ScopeSteps;
  private readonly places: Places;
  private readonly options: TreeOptions;
  /** No single list may fill the whole budget. */
  private readonly maxChildren: number;
  private turn = 0;
  private pass = 0;
  private lastKeys: string[] = [];
  private pending: TreeNode[] = [];
  /** Number of those that are read. */
  private done = 0;
  /** Long objects that were read before and are compared in parts. */
  private stale: TreeNode[] = [];
  /** The long object that is being read, and the position. */
  private part: Part | null = null;

  constructor(root: object, options: TreeOptions) {
    this.options = options;
    this.places = new Places(options, (node) => this.pending.push(node));
    this.steps = new ScopeSteps({
      layOut: (node) => this.layOut(node),
      compareNode: (node) => this.compareNode(node),
      compareChildren: (node, from, to) => this.compareChildren(node, from, to),
      isScope: options.isScope,
    });
    this.maxChildren = Math.max(1, options.maxLeaves >> 1);
    this.root = this.places.createNode(null, null, 'fields', root, root);
    // All roots are shown, however many there are.
    this.root.limit = this.maxChildren;
    this.root.unread = false;
  }

  /** Objects that hold functions or belong to a class, where actions can be found. Updated with the tree. */
  get holders(): ReadonlySet<TreeNode> {
    return this.places.holders;
  }

  /** Raised whenever a node is added or removed, or begins to hold functions. */
  get structureVersion(): number {
    return this.places.structureVersion;
  }

  /** Leaves omitted by a cap. */
  get leftOut(): number {
    return this.places.leftOut;
  }

  /** Objects that were found but not read yet. */
  get waiting(): number {
    return this.pending.length - this.done;
  }

  get leafCount(): number {
    return this.places.log.count;
  }

  /** Compares everything known except long objects: those and new ones are left for `expand`. */
  compare(): void {
    this.beginPass();
    this.compareNode(this.root);
  }

  /** Like `compare`; yields between two variables. After a pause each variable is of its own moment. */
  *compareInSteps(): Generator<void, void, void> {
    this.beginPass();
    yield* this.steps.compare(this.root);
  }

  private beginPass(): void {
    this.pass++;
    this.steps.beginPass();
    this.turn = this.pass % CAREFUL_TURNS;
  }

  /** Creates places for new roots, without checking the others. */
  placeRoots(): void {
    const keys = keysOf(this.root.target);
    if (!sameKeys(keys, this.root.keys)) this.rekey(this.root, keys);
    for (let index = 0; index < keys.length; index++)
      if (this.root.children[index] === NOTHING)
        this.compareChild(this.root, index, ownValue(this.root.target, keys[index] as string));
  }

  /** Retries objects that must not be read yet, and variables with a new value; yields from time to time. */
  lookAgain(): Generator<void, void, void> {
    return this.steps.lookAgain(this.root);
  }

  /** True if this object is shown at some place. */
  shows(object: object): boolean {
    return this.places.isShown(object);
  }

  /** True if something is shown below the root of this name. */
  showsRoot(name: string): boolean {
    return (this.root.children[indexOf(this.root, name)] ?? NOTHING) !== NOTHING;
  }

  /**
   * Checks, until `deadline`, the next objects in turn that `compare` skips as parts of stable roots: an app may break
   * its store's rule and change one in place.
   */
  sweep(deadline: number): void {
    this.sweeper.run(this.root, deadline, this.options.now);
  }

  /** Compares long objects, reads new ones, nearest to the root first, until `deadline`; returns true at the end. */
  expand(deadline: number): boolean {
    for (let node = this.stale[0]; node; node = this.stale[0]) {
      if (node.dead || node.unread || this.readPart(node)) this.stale.shift();
      if (this.options.now() > deadline) return false;
    }
    for (;;) {
      if (this.waiting === 0) {
        this.settleReferences();
        if (this.waiting === 0) this.readMore();
      }
      const node = this.pending[this.done];
      if (!node) break;
      const isThrough = node.dead || this.readNext(node);
      if (isThrough) this.done++;
      if ((this.done % 64 === 0 || !isThrough) && this.options.now() > deadline) break;
    }
    this.pending = this.pending.slice(this.done);
    this.done = 0;
    return this.pending.length === 0;
  }

  /** Everything is read, but only the beginning of long objects: reads more of them if there is room. */
  private readMore(): void {
    const { cut } = this.places;
    for (const node of cut) {
      if (this.room(FILLED) <= 0) return;
      cut.delete(node);
      if (node.limit < this.maxChildren) this.pending.push(node);
    }
  }

  /** Reads a new object, a long one in parts; returns false if there is more of it. */
  private readNext(node: TreeNode): boolean {
    if (this.part?.node !== node) {
      // It was read before: now there is room for more of it.
      if (!node.unread) node.limit *= GROWTH;
      node.unread = true;
    }
    const share = node.limit > FIRST_CHILDREN ? FILLED : 1;
    // At least some, since an object without leaves takes no room.
    const count = Math.max(FIRST_CHILDREN, Math.ceil(this.room(share) / USUAL_LEAVES));
    if (!this.readPart(node, Math.min(PART, count))) {
      if (this.part && this.room(share) > 0) return false;
      if (this.part) this.cutOff(node, this.part.at);
      this.part = null;
    }
    node.unread = false;
    return true;
  }

  /** Returns true after its last part. */
  private readPart(node: TreeNode, count = PART): boolean {
    const start = this.options.now();
    if (this.part?.node !== node) this.part = { node, values: this.layOut(node), at: 0, tookMs: 0 };
    const { part } = this;
    const end = Math.min(part.at + count, node.children.length);
    this.compareSome(node, part.values, part.at, end);
    part.at = end;
    part.tookMs += this.options.now() - start;
    if (end < node.children.length) return false;
    this.part = null;
    // A short one takes long only on a busy machine.
    if (node.children.length > PART) this.noteTime(node, part.tookMs);
    if (node.overlay) this.compareNode(node.overlay);
    return true;
  }

  /** Shows `variables` as if they were fields of this node's object. */
  setOverlay(node: TreeNode, variables: object): void {
    if (node.overlay || node.dead) return;
    node.overlay = this.places.createNode(node, null, 'fields', variables, variables);
    this.pending.push(node.overlay);
  }

  /** The node at these segments, if it still exists. */
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

  /** Everything, renumbered. */
  takeFull(): FullUpdate {
    const pieces = this.takeFullInPieces();
    for (;;) {
      const piece = pieces.next();
      if (piece.done) return piece.value;
    }
  }

  /** Like `takeFull`; yields from time to time. The tree must not be used otherwise until it is done. */
  *takeFullInPieces(): Generator<void, FullUpdate, void> {
    const table = this.places.log.beginFull();
    yield* numberLeaves(this.root, table.move);
    return table.finish();
  }

  takeUpdate(): LeafUpdate {
    return this.places.log.needsFull ? this.takeFull() : this.places.log.takeDelta(createPaths());
  }

  private compareNode(node: TreeNode): void {
    if (node.unread) return;
    if (node.children.length > PART) {
      if (!this.stale.includes(node)) this.stale.push(node);
      return;
    }
    if (node.leftOut < HEAVY) {
      this.compareAll(node);
      return;
    }
    const start = this.options.now();
    this.compareAll(node);
    this.noteTime(node, this.options.now() - start);
  }

  private noteTime(node: TreeNode, ms: number): void {
    const { restMs } = this.options;
    if (restMs !== undefined) node.restUntil = this.pass + Math.floor(ms / restMs);
  }

  private compareAll(node: TreeNode): void {
    const values = this.layOut(node);
    this.compareSome(node, values, 0, node.children.length);
    if (node.overlay) this.compareNode(node.overlay);
  }

  /** Creates a place for each child. Returns all values of a Map or Set, which cannot be indexed; otherwise null. */
  private layOut(node: TreeNode): readonly unknown[] | null {
    this.places.settleCount(node);
    if (node.kind === 'fields') return this.listFields(node);
    if (node.kind === 'map' || node.kind === 'record') return this.listEntries(node);
    if (node.kind === 'array') return this.resize(node, (node.target as unknown[]).length);
    const { values, total } = setValues(node.target as Set<unknown>, this.limitOf(node));
    this.resize(node, total);
    return values;
  }

  private compareSome(node: TreeNode, values: readonly unknown[] | null, from: number, to: number): void {
    if (values === null && node.kind === 'map') this.compareKnownEntries(node, from, to);
    else if (values === null) this.compareChildren(node, from, to);
    else for (let index = from; index < to; index++) this.compareChild(node, index, values[index]);
  }

  /** The number of leaves with room, after the waiting objects are read. */
  private room(share: number): number {
    return this.options.maxLeaves * share - this.leafCount - this.waiting * USUAL_LEAVES;
  }

  /** Omitted children are not read again and again. */
  private cutOff(node: TreeNode, length: number): void {
    node.limit = length;
    this.leaveOut(node, node.children.length - length);
    node.children.length = length;
    if (node.keys.length > length) node.keys = node.keys.slice(0, length);
  }

  private limitOf(node: TreeNode): number {
    return Math.min(node.limit, this.maxChildren);
  }

  private leaveOut(node: TreeNode, count: number): void {
    this.places.leaveOut(node, count);
    if (count > 0 && node.limit < this.maxChildren) this.places.cut.add(node);
  }

  /** Updates the names of the fields. */
  private listFields(node: TreeNode): null {
    const { target } = node;
    // Nothing was omitted, so nothing can have been added beyond the limit.
    if (node.key !== null && node.keys.length < this.limitOf(node) && hasSameKeys(target, node.keys)) return null;
    // An overlay must not show a name that the object itself has.
    const own = node.key === null ? node.parent?.keys : undefined;
    const keys = own ? keysOf(target).filter((key) => !own.includes(key)) : keysOf(target);
    const limit = this.limitOf(node);
    if (keys.length > limit) {
      this.leaveOut(node, keys.length - limit);
      keys.length = limit;
    }
    if (!sameKeys(keys, node.keys)) this.rekey(node, this.shared(keys));
    return null;
  }

  /** The elements of a list mostly have the same names: one array of them is shared by all. */
  private shared(keys: string[]): string[] {
    if (!sameKeys(keys, this.lastKeys)) this.lastKeys = keys;
    return this.lastKeys;
  }

  /** Compares a range of children of an array or an object. */
  private compareChildren(node: TreeNode, from: number, to: number): void {
    const { target, keys } = node;
    if (node.kind === 'array') {
      const elements = target as unknown[];
      for (let index = from; index < to; index++) {
        // Known data is read directly, because checking each descriptor costs more than all the rest.
        const isNew = node.children[index] === NOTHING;
        this.compareChild(node, index, isNew ? ownValue(elements, index) : elements[index]);
      }
      return;
    }
    const careful = node.checked !== target || this.places.log.count < CAREFUL_LEAVES || node.turn === this.turn;
    node.checked = target;
    for (let index = from; index < to; index++) {
      const key = keys[index] as string;
      const isNew = node.children[index] === NOTHING;
      const value = isNew || (careful && hasGetter(target, key)) ? ownValue(target, key) : readField(target, key);
      this.compareChild(node, index, value);
    }
  }

  /** By their keys, while these are the same, because listing them allocates much. */
  private compareKnownEntries(node: TreeNode, from: number, to: number): void {
    const map = node.target as Map<unknown, unknown>;
    for (let index = from; index < to; index++) {
      const value = mapValue(map, node.keys[index] as string);
      // It vanished while others were compared. Its replacement is read at the next pass.
      if (value === ABSENT) node.size = -1;
      else this.compareChild(node, index, value);
    }
  }

  private hasKnownKeys({ size, limit, keys }: TreeNode, map: Map<unknown, unknown>): boolean {
    if (size < 0 || size !== sizeOfMap(map) || keys.length !== Math.min(size, limit, this.maxChildren)) return false;
    for (let index = 0; index < keys.length; index++) if (mapValue(map, keys[index] as string) === ABSENT) return false;
    return true;
  }

  private listEntries(node: TreeNode): readonly unknown[] | null {
    const isMap = node.kind === 'map';
    const map = node.target as Map<unknown, unknown>;
    if (this.hasKnownKeys(node, map)) {
      this.leaveOut(node, node.size - node.keys.length);
      return null;
    }
    const { keys, values, total, leftOut, hasTextKeys } = isMap
      ? mapEntries(map, this.limitOf(node), 'size', (key, value) => viewOf(node, key, value))
      : mapEntries(map, this.limitOf(node), null);
    this.leaveOut(node, leftOut);
    if (isMap) this.places.compareCount(node, total);
    node.size = hasTextKeys && isMap && leftOut === total - keys.length ? total : -1;
    if (!sameKeys(keys, node.keys)) this.rekey(node, keys);
    return values;
  }

  private resize(node: TreeNode, count: number): null {
    this.places.compareCount(node, count);
    const length = Math.min(count, this.limitOf(node));
    this.leaveOut(node, count - length);
    const { children } = node;
    for (let index = length; index < children.length; index++) this.places.drop(children[index] as Child);
    if (children.length > length) children.length = length;
    while (children.length < length) children.push(NOTHING);
    return null;
  }

  /** Takes over the children of remaining keys, drops the others, reserves places for new ones. */
  private rekey(node: TreeNode, keys: Segment[]): void {
    if (node.keys.length === 0) {
      node.children = keys.map(() => NOTHING);
      node.keys = keys;
      return;
    }
    const former = new Map<Segment, Child>();
    for (const [index, key] of node.keys.entries()) former.set(key, node.children[index] as Child);
    node.children = keys.map((key) => {
      const child = former.get(key) ?? NOTHING;
      former.delete(key);
      return child;
    });
    for (const child of former.values()) this.places.drop(child);
    node.keys = keys;
  }

  private compareChild(node: TreeNode, index: number, value: unknown): void {
    const child = node.children[index] as Child;
    // The old value stays until the new object may be read.
    if (node.guarded && isObject(value) && !this.mayRead(node, index, child, value)) return;
    let read = value;
    if (typeof child === 'object') {
      if (child.source === value && (child.stable || child.restUntil > this.pass)) return;
      if (child.target !== value) read = this.resolve(value);
      if (this.places.follow(node, child, read)) {
        child.source = value;
        this.compareNode(child);
        return;
      }
    } else if (child === NOTHING) {
      if (value === undefined) return;
      read = this.resolve(value);
    } else {
      read = this.resolve(value);
      if (this.places.keepLeaf(child, read)) return;
    }
    this.places.drop(child);
    node.children[index] = this.places.place(node, segmentAt(node, index), read, value);
  }

  private mayRead(node: TreeNode, index: number, child: Child, value: object): boolean {
    if (typeof child === 'object' && child.source === value) return true;
    const isReadable = this.options.mayRead?.(value, node, index) ?? true;
    if (!isReadable) this.steps.noteRefused(node, index);
    return isReadable;
  }

  private resolve(value: unknown): unknown {
    const { resolve } = this.options;
    return resolve && (isObject(value) || typeof value === 'function') ? resolve(value) : value;
  }

  /** An object can move during a pass: references are checked again afterwards. */
  private settleReferences(): void {
    if (!this.places.ownersMoved) return;
    this.places.ownersMoved = false;
    for (const { object, ref } of [...this.places.log.objects.values()]) {
      if (!ref || ref.node.dead || this.places.isRefRight(object, ref.owner)) continue;
      const index = indexOf(ref.node, ref.key);
      if (index >= 0) this.compareChild(ref.node, index, object);
    }
  }
}
