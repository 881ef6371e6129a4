/** Free text: a paragraph, a sentence, a label that nothing else reports. */
import { squeeze } from './names.ts';
import { firstChild, firstElementChild, nextSibling, nodeType, tagOf } from './nodes.ts';
import { isElement, isInline, textOf } from './text.ts';

const MAX_PROSE = 1_000;
/** A single digit or mark means nothing without its surroundings. */
const MEANINGFUL = /[A-Za-z\u00aa-\uffff]{2}|\d{2}/;
/** These also occur within a line of text. */
const IN_LINE = new Set(['br', 'img']);

export interface Prose {
  readonly text: string;
  /** It is all of the text in the element. */
  readonly isAll: boolean;
}

/** All text in it if it is one text; otherwise its own text. */
export function proseOf(element: Element): Prose | null {
  let own = '';
  for (let node = firstChild(element); node; node = nextSibling(node))
    if (nodeType(node) === 3) own += ` ${node.nodeValue ?? ''}`;
  if (!MEANINGFUL.test(own)) return null;
  const isAll = flowsOn(element);
  return { text: isAll ? textOf(element, MAX_PROSE) : squeeze(own).slice(0, MAX_PROSE), isAll };
}

function flowsOn(element: Element): boolean {
  for (let child = firstElementChild(element); child; child = child.nextElementSibling)
    if (!isElement(child) || !(isInline(child) || IN_LINE.has(tagOf(child)))) return false;
  return true;
}
