/** The captures that can still be compared with: their ids, and what changed from each to the next. */
import type { Change } from '../semantic/state-table.ts';

/** However many captures may be kept, their changes together stay below this; a long text counts for several. */
const MAX_KEPT_CHANGES = 500_000;
const CHARACTERS_PER_CHANGE = 100;

interface Entry {
  readonly captureId: string;
  /** From the capture before to this one. */
  changes: readonly Change[];
}

export class History {
  private readonly limit: number;
  private entries: Entry[] = [];
  private readonly numbers = new Map<string, number>();
  /** Number of the first entry still kept. */
  private first = 0;
  private keptChanges = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  push(captureId: string, changes: readonly Change[]): void {
    this.numbers.set(captureId, this.first + this.entries.length);
    this.entries.push({ captureId, changes });
    this.keptChanges += weightOf(changes);
    let drop = 0;
    this.forgetChanges(this.entries[0]);
    while (
      this.entries.length - drop > this.limit ||
      (this.keptChanges > MAX_KEPT_CHANGES && this.entries.length - drop > 1)
    ) {
      this.numbers.delete(this.entries[drop]?.captureId ?? '');
      this.forgetChanges(this.entries[++drop]);
    }
    if (drop > 0) {
      this.entries = this.entries.slice(drop);
      this.first += drop;
    }
  }

  clear(): void {
    this.first += this.entries.length;
    this.entries = [];
    this.numbers.clear();
    this.keptChanges = 0;
  }

  has(captureId: string): boolean {
    return this.numbers.has(captureId);
  }

  /** Every key that changed since that capture, with what it held then (undefined: it was not there); null: not kept. */
  valuesAt(captureId: string): Map<string, Change['before']> | null {
    const number = this.numbers.get(captureId);
    if (number === undefined) return null;
    const before = new Map<string, Change['before']>();
    for (let at = this.entries.length - 1; at > number - this.first; at--) {
      const changes = this.entries[at]?.changes ?? [];
      // Backwards: a key can go and come again in one capture, and its first `before` is the one that counts.
      for (let index = changes.length - 1; index >= 0; index--) {
        const change = changes[index];
        if (change) before.set(change.key, change.before);
      }
    }
    return before;
  }

  /** What led to the oldest capture is never asked for: nothing older can be compared with. */
  private forgetChanges(oldest: Entry | undefined): void {
    if (!oldest) return;
    this.keptChanges -= weightOf(oldest.changes);
    oldest.changes = [];
  }
}

function weightOf(changes: readonly Change[]): number {
  let characters = 0;
  for (const { before, after } of changes) {
    if (typeof before === 'string') characters += before.length;
    if (typeof after === 'string') characters += after.length;
  }
  return changes.length + Math.floor(characters / CHARACTERS_PER_CHANGE);
}
