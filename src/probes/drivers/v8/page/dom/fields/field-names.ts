/** Stable names for fields: a label often contains the value of its field, and changes with it. */

import { toName } from '../../../../../insight/screen/words.ts';
import { isInput } from './fields.ts';

interface Named {
  /** The label with each number replaced by one character. */
  readonly shape: string;
  readonly label: string;
}

/** While only numbers in its label change, a field keeps its first name. */
const named = new WeakMap<Element, Named>();
const NUMBER = /\d+(?:[.,]\d+)*/g;

export function lastingLabel(element: Element, label: string): string {
  if (!/\d/.test(label)) return label;
  const shape = label.replace(NUMBER, '#');
  const known = named.get(element);
  if (known?.shape === shape) return known.label;
  const lasting = isInput(element) ? withoutValue(label, element.value) : label;
  named.set(element, { shape, label: lasting });
  return lasting;
}

/** `Interval (every 45 seconds)` of a field that holds 45 is `Interval`; `Keep for 180 days` is `Keep for days`. */
export function withoutValue(label: string, value: string): string {
  const held = value.trim();
  if (!/^\d+(?:[.,]\d+)*$/.test(held)) return label;
  const has = (text: string) => (text.match(NUMBER) ?? []).some((number) => number === held);
  const outside = label.replace(/\s*\([^()]*\)/g, (part) => (has(part) ? '' : part));
  const rest = outside
    .replace(NUMBER, (number) => (number === held ? '' : number))
    .replace(/\s+/g, ' ')
    .trim();
  return toName(rest) === '' ? label : rest;
}
