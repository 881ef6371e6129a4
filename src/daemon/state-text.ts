/**
 * The JSON text of `objects`, kept in pieces: a change renews only its own piece, and a read without a change returns
 * the existing bytes. The most important keys come first.
 */
import type { StateTable } from '../semantic/state-table.ts';
import type { JsonBytes } from './service.ts';

/** Which slots are shown, and in which order. */
export interface Selection {
  /** Raised when slots that did not change may be shown now. */
  readonly version: number;
  isShown(slot: number): boolean;
  /** Higher ranks come first. */
  rank(slot: number): number;
}

const EVERYTHING: Selection = { version: 0, isShown: () => true, rank: () => 0 };
const SLOTS_PER_PIECE = 1024;
const COMMA = Buffer.from(',');

export class StateText {
  private readonly table: StateTable;
  private readonly selection: Selection;
  private selectionVersion = 0;
  /** The slots of each piece: sorted when everything is renewed, later ones at the end. */
  private pieces: { readonly slots: number[]; text: Buffer }[] = [];
  private pieceOf = new Map<number, number>();
  /** Pieces that must be renewed. */
  private readonly stale = new Set<number>();

  /** The pieces that have text, in their order. */
  private list: JsonBytes | null = null;

  constructor(table: StateTable, selection = EVERYTHING) {
    this.table = table;
    this.selection = selection;
  }

  /** The text between the braces. */
  bytes(): JsonBytes {
    this.noteStale();
    for (const piece of this.stale) this.renew(piece);
    this.list ??= joined(this.pieces.map(({ text }) => text));
    return this.list;
  }

  /** Does most of the work in steps. Pieces that change meanwhile are renewed once more, not for ever. */
  *renewing(): Generator<void, void, void> {
    this.noteStale();
    let made = 0;
    for (const piece of this.stale) {
      if (made++ >= 2 * this.pieces.length) return;
      this.renew(piece);
      yield;
      this.noteStale();
    }
  }

  /** Drops everything about the table. */
  clear(): void {
    this.pieces = [];
    this.pieceOf.clear();
    this.stale.clear();
    this.list = null;
  }

  private noteStale(): void {
    const touched = this.table.takeTouched();
    if (touched === null || this.selectionVersion !== this.selection.version) {
      this.selectionVersion = this.selection.version;
      this.clear();
      for (const slot of this.sorted()) this.place(slot);
    } else for (const slot of touched) this.stale.add(this.pieceOf.get(slot) ?? this.place(slot));
    if (this.stale.size > 0) this.list = null;
  }

  private sorted(): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < this.table.slotCount; slot++) if (this.table.keyAt(slot) !== null) slots.push(slot);
    const ranks = new Map(slots.map((slot) => [slot, this.selection.rank(slot)]));
    return slots.sort((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0) || one - other);
  }

  /** Returns the new piece of the slot. */
  private place(slot: number): number {
    let last = this.pieces.at(-1);
    if (last === undefined || last.slots.length >= SLOTS_PER_PIECE) {
      last = { slots: [], text: Buffer.alloc(0) };
      this.pieces.push(last);
    }
    last.slots.push(slot);
    const piece = this.pieces.length - 1;
    this.pieceOf.set(slot, piece);
    this.stale.add(piece);
    return piece;
  }

  private renew(number: number): void {
    const piece = this.pieces[number];
    if (piece) piece.text = this.render(piece.slots);
    this.stale.delete(number);
  }

  private render(slots: readonly number[]): Buffer {
    const texts: string[] = [];
    for (const slot of slots) {
      const key = this.table.keyAt(slot);
      if (key === null || !this.selection.isShown(slot)) continue;
      texts.push(`${JSON.stringify(key)}:${JSON.stringify(this.table.valueAt(slot))}`);
    }
    return Buffer.from(texts.join(','));
  }
}

function joined(texts: readonly Buffer[]): JsonBytes {
  const parts: Buffer[] = [];
  for (const text of texts) {
    if (text.length === 0) continue;
    if (parts.length > 0) parts.push(COMMA);
    parts.push(text);
  }
  return parts;
}
