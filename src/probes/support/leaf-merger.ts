/** Makes one report of the reports of several sources, each of which numbers its leaves by itself. */
import type { LeafUpdate } from '../../model/leaves.ts';
import type { Scalar } from '../../model/scalar.ts';

type Full = Extract<LeafUpdate, { kind: 'full' }>;

/** Numbers of removed leaves are never reused; when most are gone a new numbering costs less than keeping them. */
const MAX_EMPTY_SLOTS = 10_000;

/** The fraction of the limit that is kept free for sources that come first, which may have more leaves at any time. */
const RESERVE = 0.1;

export class LeafMerger {
  /** Per source: its slot -> the merged slot. */
  private slots = new Map<string, number[]>();
  private nextSlot = 0;
  private readonly limit: number;
  private readonly comesFirst: (source: string) => boolean;
  count = 0;
  /** The number of leaves from sources that come first. */
  private firstCount = 0;
  /** The number of leaves for which there was no room. */
  leftOut = 0;
  private hasLostFirst = false;

  /** Sources that come first have room whatever the others hold. */
  constructor(limit: number, comesFirst: (source: string) => boolean = () => false) {
    this.limit = limit;
    this.comesFirst = comesFirst;
  }

  /** True when the next report should be a full one. */
  get isSparse(): boolean {
    const hasRoomAgain = this.leftOut > 0 && this.count < this.limit * 0.9;
    return hasRoomAgain || this.hasLostFirst || this.nextSlot > 2 * this.count + MAX_EMPTY_SLOTS;
  }

  /** The number of leaves that are kept free of those of other sources. */
  get reserved(): number {
    return this.limit - this.roomForOthers(this.slots.keys());
  }

  get sources(): readonly string[] {
    return [...this.slots.keys()];
  }

  /** Starts again: these are all sources, and each reports everything. */
  full(parts: ReadonlyMap<string, Full>): Full {
    this.slots = new Map();
    const paths: string[] = [];
    const values: Scalar[] = [];
    let total = 0;
    const first = [...parts].reduce(
      (sum, [source, part]) => sum + (this.comesFirst(source) ? part.paths.length : 0),
      0,
    );
    this.firstCount = Math.min(first, this.limit);
    let room = this.roomForOthers(parts.keys());
    let roomForFirst = this.limit;
    for (const [source, part] of parts) {
      total += part.paths.length;
      const slots: number[] = [];
      this.slots.set(source, slots);
      const isFirst = this.comesFirst(source);
      const count = Math.min(part.paths.length, isFirst ? roomForFirst : Math.max(0, room));
      if (isFirst) roomForFirst -= count;
      else room -= count;
      for (let slot = 0; slot < count; slot++) {
        slots[slot] = paths.length;
        paths.push(part.paths[slot] ?? '');
        values.push(part.values[slot] ?? null);
      }
    }
    this.nextSlot = paths.length;
    this.count = paths.length;
    this.leftOut = total - paths.length;
    this.hasLostFirst = false;
    return { kind: 'full', paths, values };
  }

  /** Applies the changes of known sources; the others stay as they were. */
  update(parts: ReadonlyMap<string, Exclude<LeafUpdate, Full>>): LeafUpdate {
    const changed: [number, Scalar][] = [];
    const added: [number, string, Scalar][] = [];
    const removed: number[] = [];
    const room = this.roomForOthers(this.slots.keys());
    for (const [source, part] of parts) {
      const slots = this.slots.get(source);
      if (!slots) throw new Error(`the source ${source} never reported everything`);
      if (part.kind === 'same') continue;
      const isFirst = this.comesFirst(source);
      for (const slot of part.removed) {
        const own = slots[slot];
        if (own === undefined) continue;
        removed.push(own);
        delete slots[slot];
        this.count--;
        if (isFirst) this.firstCount--;
      }
      for (const [slot, path, value] of part.added) {
        const isFull = isFirst ? this.count >= this.limit : this.count - this.firstCount >= room;
        if (isFull) {
          this.leftOut++;
          this.hasLostFirst ||= isFirst && this.firstCount < this.limit;
          continue;
        }
        if (isFirst) this.firstCount++;
        slots[slot] = this.nextSlot;
        added.push([this.nextSlot++, path, value]);
        this.count++;
      }
      for (const [slot, value] of part.changed) {
        const own = slots[slot];
        if (own !== undefined) changed.push([own, value]);
      }
    }
    if (changed.length + added.length + removed.length === 0) return { kind: 'same' };
    return { kind: 'delta', changed, added, removed };
  }

  private roomForOthers(sources: Iterable<string>): number {
    const hasFirst = [...sources].some(this.comesFirst);
    return this.limit - Math.max(this.firstCount, hasFirst ? Math.ceil(this.limit * RESERVE) : 0);
  }
}
