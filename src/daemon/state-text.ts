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
  private whole: Buffer | null = null;

  constructor(table: StateTable) {
    this.table = table;
  }

  /** What stands between the braces. */
  bytes(): Buffer {
    this.renew();
    if (!this.whole) {
      const parts: Buffer[] = [];
      for (const piece of this.pieces) {
        if (piece.length === 0) continue;
        if (parts.length > 0) parts.push(COMMA);
        parts.push(piece);
      }
      this.whole = Buffer.concat(parts);
    }
    return this.whole;
  }

  private renew(): void {
    const touched = this.table.takeTouched();
    const count = Math.ceil(this.table.slotCount / SLOTS_PER_PIECE);
    if (touched !== null && touched.size === 0 && count === this.pieces.length) return;
    this.whole = null;
    const stale = touched === null ? null : new Set([...touched].map((slot) => Math.floor(slot / SLOTS_PER_PIECE)));
    this.pieces = Array.from({ length: count }, (_, at) => {
      const kept = this.pieces[at];
      return kept && stale !== null && !stale.has(at) ? kept : this.render(at);
    });
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
