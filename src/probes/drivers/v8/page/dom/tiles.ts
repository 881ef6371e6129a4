/** What can be clicked though it is neither a button nor a link: a card, a row, a tile. No script can see its handlers. */
import { attributeOf, findInside, hasAttribute, parentNode } from './nodes.ts';
import { isElement } from './text.ts';

/** Parts of class names that such elements have. Only those are asked for their style. */
const HINT =
  /(?:^|[\s_-])(?:btn|button|click|tile|card|item|link|option|chip|pill|node|entry|action|thumb|cursor|pointer|select|sort|row)/i;
/** With one of these in it the element around is not what is meant to be clicked. */
const OWN_MEANS = 'a[href],input,select,textarea,[contenteditable]';

export function mayBeTile(element: Element): boolean {
  if (hasAttribute(element, 'onclick')) return true;
  const tabindex = attributeOf(element, 'tabindex');
  return (tabindex !== null && !tabindex.startsWith('-')) || HINT.test(attributeOf(element, 'class') ?? '');
}

/** By the pointer that it shows: a hand. What is inside of it shows the same and is no tile of its own. */
export function isTile(element: Element): boolean {
  if (!showsHand(element) || findInside(element, OWN_MEANS) !== null) return false;
  const around = parentNode(element);
  return !(around && isElement(around) && showsHand(around));
}

function showsHand(element: Element): boolean {
  return getComputedStyle(element).cursor === 'pointer';
}
