/** The leaves of the shadow tree by slot: their last values, and the changes since the last report. */
import type { LeafUpdate } from '../../../../model/leaves.ts';
import { joinPath, type Segment } from '../../../../model/path.ts';
import type { Scalar } from '../../../../model/scalar.ts';
import { createWriter } from './own-data.ts';
import type { TreeNode } from './tree-node.ts';

export type FullUpdate = Extract<LeafUpdate, { kind: 'full' }>;

/** No slot: nothing to show now (undefined, a function, an accessor, over the cap); checked again at each pass. */
export const NOTHING = -1;

/** Slots are never reused; when most are empty, renumbering costs less than keeping them. */
const MAX_EMPTY_SLOTS = 10_000;

/** For leaves that represent an object. */
interface LeafObject {
  readonly object: object;
  /** Its text can change by itself. */
  readonly live: boolean;
  /** Set if the leaf only refers to the place that shows the object. */
  readonly ref: { readonly node: TreeNode; readonly key: Segment; readonly owner: TreeNode | undefined } | null;
}

export class LeafLog {
  readonly limit: number;
  count = 0;
  objects = new Map<number, LeafObject>();
  private seen: unknown[] = [];
  private nextSlot = 0;
  private sentSlots = 0;
  private hasReported = false;
  private changed: number[] = [];
  private removed: number[] = [];
  private added = new Map<number, { node: TreeNode; key: Segment }>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get isFull(): boolean {
    return this.count >= this.limit;
  }

  /** The slot of a new leaf; NOTHING if there is no room. */
  add(node: TreeNode, key: Segment, value: unknown): number {
    if (this.isFull) return NOTHING;
    const slot = this.nextSlot++;
    this.seen[slot] = value;
    // The first report has everything anyway.
    if (this.hasReported) this.added.set(slot, { node, key });
    this.count++;
    return slot;
  }

  holds(slot: number, value: unknown): boolean {
    return Object.is(this.seen[slot], value);
  }

  set(slot: number, value: unknown): void {
    if (Object.is(this.seen[slot], value)) return;
    this.seen[slot] = value;
    this.changed.push(slot);
  }

  remove(slot: number): void {
    if (slot < 0) return;
    this.objects.delete(slot);
    delete this.seen[slot];
    this.count--;
    if (!this.added.delete(slot) && slot < this.sentSlots) this.removed.push(slot);
  }

  /** True if a full table is the only possible report, or the cheaper one. */
  get needsFull(): boolean {
    return !this.hasReported || this.nextSlot > 2 * this.count + MAX_EMPTY_SLOTS;
  }

  /** Renumbers the leaves in the order in which they are moved, each from its slot to the one that `move` returns. */
  beginFull(): { move(slot: number, path: string): number; finish(): FullUpdate } {
    const paths: string[] = [];
    const values: Scalar[] = [];
    const seen: unknown[] = [];
    const objects = new Map<number, LeafObject>();
    const write = createWriter();
    return {
      move: (slot, path) => {
        const object = this.objects.get(slot);
        if (object) objects.set(paths.length, object);
        seen.push(this.seen[slot]);
        values.push(write(this.seen[slot]));
        return paths.push(path) - 1;
      },
      finish: () => {
        this.seen = seen;
        this.objects = objects;
        this.nextSlot = paths.length;
        this.forgetChanges();
        return { kind: 'full', paths, values };
      },
    };
  }

  takeDelta(pathOf: (node: TreeNode) => string): LeafUpdate {
    if (this.changed.length + this.removed.length + this.added.size === 0) return { kind: 'same' };
    const write = createWriter();
    const update: LeafUpdate = {
      kind: 'delta',
      changed: this.changed
        .filter((slot) => slot in this.seen && !this.added.has(slot))
        .map((slot) => [slot, write(this.seen[slot])] as const),
      added: [...this.added].map(
        ([slot, { node, key }]) => [slot, joinPath(pathOf(node), key), write(this.seen[slot])] as const,
      ),
      removed: this.removed,
    };
    this.forgetChanges();
    return update;
  }

  private forgetChanges(): void {
    this.hasReported = true;
    this.sentSlots = this.nextSlot;
    this.changed = [];
    this.removed = [];
    this.added = new Map();
  }
}
