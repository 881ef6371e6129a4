/** The texts of the cells of a table's row. */
import { attributeOf, firstElementChild, tagOf } from '../nodes.ts';
import { textOf } from '../text.ts';

const MAX_CELLS = 40;
const CELL_TEXT = 300;

const CELL = '[role=gridcell],[role=cell],[role=columnheader],[role=rowheader]';

/** Grids may put their cells into boxes: scrolling ones, and fixed ones. */
function cellElements(row: Element): Iterable<Element> {
  const first = firstElementChild(row);
  if (tagOf(row) === 'tr' || first === null || first.matches(CELL)) return row.children;
  const inside = row.querySelectorAll(CELL);
  return inside.length > 0 ? inside : row.children;
}

export function cellsOf(row: Element, isUnseen: (element: Element) => boolean): string[] {
  const cells: string[] = [];
  for (const cell of cellElements(row)) {
    if (cells.length === MAX_CELLS) break;
    cells.push(textOf(cell, CELL_TEXT, (element) => isButtonLike(element) || isUnseen(element)));
  }
  return cells;
}

export function isHeaderRow(row: Element): boolean {
  if (row.parentElement?.localName === 'thead') return true;
  for (const cell of cellElements(row))
    if (tagOf(cell) !== 'th' && attributeOf(cell, 'role') !== 'columnheader') return false;
  return firstElementChild(row) !== null;
}

export function isMenuPart(element: Element): boolean {
  return tagOf(element) === 'ul' || tagOf(element) === 'ol' || attributeOf(element, 'role') === 'menu';
}

/** Links are content of a row; buttons are its actions. */
export function isButtonLike(element: Element): boolean {
  return tagOf(element) === 'button' || attributeOf(element, 'role') === 'button';
}
