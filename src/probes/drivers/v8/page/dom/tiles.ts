/** What can be clicked though it is neither a button nor a link: a card, a row, a tile. No script can see its handlers. */
import { attributeOf, findInside, firstElementChild, hasAttribute, parentNode } from './nodes.ts';
import { isElement } from './text.ts';

/** Parts of class names that such elements have. Only those are asked for their style. */
const HINT =
  /(?:^|[\s_-])(?:btn|button|click|tile|card|item|link|option|chip|pill|node|entry|action|thumb|cursor|pointer|select|sort|row)/i;
/** With one of these in it the element around is not what is meant to be clicked. */
const OWN_MEANS = 'a[href],input,select,textarea,[contenteditable]';

export function mayBeTile(element: Element): boolean {
  if (hasAttribute(element, 'onclick') || (element.localName === 'li' && isOneOfMarked(element))) return true;
  const tabindex = attributeOf(element, 'tabindex');
  return (tabindex !== null && !tabindex.startsWith('-')) || HINT.test(attributeOf(element, 'class') ?? '');
}

/** More controls side by side than this are no bar of which one shows something. */
export const MAX_BAR = 12;

/** One of several alike of which one is marked as the active one: a click on another shows that. */
export function isOneOfMarked(element: Element): boolean {
  const all = element.parentElement?.children ?? [];
  if (all.length < 2 || all.length > MAX_BAR || firstElementChild(element)?.localName === 'a') return false;
  const parts = [...all];
  return parts.every(({ localName }) => localName === element.localName) && parts.filter(isMarked).length === 1;
}

export function isChosen(element: Element): boolean {
  return element.localName === 'li' && isMarked(element) && isOneOfMarked(element);
}

export function isMarked(element: Element): boolean {
  return /(?:^|[\s_-])(?:is-?)?(?:active|selected|current)(?:$|[\s_-])/i.test(attributeOf(element, 'class') ?? '');
}

/** By the pointer that it shows: a hand. What is inside of it shows the same and is no tile of its own. */
export function isTile(element: Element): boolean {
  if (findInside(element, OWN_MEANS) !== null) return false;
  if (element.localName === 'li' && isOneOfMarked(element)) return true;
  if (!showsHand(element)) return false;
  const around = parentNode(element);
  return !(around && isElement(around) && showsHand(around));
}

export function isTitled(element: Element): boolean {
  return hasAttribute(element, 'title') || hasAttribute(element, 'aria-label');
}

function showsHand(element: Element): boolean {
  return getComputedStyle(element).cursor === 'pointer';
}
