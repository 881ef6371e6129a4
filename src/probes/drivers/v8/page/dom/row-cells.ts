/** What the cells of a table's row say. */
import { attributeOf, firstElementChild, tagOf } from './nodes.ts';
import { textOf } from './text.ts';

const MAX_CELLS = 40;
const CELL_TEXT = 300;

export function cellsOf(row: Element): string[] {
  const cells: string[] = [];
  for (const cell of row.children) {
    if (cells.length === MAX_CELLS) break;
    cells.push(textOf(cell, CELL_TEXT, isButtonLike));
  }
  return cells;
}

export function isHeaderRow(row: Element): boolean {
  if (row.parentElement?.localName === 'thead') return true;
  for (const cell of row.children)
    if (tagOf(cell) !== 'th' && attributeOf(cell, 'role') !== 'columnheader') return false;
  return firstElementChild(row) !== null;
}

/** Links are what a row says; buttons are what can be done with it. */
export function isButtonLike(element: Element): boolean {
  return tagOf(element) === 'button' || attributeOf(element, 'role') === 'button';
}
