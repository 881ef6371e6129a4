/** The actions of an enabled field, list, tree or table. */
import type { Effect, RawParameter } from '../../../model/raw-action.ts';
import type { Scalar } from '../../../model/scalar.ts';
import type { Area } from './area.ts';
import { columnNames } from './area-record.ts';
import { toggleEffect } from './control-effect.ts';
import { MAX_QUOTED, quoted } from './names.ts';
import type { Rows, UiOperation } from './screen-facts.ts';
import type { FieldName } from './widget-names.ts';
import type { Widget } from './widget-tree.ts';
import { shorten } from './words.ts';

const MAX_OPTIONS_TEXT = 800;
const A_DATE = 'a date such as 2024-05-31, or 2024-05-31T14:30:00';

export interface FieldAction {
  readonly operation: UiOperation;
  /** `set_customer_name` */
  readonly name: string;
  readonly effect: Effect;
  readonly description: string;
  readonly parameters: readonly RawParameter[];
}

export function fieldActions(area: Area, field: Widget, { name, title }: FieldName): FieldAction[] {
  const radios = area.radiosOf(field);
  if (field.disabled && !radios) return [];
  const called = quoted(title);
  const { rows } = field;
  const set = (what: string, type: RawParameter['type'], values?: string) =>
    action('set', `set_${name}`, 'setter', `${what} ${called}`, parameter('value', type, values));
  const submit = field.submits
    ? [action('submit', `submit_${name}`, 'unknown', `Presses Enter in the field ${called}`)]
    : [];
  switch (field.role) {
    case 'text':
    case 'password':
      return field.editable ? [set('Sets the field', 'string'), ...submit] : [];
    case 'slider':
    case 'spinner': {
      const isNumber = typeof field.value === 'number' || field.range !== undefined;
      return field.editable ? [set('Sets', isNumber ? 'number' : 'string', field.range)] : [];
    }
    case 'date':
      return [set('Sets', 'string', A_DATE)];
    case 'check':
    case 'toggle':
    case 'radio':
      return toggleActions(field, radios, name, called);
    case 'choice':
    case 'tabs': {
      if (!rows || (rows.total === 0 && !rows.editable)) return [];
      const what = field.role === 'tabs' ? 'Shows a tab of' : 'Chooses in';
      const value = parameter('value', 'string', options(rows.shown, rows.total, rows.editable));
      const choose = action('choose', `select_${name}`, 'setter', `${what} ${called}`, value);
      return rows.editable ? [choose, ...submit] : [choose];
    }
    default:
      return rows && rows.total > 0 ? rowActions(field, rows, name, called) : [];
  }
}

function toggleActions(field: Widget, radios: readonly Widget[] | null, name: string, called: string): FieldAction[] {
  if (radios) {
    if (radios.every(({ disabled }) => disabled)) return [];
    const texts = radios.map(({ text = '' }) => text);
    const value = parameter('value', 'string', options(texts, texts.length));
    return [action('choose', `set_${name}`, toggleEffect(...texts), `Chooses in ${called}`, value)];
  }
  const effect = toggleEffect(field.text, field.tip);
  if (field.role === 'radio' || field.group !== undefined)
    return [action('press', `select_${name}`, effect, `Selects ${called}`)];
  return [action('set', `set_${name}`, effect, `Switches ${called} on or off`, parameter('value', 'boolean'))];
}

function rowActions(field: Widget, rows: Rows, name: string, called: string): FieldAction[] {
  const range = rows.total === 1 ? '0' : `0 to ${rows.total - 1}`;
  const index = parameter('index', 'number', `${range}, as in its rows`);
  const flag = parameter('value', 'boolean');
  const actions = [action('select', `select_${name}`, 'setter', `Selects a row of ${called}`, index)];
  if (field.opens) actions.push(action('open', `open_${name}`, 'unknown', `Double-clicks a row of ${called}`, index));
  if (rows.ticks) actions.push(action('tick', `check_${name}`, 'setter', `Ticks a row of ${called}`, index, flag));
  if (field.role === 'tree') {
    actions.push(action('expand', `expand_${name}`, 'setter', `Unfolds a row of ${called}`, index));
    actions.push(action('collapse', `collapse_${name}`, 'setter', `Folds a row of ${called}`, index));
  }
  if (field.role === 'table' && rows.editable) {
    const columns = columnNames(rows);
    const row = parameter('row', 'number', range);
    const column = parameter('column', 'string', options(columns, columns.length));
    const value = parameter('value', 'any');
    actions.push(action('set_cell', `set_${name}_cell`, 'setter', `Writes a cell of ${called}`, row, column, value));
  }
  return actions;
}

function action(
  operation: UiOperation,
  name: string,
  effect: Effect,
  description: string,
  ...parameters: readonly RawParameter[]
): FieldAction {
  return { operation, name, effect, description, parameters };
}

function parameter(name: string, type: RawParameter['type'], description?: string): RawParameter {
  return { name, type, required: true, isChecked: true, ...(description === undefined ? {} : { description }) };
}

/** `one of: Lyon | Oslo | … and 200 more` */
function options(values: readonly (Scalar | readonly Scalar[])[], total: number, isOpen = false): string {
  if (total === 0) return 'any text';
  let text = isOpen ? 'any text, or one of: ' : 'one of: ';
  let shown = 0;
  for (const value of values) {
    const word = shorten(String(value ?? ''), MAX_QUOTED);
    if (text.length + word.length > MAX_OPTIONS_TEXT) break;
    text += `${shown++ > 0 ? ' | ' : ''}${word}`;
  }
  return shown < total ? `${text} | … and ${total - shown} more` : text;
}
