/** Names for values that stand in plain text: `Total: 42.50`, `3 items left`, an amount beside its label, a text with an id. */

import { toName } from '../../../../insight/screen/words.ts';
import { labelName, looksLikeLabel, looksLikeValue, splitPair, squeeze } from './names.ts';
import {
  attributeOf,
  firstChild,
  firstElementChild,
  idOf,
  nodeType,
  previousElement,
  previousSibling,
  tagOf,
  textContent,
} from './nodes.ts';
import { isElement, isInline, textOf } from './text.ts';

const MAX_TEXT = 300;
const MAX_PAIR = 120;
const MAX_INLINE_PARTS = 4;
const NAMING_ATTRIBUTES = ['data-testid', 'data-test', 'itemprop'] as const;

export interface TextPair {
  readonly name: string;
  readonly value: string;
}

/** What this element tells by itself; null: nothing that has a name. */
export function pairOf(element: Element, hasAttributes: boolean): TextPair | null {
  if (!holdsOnlyText(element)) return null;
  const own = hasAttributes ? nameOf(element) : '';
  const text = textOf(element, MAX_TEXT);
  if (text === '') return null;
  if (text.length <= MAX_PAIR) {
    const pair = /[:\d]/.test(text) ? splitPair(text) : null;
    // `<p id="total">Total: 3</p>` is read by what it says; `<p id="count">3</p>` by its id.
    if (pair && pair.name !== '') return pair;
    const label = labelBefore(element, text);
    if (label !== '') return { name: label, value: text };
  }
  return own === '' ? null : { name: own, value: text };
}

function holdsOnlyText(element: Element): boolean {
  let parts = 0;
  for (let child = firstElementChild(element); child; child = child.nextElementSibling)
    if (++parts > MAX_INLINE_PARTS || !isInline(child) || firstElementChild(child) || tagOf(child) === 'a')
      return false;
  return firstChild(element) !== null;
}

function nameOf(element: Element): string {
  for (const attribute of NAMING_ATTRIBUTES) {
    const value = attributeOf(element, attribute);
    if (value) return toName(value);
  }
  // Ids with digits are mostly made by a library: `radix-3`, `:r1:`.
  return idOf(element) === '' || /\d|:/.test(idOf(element)) ? '' : toName(idOf(element));
}

function labelBefore(element: Element, text: string): string {
  const before = previousShown(element);
  // The text of a large part would cost much to read, and is no label.
  if (!before || (isElement(before) && firstElementChild(before))) return '';
  const raw = textContent(before) ?? '';
  if (!/:\s*$/.test(raw) && !/\d/.test(text)) return '';
  const label = squeeze(raw.slice(0, MAX_PAIR));
  if (label.endsWith(':')) return labelName(label);
  if (!isElement(before) || previousElement(before) !== null) return '';
  return looksLikeLabel(label) && looksLikeValue(text) ? toName(label) : '';
}

function previousShown(element: Element): Node | null {
  for (let node = previousSibling(element); node; node = previousSibling(node))
    if (isElement(node) || (nodeType(node) === 3 && (node.nodeValue ?? '').trim() !== '')) return node;
  return null;
}
