/** Makes one report of the reports of several sources, each of which numbers its leaves by itself. */
import type { LeafUpdate } from '../model/leaves.ts';
import type { Scalar } from '../model/scalar.ts';

type Full = Extract<LeafUpdate, { kind: 'full' }>;

/** Numbers of removed leaves are never used again; when most are gone a new numbering costs less than to carry them. */
const MAX_EMPTY_SLOTS = 10_000;

export class LeafMerger {
  /** Per source: its slot -> ours. */
  private slots = new Map<string, number[]>();
  private nextSlot = 0;
  private readonly limit: number;
  count = 0;
  /** Leaves for which there was no room. */
  leftOut = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** True when the next report had better be a full one. */
  get isSparse(): boolean {
    const hasRoomAgain = this.leftOut > 0 && this.count < this.limit * 0.9;
    return hasRoomAgain || this.nextSlot > 2 * this.count + MAX_EMPTY_SLOTS;
  }

  get sources(): readonly string[] {
    return [...this.slots.keys()];
  }

  /** Begins anew: these are all sources, and each reports everything. */
  full(parts: ReadonlyMap<string, Full>): Full {
    this.slots = new Map();
    const paths: string[] = [];
    const values: Scalar[] = [];
    let total = 0;
    for (const [source, part] of parts) {
      total += part.paths.length;
      const slots: number[] = [];
      this.slots.set(source, slots);
      for (let slot = 0; slot < part.paths.length && paths.length < this.limit; slot++) {
        slots[slot] = paths.length;
        paths.push(part.paths[slot] ?? '');
        values.push(part.values[slot] ?? null);
      }
    }
    this.nextSlot = paths.length;
    this.count = paths.length;
    this.leftOut = total - paths.length;
    return { kind: 'full', paths, values };
  }

  /** What changed in sources that are known; the others stay as they were. */
  update(parts: ReadonlyMap<string, Exclude<LeafUpdate, Full>>): LeafUpdate {
    const changed: [number, Scalar][] = [];
    const added: [number, string, Scalar][] = [];
    const removed: number[] = [];
    for (const [source, part] of parts) {
      const slots = this.slots.get(source);
      if (!slots) throw new Error(`the source ${source} never reported everything`);
      if (part.kind === 'same') continue;
      for (const slot of part.removed) {
        const own = slots[slot];
        if (own === undefined) continue;
        removed.push(own);
        delete slots[slot];
        this.count--;
      }
      for (const [slot, path, value] of part.added) {
        if (this.count >= this.limit) {
          this.leftOut++;
          continue;
        }
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
}
