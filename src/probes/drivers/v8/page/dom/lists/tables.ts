/** Tables as records: the header cells name the fields. */

import type { Scalar } from '../../../../../../model/scalar.ts';
import { NameAllocator } from '../../../../../insight/name-allocator.ts';
import { toName, toValue } from '../../../../../insight/screen/words.ts';
import type { Data } from '../screen.ts';
import type { SemanticNode } from '../semantic-node.ts';

/** The rows of a table or items of a list, however they are grouped; and its other content. */
export function rowsOf(node: SemanticNode): { rows: SemanticNode[]; others: SemanticNode[] } {
  const rows: SemanticNode[] = [];
  const others: SemanticNode[] = [];
  const visit = (parts: readonly SemanticNode[]): void => {
    for (const part of parts) {
      if (part.role === 'row' || part.role === 'item') rows.push(part);
      else if (part.role === 'group') visit(part.parts);
      else others.push(part);
    }
  };
  visit(node.parts);
  return { rows, others };
}

/** Two cells per row, the first of which names the second: one record, not a list. */
export function readDetailsTable(rows: readonly SemanticNode[]): [string, Scalar][] | null {
  const isPair = ({ cells, element }: SemanticNode): boolean =>
    cells.length === 2 && element.firstElementChild?.localName === 'th' && element.lastElementChild?.localName === 'td';
  if (rows.length === 0 || !rows.every(isPair)) return null;
  return rows.map(({ cells: [name = '', value = ''] }) => [toName(name) || 'detail', toValue(value)]);
}

export function readTable(rows: readonly SemanticNode[]): { columns: string[]; records: Data[]; headerRows: number } {
  let headerRows = 0;
  while (rows[headerRows]?.isHeader) headerRows++;
  const headers = headerRows > 0 ? (rows[headerRows - 1]?.cells ?? []) : [];
  const body = rows.slice(headerRows);
  const width = Math.max(headers.length, ...body.map(({ cells }) => cells.length));
  const allocator = new NameAllocator();
  const columns: string[] = [];
  const shown: string[] = [];
  for (let at = 0; at < width; at++) {
    const name = toName(headers[at] ?? '');
    // A column with only buttons or fields has no texts; its name is still used for the fields.
    const isEmpty = body.length > 0 && body.every(({ cells }) => (cells[at] ?? '') === '');
    const column = name === '' && isEmpty ? '' : allocator.take(name || `column_${at + 1}`);
    columns.push(column);
    shown.push(isEmpty ? '' : column);
  }
  const names = shown.join();
  return { columns, headerRows, records: body.map((row) => rememberedRecord(row, shown, names)) };
}

/** By node: a row that changed is another one. One with parts is not remembered, since fields in it are added. */
const records = new WeakMap<SemanticNode, { readonly names: string; readonly record: Data }>();

function rememberedRecord(row: SemanticNode, columns: readonly string[], names: string): Data {
  const known = records.get(row);
  if (known?.names === names) return known.record;
  const record = recordOf(row.cells, columns);
  if (row.parts.length === 0) records.set(row, { names, record });
  return record;
}

function recordOf(cells: readonly string[], columns: readonly string[]): Data {
  const record: Data = {};
  for (const [at, column] of columns.entries()) if (column !== '') record[column] = toValue(cells[at] ?? '');
  return record;
}
