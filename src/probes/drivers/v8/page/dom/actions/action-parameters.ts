/** Parameters of actions, limited: a page may have forms of thousands of fields and lists of all cities. */
import type { RawParameter } from '../../../../../../model/raw-action.ts';
import { shorten, toName } from '../../../../../insight/screen/words.ts';
import { type FieldKind, isInput, isSelect, isTextArea, optionsOf } from '../fields/fields.ts';
import { attributeOf, hasAttribute } from '../nodes.ts';
import type { FieldSite } from '../screen.ts';

const MAX_PARAMETERS = 60;
const MAX_EXAMPLES = 5;
const MAX_OPTIONS = 30;
const MAX_OPTIONS_TEXT = 800;
export const MAX_DESCRIPTION = 1_000;

const TYPES: Partial<Readonly<Record<FieldKind, RawParameter['type']>>> = { checkbox: 'boolean', number: 'number' };

/** The fields nearest to the top. */
export function formParameters(fields: readonly FieldSite[]): RawParameter[] {
  return fields
    .filter(({ kind }) => kind !== 'file')
    .slice(0, MAX_PARAMETERS)
    .map((field) => parameterOf(field, field.name));
}

export function parameterOf(field: FieldSite, name: string): RawParameter {
  const { element, kind, radios } = field;
  const { texts, total } =
    kind === 'radio' ? { texts: radios.map(({ label }) => label), total: radios.length } : optionsOf(element);
  const required =
    (hasAttribute(element, 'required') || attributeOf(element, 'aria-required') === 'true') &&
    kind !== 'checkbox' &&
    !hasValue(field);
  const inputType = attributeOf(element, 'type');
  const notes = [
    field.label === '' || toName(field.label) === name ? '' : shorten(field.label, 80),
    total > 0 ? `one of: ${listOptions(texts, total)}` : '',
    kind === 'value' && inputType !== null ? inputType : '',
  ].filter((note) => note !== '');
  return {
    name,
    type: inputType === 'range' ? 'number' : (TYPES[kind] ?? 'string'),
    required,
    ...(notes.length > 0 ? { description: shorten(notes.join('; '), MAX_DESCRIPTION - 1) } : {}),
  };
}

/** A field with a value is optional. */
function hasValue({ element, radios }: FieldSite): boolean {
  if (radios.length > 0) return radios.some((radio) => radio.element.checked);
  return (isInput(element) || isTextArea(element) || isSelect(element)) && element.value !== '';
}

/** `Lyon | Oslo | … and 200 more` */
export function listOptions(options: readonly string[], total: number): string {
  const shown: string[] = [];
  let length = 0;
  for (const option of options.slice(0, MAX_OPTIONS)) {
    const text = shorten(option, 60);
    length += text.length + 3;
    if (length > MAX_OPTIONS_TEXT) break;
    shown.push(text);
  }
  const left = total - shown.length;
  return left > 0 ? `${shown.join(' | ')} | … and ${left} more` : shown.join(' | ');
}

/** `rows`: the texts that distinguish them. */
export function indexParameter(rows: readonly string[]): RawParameter {
  const examples = rows.slice(0, MAX_EXAMPLES).map((row, at) => `${at} = ${shorten(row, 40)}`);
  return {
    name: 'index',
    type: 'number',
    required: true,
    description: `0 to ${rows.length - 1}, in the order of the page: ${examples.join(', ')}, …`,
  };
}
