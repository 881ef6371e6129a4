/** The values of an area under their names. */

import type { Scalar } from '../../../model/scalar.ts';
import { NameAllocator, type NameMemory } from '../name-allocator.ts';
import type { Area } from './area.ts';
import type { Labels } from './labels.ts';
import { withoutKeys } from './names.ts';
import type { Rows, Toolkit } from './screen-facts.ts';
import { buttonName, type FieldName, labelName, shortTip } from './widget-names.ts';
import type { Widget } from './widget-tree.ts';
import { toName, toValue } from './words.ts';

const MAX_OPTIONS = 30;
const MAX_TEXTS = 200;
const MAX_PAIR_NAME = 40;

export interface ScreenRecord {
  [name: string]: ScreenValue;
}
export type ScreenValue = Scalar | readonly ScreenValue[] | ScreenRecord;

export function fillRecord(
  record: ScreenRecord,
  area: Area,
  labels: Labels,
  names: ReadonlyMap<Widget, FieldName>,
  toolkit: Toolkit,
  allocator: NameAllocator,
  memory: NameMemory,
): void {
  for (const [field, { name }] of names) record[name] = fieldValue(area, field);
  const texts: string[] = [];
  for (const label of area.labels) {
    const text = label.text?.trim() ?? '';
    if (toName(text) === '' || labels.isUsed(label)) continue;
    // In Windows Forms many labels with a colon stand before something that cannot be read.
    if (toolkit === 'forms' && text.endsWith(':')) continue;
    const { name, value, plain } = readLabel(label, text, labels, toolkit);
    if (name !== '') record[allocator.takeFor(label.id, name, memory)] = toValue(value);
    else if (texts.length < MAX_TEXTS) texts.push(plain);
  }
  if (texts.length > 0) record[allocator.take('texts')] = texts;
  for (const menu of area.menus) {
    // Ticked items of a menu are state, the other items are actions.
    const ticks = ticksOf(menu, toolkit);
    if (ticks !== undefined) record[allocator.take(buttonName(menu, toolkit) || 'menu')] = ticks;
  }
}

function fieldValue(area: Area, field: Widget): ScreenValue {
  const radios = area.radiosOf(field);
  if (radios)
    return {
      value: radios.findLast(({ selected }) => selected)?.text ?? null,
      options: radios.map(({ text = '' }) => text),
    };
  const { role, rows, value = null } = field;
  if (role === 'choice') return rows ? choiceRecord(rows) : null;
  if (role === 'tabs') return rows?.selectedValue ?? null;
  const hasRows = role === 'list' || role === 'list_box' || role === 'tree' || role === 'table';
  if (!hasRows) return value;
  return rows ? rowsRecord(rows) : null;
}

function choiceRecord({ selectedValue = null, total, shown }: Rows): ScreenRecord {
  return { value: selectedValue, ...(total <= MAX_OPTIONS ? { options: shown } : {}) };
}

function rowsRecord(rows: Rows): ScreenRecord {
  const { shown, total, selected = null, allSelected = [], selectedValue = null } = rows;
  const columns = columnNames(rows);
  const cellsOf = (row: readonly Scalar[]): ScreenRecord =>
    Object.fromEntries(columns.slice(0, row.length).map((name, at) => [name, row[at] ?? null]));
  return {
    ...(rows.columns ? {} : { selected: selectedValue }),
    selected_row: selected,
    ...(allSelected.length > 1 ? { selected_rows: allSelected } : {}),
    rows: shown.map((row) => (Array.isArray(row) ? cellsOf(row) : row)),
    // The count covers rows that were not read.
    ...(shown.length < total ? { row_count: total } : {}),
  };
}

export function columnNames({ columns = [] }: Rows): string[] {
  const allocator = new NameAllocator();
  return columns.map((title, at) => allocator.take(toName(title) || `column_${at + 1}`));
}

/** A label that names no field: listed under its own name if it has one. */
function readLabel(
  label: Widget,
  text: string,
  labels: Labels,
  toolkit: Toolkit,
): { name: string; value: string; plain: string } {
  const colon = text.indexOf(': ');
  const isPair = colon > 0 && colon <= MAX_PAIR_NAME && !text.includes('\n');
  const pair = isPair ? toName(text.slice(0, colon)) : '';
  // The tooltip explains a label of one letter.
  const isSign = toolkit !== 'forms' && text.length <= 2 && label.tip !== undefined;
  const byTip = toolkit !== 'forms' && !isSign ? toName(shortTip(label)) : '';
  const name = toName(labels.of(label)) || labelName(label, toolkit) || byTip || pair;
  const value = isPair && name === pair ? text.slice(colon + 2).trim() : text;
  return { name, value, plain: isSign ? `${withoutKeys(label.tip)}: ${text}` : text };
}

/** Undefined if nothing in it can be ticked. For a menu with one choice, the text of the chosen item. */
function ticksOf(menu: Widget, toolkit: Toolkit): ScreenValue | undefined {
  const ticks: ScreenRecord = {};
  const allocator = new NameAllocator();
  const groups = new Set<number>();
  let chosen: string | null = null;
  for (const item of menu.parts) {
    const isMenu = item.role === 'menu';
    const name = buttonName(item, toolkit) || (isMenu ? 'menu' : '');
    const value = isMenu ? ticksOf(item, toolkit) : (item.value ?? undefined);
    if (value === undefined || name === '') continue;
    ticks[allocator.take(name)] = value;
    groups.add((isMenu ? undefined : item.group) ?? 0);
    if (item.selected) chosen = item.text ?? null;
  }
  const count = Object.keys(ticks).length;
  if (count === 0) return undefined;
  return groups.size === 1 && !groups.has(0) && count > 1 ? chosen : ticks;
}
