import { expect } from 'vitest';
import type { LeafUpdate } from '../../../../src/model/leaves.ts';
import type { Scalar } from '../../../../src/model/scalar.ts';

/** The simplest consumer of leaf updates, strict about their rules. */
export class LeafTable {
  private slots = new Map<number, { path: string; value: Scalar }>();
  private highest = -1;

  get size(): number {
    return this.slots.size;
  }

  apply(update: LeafUpdate): void {
    if (update.kind === 'same') return;
    if (update.kind === 'full') {
      expect(update.values.length).toBe(update.paths.length);
      this.slots = new Map(update.paths.map((path, slot) => [slot, { path, value: update.values[slot] ?? null }]));
      this.highest = update.paths.length - 1;
      return;
    }
    for (const slot of update.removed) expect(this.slots.delete(slot)).toBe(true);
    const before = this.highest;
    for (const [slot, path, value] of update.added) {
      expect(slot).toBeGreaterThan(before);
      expect(this.slots.has(slot)).toBe(false);
      this.slots.set(slot, { path, value });
      this.highest = Math.max(this.highest, slot);
    }
    for (const [slot, value] of update.changed) {
      const entry = this.slots.get(slot);
      expect(entry).toBeDefined();
      if (entry) entry.value = value;
    }
  }

  copy(other: LeafTable): void {
    this.slots = new Map(other.slots);
    this.highest = other.highest;
  }

  /** Sorted, with repeated paths: a map can have a key with the name of its size. */
  entries(): string[] {
    return [...this.slots.values()].map(({ path, value }) => `${path} = ${String(value)}`).sort();
  }

  state(): Map<string, Scalar> {
    const state = new Map<string, Scalar>();
    for (const { path, value } of this.slots.values()) {
      expect(state.has(path)).toBe(false);
      state.set(path, value);
    }
    return state;
  }
}
