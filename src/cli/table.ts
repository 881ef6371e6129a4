/** Columns of text, as wide as what is in them; the last one takes what is left of the line. */
import { cut, type Paint, printable } from './terminal.ts';

const GAP = '  ';

export interface Cell {
  readonly text: string;
  /** Colours the text once it has its width. */
  readonly show?: (text: string) => string;
}

export function table(
  head: readonly string[],
  rows: readonly (readonly (Cell | string)[])[],
  paint: Paint,
  width: number,
) {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
  const all = [head.map((text): Cell => ({ text, show: (shown) => paint('dim', shown) })), ...cells];
  const widths = head.map((_, column) => Math.max(...all.map((row) => printable(row[column]?.text ?? '').length)));
  return all.map((row) => {
    let used = 0;
    const parts = row.map(({ text, show = (shown) => shown }, column) => {
      const isLast = column === row.length - 1;
      const room = isLast ? Math.max(8, width - used) : (widths[column] ?? 0);
      used += room + GAP.length;
      const shown = isLast ? cut(printable(text), room) : printable(text).padEnd(room);
      return show(shown);
    });
    return parts.join(GAP).trimEnd();
  });
}
