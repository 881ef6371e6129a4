/**
 * The JSON text of `objects`, kept in pieces: a change makes only its own piece new, and a read without a change hands
 * out the bytes that are there.
 */
import type { StateTable } from '../semantic/state-table.ts';

const SLOTS_PER_PIECE = 1024;
const COMMA = Buffer.from(',');

export class StateText {
  private readonly table: StateTable;
  private pieces: Buffer[] = [];
  /** Those that have to be made anew. */
  private readonly stale = new Set<number>();
  private whole: Buffer | null = null;

  constructor(table: StateTable) {
    this.table = table;
  }

  /** What stands between the braces. */
  bytes(): Buffer {
    this.noteStale();
    for (const piece of this.stale) this.renew(piece);
    this.whole ??= joined(this.pieces);
    return this.whole;
  }

  /** The same, but for its end, in steps. What changes meanwhile is made anew again: once, for it may never end. */
  *renewing(): Generator<void, void, void> {
    this.noteStale();
    let made = 0;
    for (const piece of this.stale) {
      if (made++ >= 2 * this.pieceCount()) return;
      this.renew(piece);
      yield;
      this.noteStale();
    }
  }

  /** Of what the table held, nothing is kept. */
  clear(): void {
    this.pieces = [];
    this.stale.clear();
    this.whole = null;
  }

  private pieceCount(): number {
    return Math.ceil(this.table.slotCount / SLOTS_PER_PIECE);
  }

  private noteStale(): void {
    const touched = this.table.takeTouched();
    const count = this.pieceCount();
    if (touched === null) this.clear();
    for (const slot of touched ?? []) this.stale.add(Math.floor(slot / SLOTS_PER_PIECE));
    for (let piece = this.pieces.length; piece < count; piece++) this.stale.add(piece);
    if (this.stale.size > 0) this.whole = null;
  }

  private renew(piece: number): void {
    this.pieces[piece] = this.render(piece);
    this.stale.delete(piece);
  }

  private render(piece: number): Buffer {
    const texts: string[] = [];
    const end = Math.min(this.table.slotCount, (piece + 1) * SLOTS_PER_PIECE);
    for (let slot = piece * SLOTS_PER_PIECE; slot < end; slot++) {
      const key = this.table.keyAt(slot);
      if (key !== null) texts.push(`${JSON.stringify(key)}:${JSON.stringify(this.table.valueAt(slot))}`);
    }
    return Buffer.from(texts.join(','));
  }
}

function joined(pieces: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [];
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    if (parts.length > 0) parts.push(COMMA);
    parts.push(piece);
  }
  return Buffer.concat(parts);
}
