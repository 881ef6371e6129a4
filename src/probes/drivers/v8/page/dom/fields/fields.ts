/** Fields of forms: their kinds and values. */

import type { Scalar } from '../../../../../../model/scalar.ts';
import { REDACTED } from '../../../../../../model/secrets.ts';
import { shorten } from '../../../../../insight/screen/words.ts';
import { squeeze } from '../names.ts';
import { attributeOf, idOf, tagOf } from '../nodes.ts';
import { editorText, isEditor, richText } from './editors.ts';

const MAX_VALUE = 2_000;
const MAX_EDITOR = 4_000;
const MAX_OPTIONS = 40;

/** How a field is filled: by typing, by a click, by a choice, or by setting its value. */
export type FieldKind =
  | 'text'
  | 'password'
  | 'number'
  | 'checkbox'
  | 'radio'
  | 'select'
  | 'value'
  | 'file'
  | 'rich'
  | 'editor';

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLElement;

export function isInput(element: Element): element is HTMLInputElement {
  return tagOf(element) === 'input';
}
export function isTextArea(element: Element): element is HTMLTextAreaElement {
  return tagOf(element) === 'textarea';
}
export function isSelect(element: Element): element is HTMLSelectElement {
  return tagOf(element) === 'select';
}
export function isForm(element: Element): element is HTMLFormElement {
  return tagOf(element) === 'form';
}
export function isHtml(element: Element): element is HTMLElement {
  return element.namespaceURI === 'http://www.w3.org/1999/xhtml';
}

const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset']);
const KIND_OF_TYPE: Readonly<Record<string, FieldKind>> = {
  password: 'password',
  number: 'number',
  range: 'value',
  checkbox: 'checkbox',
  radio: 'radio',
  file: 'file',
  color: 'value',
  date: 'value',
  time: 'value',
  month: 'value',
  week: 'value',
  'datetime-local': 'value',
};

export function isButtonInput(element: Element): element is HTMLInputElement {
  return isInput(element) && BUTTON_TYPES.has(element.type);
}

/** Includes fields that show their password as text for a moment. */
const passwords = new WeakSet<Element>();

/** Null if it is no field, or an invisible one. */
export function fieldKind(element: Element): FieldKind | null {
  if (isInput(element)) {
    const { type } = element;
    if (type === 'password') passwords.add(element);
    return type === 'hidden' || BUTTON_TYPES.has(type) ? null : (KIND_OF_TYPE[type] ?? 'text');
  }
  if (isTextArea(element)) return 'text';
  if (isSelect(element)) return 'select';
  if (isEditor(element)) return 'editor';
  const editable = attributeOf(element, 'contenteditable');
  if (editable !== null && editable !== 'false' && isHtml(element)) return 'rich';
  return null;
}

const SECRET_AUTOCOMPLETE =
  /(?:^|\s)(?:cc-(?!exp|name|given|family|type)[\w-]+|one-time-code|(?:new|current)-password)\b/;

/** True if its value must not leave the page. */
function isSecretField(element: Element): boolean {
  if (passwords.has(element)) return true;
  if (SECRET_AUTOCOMPLETE.test(attributeOf(element, 'autocomplete') ?? '')) return true;
  return /passw|passphrase|\bcvv\b|\bcvc\b|\botp\b/i.test(
    `${attributeOf(element, 'name') ?? ''} ${idOf(element)} ${attributeOf(element, 'aria-label') ?? ''}`,
  );
}

/**
 * Returns a function that reads the field: facts that do not change without a mutation are computed once. Radio buttons
 * are read as one group, see `readSite`.
 */
export function fieldReader(element: Field, kind: FieldKind): () => Scalar {
  if (kind === 'password') return () => REDACTED;
  if (kind === 'rich') return () => shorten(richText(element), MAX_VALUE);
  if (kind === 'editor') return () => shorten(editorText(element), MAX_EDITOR);
  if (isSelect(element)) return () => readSelect(element);
  if (isTextArea(element)) return textReader(element);
  if (!isInput(element)) return () => '';
  if (kind === 'checkbox') return () => element.checked;
  if (kind === 'file') return () => element.files?.length ?? 0;
  if (element.type !== 'number' && element.type !== 'range') return textReader(element);
  const isSecret = isSecretField(element);
  return () => {
    const { value } = element;
    if (value === '') return null;
    return isSecret ? REDACTED : Number(value);
  };
}

function textReader(element: HTMLInputElement | HTMLTextAreaElement): () => Scalar {
  const isSecret = isSecretField(element);
  return () => {
    const { value } = element;
    return isSecret && value !== '' ? REDACTED : shorten(value, MAX_VALUE);
  };
}

function readSelect(select: HTMLSelectElement): string {
  if (select.multiple) {
    const chosen: string[] = [];
    for (const option of select.selectedOptions) {
      if (chosen.length === MAX_OPTIONS) break;
      chosen.push(optionText(option));
    }
    return chosen.join(', ');
  }
  const option = select.options[select.selectedIndex];
  return option ? optionText(option) : '';
}

export function optionText(option: HTMLOptionElement): string {
  return shorten(squeeze(option.label || option.text || option.value), 200);
}

/**
 * The choices, for a parameter's description; `total` includes those that are not read, since there may be thousands.
 */
export function optionsOf(element: Element): { texts: string[]; total: number } {
  const texts: string[] = [];
  if (!isSelect(element)) return { texts, total: 0 };
  let off = 0;
  for (const option of element.options) {
    if (texts.length === MAX_OPTIONS) break;
    if (option.disabled) off++;
    else texts.push(optionText(option));
  }
  return { texts, total: element.options.length - off };
}
