/** Clickable elements that are neither a button nor a link: a card, a row, a tile. No script can see their handlers. */
import { attributeOf, findInside, firstElementChild, hasAttribute, parentNode } from '../nodes.ts';
import { isElement } from '../text.ts';

/** Parts of class names of such elements. Only for those is the style read. */
const HINT =
  /(?:^|[\s_-])(?:btn|button|click|tile|card|item|link|option|chip|pill|node|entry|action|thumb|cursor|pointer|select|sort|row)/i;
/** If an element contains one of these, it is not itself the target of clicks. */
const OWN_MEANS = 'a[href],input,select,textarea,[contenteditable]';

export function mayBeTile(element: Element): boolean {
  if (hasAttribute(element, 'onclick') || (element.localName === 'li' && isOneOfMarked(element))) return true;
  const tabindex = attributeOf(element, 'tabindex');
  return (tabindex !== null && !tabindex.startsWith('-')) || HINT.test(attributeOf(element, 'class') ?? '');
}

/** More controls side by side are no bar of which one shows something. */
export const MAX_BAR = 12;

/** True for one of several similar elements of which one is marked as active: a click on another shows that. */
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

/** By its pointer, a hand. Its content has the same pointer and is no tile of its own. */
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
