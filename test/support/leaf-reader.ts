/** Follows a probe's updates like the daemon: slots to paths and values. */
import type { LeafUpdate } from '../../src/model/leaves.ts';
import type { Scalar } from '../../src/model/scalar.ts';

export class LeafReader {
  private slots = new Map<number, { path: string; value: Scalar }>();

  apply(update: LeafUpdate): this {
    if (update.kind === 'full') {
      this.slots = new Map(update.paths.map((path, slot) => [slot, { path, value: update.values[slot] ?? null }]));
    } else if (update.kind === 'delta') {
      for (const slot of update.removed)
        if (!this.slots.delete(slot)) throw new Error(`slot ${slot} was removed but not there`);
      for (const [slot, path, value] of update.added) {
        if (this.slots.has(slot)) throw new Error(`slot ${slot} was added twice`);
        this.slots.set(slot, { path, value });
      }
      for (const [slot, value] of update.changed) {
        const leaf = this.slots.get(slot);
        if (!leaf) throw new Error(`slot ${slot} changed but is not there`);
        this.slots.set(slot, { ...leaf, value });
      }
    }
    return this;
  }

  /** A repeated path is an error of the probe. */
  state(): Record<string, Scalar> {
    const state: Record<string, Scalar> = {};
    for (const { path, value } of this.slots.values()) {
      if (Object.hasOwn(state, path)) throw new Error(`the path ${path} is there twice`);
      state[path] = value;
    }
    return state;
  }
}
