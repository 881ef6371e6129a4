/** The labelled state: keys and values by slot, with an index by key. Every operation costs what it changes. */
import type { Scalar } from '../model/scalar.ts';

export interface Change {
  readonly key: string;
  /** Undefined if the key did not exist. */
  readonly before: Scalar | undefined;
  /** Undefined if the key is gone. */
  readonly after: Scalar | undefined;
}

/** One entry per key, from its first `before` to its last `after`. */
export function mergeChanges(changes: Iterable<Change>): Change[] {
  const byKey = new Map<string, Change>();
  for (const change of changes) {
    const known = byKey.get(change.key);
    byKey.set(change.key, known ? { ...change, before: known.before } : change);
  }
  return [...byKey.values()].filter(({ before, after }) => !Object.is(before, after));
}

/** Keys per step. */
export const STEP = 32;

/** The changes from one table to the other. */
export function* difference(before: StateTable, after: StateTable): Generator<void, Change[], void> {
  const changes: Change[] = [];
  let count = 0;
  for (const key of after.keys()) {
    const [old, value] = [before.get(key), after.get(key)];
    if (!Object.is(old, value)) changes.push({ key, before: old, after: value });
    if (++count % STEP === 0) yield;
  }
  for (const key of before.keys()) {
    if (!after.has(key)) changes.push({ key, before: before.get(key), after: undefined });
    if (++count % STEP === 0) yield;
  }
  return changes;
}

export class StateTable {
  /** Raised when a key is added or removed. */
  keySetVersion = 0;
  private keysBySlot: (string | null)[] = [];
  private valuesBySlot: Scalar[] = [];
  private slotsByKey = new Map<string, number>();
  /** Slots touched since the last `takeTouched`; null for everything. */
  private touched: Set<number> | null = null;

  get size(): number {
    return this.slotsByKey.size;
  }

  get slotCount(): number {
    return this.keysBySlot.length;
  }

  get(key: string): Scalar | undefined {
    const slot = this.slotsByKey.get(key);
    return slot === undefined ? undefined : this.valuesBySlot[slot];
  }

  has(key: string): boolean {
    return this.slotsByKey.has(key);
  }

  slotOf(key: string): number | undefined {
    return this.slotsByKey.get(key);
  }

  keyAt(slot: number): string | null {
    return this.keysBySlot[slot] ?? null;
  }

  valueAt(slot: number): Scalar {
    return this.valuesBySlot[slot] ?? null;
  }

  keys(): Iterable<string> {
    return this.slotsByKey.keys();
  }

  set(slot: number, key: string, value: Scalar): void {
    while (this.keysBySlot.length < slot) this.keysBySlot.push(null);
    this.keysBySlot[slot] = key;
    this.valuesBySlot[slot] = value;
    this.slotsByKey.set(key, slot);
    this.keySetVersion++;
    this.touched?.add(slot);
  }

  update(slot: number, value: Scalar): void {
    this.valuesBySlot[slot] = value;
    this.touched?.add(slot);
  }

  delete(slot: number): void {
    const key = this.keysBySlot[slot];
    if (key === null || key === undefined) return;
    this.keysBySlot[slot] = null;
    this.valuesBySlot[slot] = null;
    this.slotsByKey.delete(key);
    this.keySetVersion++;
    this.touched?.add(slot);
  }

  clear(): void {
    this.keysBySlot = [];
    this.valuesBySlot = [];
    this.slotsByKey.clear();
    this.keySetVersion++;
    this.touched = null;
  }

  /** Takes over the content of another one, which is useless after that. */
  become({ keysBySlot, valuesBySlot, slotsByKey }: StateTable): void {
    this.keysBySlot = keysBySlot;
    this.valuesBySlot = valuesBySlot;
    this.slotsByKey = slotsByKey;
    this.keySetVersion++;
    this.touched = null;
  }

  /** The slots that may have changed since the last call; null for all. */
  takeTouched(): ReadonlySet<number> | null {
    const touched = this.touched;
    this.touched = new Set();
    return touched;
  }
}
