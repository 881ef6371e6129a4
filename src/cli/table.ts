/**
 * Columns of text, as wide as their content; the last one gets the rest of the line. In a narrow window some are left
 * out, because four letters of each would be useless.
 */
import { columnsOf, cut, type Paint, printable } from './terminal.ts';

const GAP = '  ';
/** The last column shrinks to this before the others do. */
const NARROWEST = 16;
const SHORTEST = 4;

export interface Cell {
  readonly text: string;
  /** Colours the text after it was cut or padded. */
  readonly show?: (text: string) => string;
}

/** `dispensable`: heads of columns; the first of them is dropped first. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (Cell | string)[])[],
  paint: Paint,
  width: number,
  dispensable: readonly string[] = [],
) {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? { text: cell } : cell)));
  const all = [head.map((text): Cell => ({ text, show: (shown) => paint('dim', shown) })), ...cells];
  const natural = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, columnsOf(printable(row[column]?.text ?? ''))), 0),
  );
  const kept = keptColumns(head, natural, width, dispensable);
  const widths = fitted(
    kept.map((column) => natural[column] ?? 0),
    width,
  );
  return all.map((row) => {
    const parts = kept.map((column, at) => {
      const { text, show = (shown: string) => shown } = row[column] ?? { text: '' };
      const isLast = at === kept.length - 1;
      const room = widths[at] ?? 0;
      const shown = cut(printable(text), room);
      return show(isLast ? shown : `${shown}${' '.repeat(Math.max(0, room - columnsOf(shown)))}`);
    });
    return parts.join(GAP).trimEnd();
  });
}

function keptColumns(
  head: readonly string[],
  natural: readonly number[],
  width: number,
  dispensable: readonly string[],
): number[] {
  let kept = [...head.keys()];
  for (const name of dispensable) {
    const needed = kept.map((column, at) => {
      return at === kept.length - 1 ? Math.min(natural[column] ?? 0, NARROWEST) : (natural[column] ?? 0);
    });
    if (sum(needed) + GAP.length * (kept.length - 1) <= width) break;
    kept = kept.filter((column) => head[column] !== name);
  }
  return kept;
}

/** The last column shrinks first, then the widest of the others, none below a readable width. */
function fitted(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess = sum(widths) + GAP.length * (widths.length - 1) - width;
  const last = widths.length - 1;
  const lastGives = Math.min(Math.max(0, (widths[last] ?? 0) - NARROWEST), Math.max(0, excess));
  widths[last] = (widths[last] ?? 0) - lastGives;
  excess -= lastGives;
  for (; excess > 0; excess--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= SHORTEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
