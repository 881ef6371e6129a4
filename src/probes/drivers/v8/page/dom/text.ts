/** The visible text, read without styles or layout: both would make the page compute them. */

import { squeeze } from './names.ts';
import {
  attributeOf,
  firstChild,
  firstElementChild,
  hasAttribute,
  nextSibling,
  nodeType,
  shadowRootOf,
  tagOf,
  textContent,
} from './nodes.ts';

const SILENT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'title',
  'meta',
  'link',
  'base',
  'svg',
  'iframe',
  'object',
  'canvas',
  'select',
  'textarea',
  'datalist',
  'option',
  'video',
  'audio',
]);
const INLINE = new Set(
  'a abbr b bdi cite code data dfn em font i kbd mark q s samp small span strong sub sup time u var wbr'.split(' '),
);
/** These mark a part of a word or sentence; other inline elements are separate from their neighbours. */
const WITHIN_WORDS = new Set('b bdi em font i mark q s strong sub sup u var wbr'.split(' '));
const LETTER_OR_DIGIT = /[a-z0-9\u00aa-\u1fff\u2c00-\ud7ff]/i;
const COUNT = /^[([]?\d[\d.,\s]*[km]?\+?[)\]]?$/i;
const MAX_COUNT = 10;
const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Deeper markup is no text. */
const MAX_STEPS = 2_000;

export function isElement(node: Node): node is Element {
  return nodeType(node) === 1;
}

// By type, not by class: nodes of a frame have classes of their own.
export function isDocument(node: Node): node is Document {
  return nodeType(node) === 9;
}

export function isShadowRoot(node: Node): node is ShadowRoot {
  return nodeType(node) === 11 && 'host' in node;
}

/** True if its own markup hides it, with everything in it. A style sheet may hide more. */
export function isHidden(element: Element): boolean {
  if (hasAttribute(element, 'hidden')) return true;
  // A style sheet may override the style of the element itself.
  if (hasHidingStyle(element) && !element.checkVisibility({ checkVisibilityCSS: true })) return true;
  // The content behind a modal dialog is marked like that as a whole, and is still visible.
  return attributeOf(element, 'aria-hidden') === 'true' && element.parentElement?.localName !== 'body';
}

export function hasHidingStyle(element: Element): boolean {
  const style = attributeOf(element, 'style');
  return style !== null && HIDING_STYLE.test(style);
}

export function isSilent(tag: string): boolean {
  return SILENT.has(tag);
}

/** A box whose text flows within the line. */
export function isInline(element: Element): boolean {
  return isInlineTag(tagOf(element));
}

export function isInlineTag(tag: string): boolean {
  return INLINE.has(tag);
}

/** Inline, but no part of a word or sentence. */
export function standsBeside(element: Element): boolean {
  return isInline(element) && !WITHIN_WORDS.has(tagOf(element));
}

/** A number in an element of its own, such as a badge: it changes, and its neighbours do not. */
export function isCount(element: Element): boolean {
  if (firstElementChild(element) !== null) return false;
  const text = (textContent(element) ?? '').slice(0, MAX_COUNT + 1).trim();
  return text.length <= MAX_COUNT && COUNT.test(text);
}

/** `Inbox (12)` is `Inbox`. */
export function withoutCount(text: string): string {
  const [, rest = ''] = /^(.*\S)\s*[([]\d[\d.,]*\+?[)\]]$/.exec(text) ?? [];
  return rest === '' ? text : rest;
}

/** The visible text of an element, in one line; pictures are read by their alternative text. */
export function textOf(root: Element, limit: number, skip: (element: Element) => boolean = () => false): string {
  // A fast path: nearly all elements hold only one text.
  if (firstElementChild(root) === null && shadowRootOf(root) === null)
    return squeeze((textContent(root) ?? '').slice(0, limit));
  let text = '';
  let steps = 0;
  /** The length of the text at the last edge of a separate element, or -1. */
  let edge = -1;
  const append = (more: string): void => {
    if (edge === text.length && isRunTogether(text, more)) text += ' ';
    text += more;
  };
  const read = (node: Node): void => {
    for (let child = firstChild(node); child && text.length < limit && steps < MAX_STEPS; child = nextSibling(child)) {
      steps++;
      if (nodeType(child) === 3) append(child.nodeValue ?? '');
      else if (isElement(child)) readElement(child);
    }
  };
  const readElement = (element: Element): void => {
    if (tagOf(element) === 'img') text += ` ${attributeOf(element, 'alt') ?? ''} `;
    if (isSilent(tagOf(element)) || isHidden(element) || skip(element)) return;
    const gap = isInline(element) ? '' : ' ';
    const isBeside = standsBeside(element);
    text += gap;
    if (isBeside) edge = text.length;
    readInside(element);
    text += gap;
    if (isBeside) edge = text.length;
  };
  const readInside = (element: Element): void => {
    const shadow = shadowRootOf(element);
    if (shadow) read(shadow);
    read(element);
  };
  readInside(root);
  return squeeze(text).slice(0, limit);
}

/** Style sheets separate the text of two elements; letters that are animated one by one are still one word. */
function isRunTogether(before: string, after: string): boolean {
  const [last, first] = [before.slice(-1), after.slice(0, 1)];
  if (!LETTER_OR_DIGIT.test(last) || !LETTER_OR_DIGIT.test(first)) return false;
  const isLetter = after.length === 1 && !/\d/.test(after);
  return !isLetter;
}
