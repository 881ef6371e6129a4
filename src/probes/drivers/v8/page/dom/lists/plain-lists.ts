/** Lists that only their look makes lists: similar elements side by side, each with a short text. */

import { attributeOf, findInside, firstElementChild, tagOf, textContent } from '../nodes.ts';
import { textOf } from '../text.ts';
import { pairOf } from '../text-pair.ts';
import { isSaid } from './item-parts.ts';

const MIN_ITEMS = 3;
const MAX_TEXT = 300;
/** An element that contains one of these is a part of the page, no item. */
const STRUCTURE =
  'h1,h2,h3,h4,h5,h6,table,ul,ol,dl,form,fieldset,section,article,nav,main,p,label,input,select,textarea';
const MAX_PARTS = 8;

/** The mark that its items share; null if it is no list. */
export function itemMark(element: Element): string | null {
  const first = firstElementChild(element);
  const second = first?.nextElementSibling;
  if (!first || !second?.nextElementSibling) return null;
  const mark = markOf(first);
  if (mark === null || markOf(second) !== mark || element.childElementCount < MIN_ITEMS) return null;
  for (const child of [first, second]) if (!isItem(child)) return null;
  return markOf(second.nextElementSibling) === mark ? mark : null;
}

export function markOf(element: Element): string | null {
  const classes = attributeOf(element, 'class');
  return classes ? `${tagOf(element)} ${classes}` : null;
}

/** Pairs of a name and a value are reported as such; icons and empty boxes mean nothing. */
function isItem(element: Element): boolean {
  if (tagOf(element) !== 'div' || (textContent(element)?.length ?? 0) > 10 * MAX_TEXT) return false;
  if (isSaid(element)) return true;
  if (findInside(element, STRUCTURE)) return false;
  const text = textOf(element, MAX_TEXT + 1);
  if (text.length > MAX_TEXT || !/[A-Za-z\u00aa-\uffff]/.test(text)) return false;
  const parts = [element, ...element.getElementsByTagName('*')].slice(0, MAX_PARTS);
  return parts.every((part) => pairOf(part, true) === null);
}
