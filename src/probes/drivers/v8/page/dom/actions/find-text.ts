/** Finds the element that a person would click for these words: any element, whatever its markup. */

import { shorten } from '../../../../../insight/screen/words.ts';
import { squeeze } from '../names.ts';
import { parentNode, shadowRootOf } from '../nodes.ts';
import { isElement, isSilent, textOf } from '../text.ts';
import { type Found, type Problem, problem } from './locator.ts';

const MAX_STEPS = 200_000;
const MAX_TEXT = 300;
const MAX_FOUND = 50;

/** `within`: words of the surrounding part of the page, to distinguish several matches. */
export function findText(wanted: string, within: string): Found | Problem {
  const name = `the text "${shorten(wanted, 40)}"`;
  const words = plain(wanted);
  if (words === '') return problem('the text to click is empty');
  const all = elementsWith(document.documentElement, words);
  const exact = all.filter((element) => plain(textOf(element, MAX_TEXT)) === words);
  const candidates = exact.length > 0 ? exact : all;
  const found = within === '' ? candidates : nearest(candidates, plain(within));
  const [first] = found;
  if (!first) return problem(all.length === 0 ? `${name} is not shown` : `${name} is not in "${shorten(within, 40)}"`);
  if (found.length > 1) return problem(`${found.length} places show ${name}: say in which part of the page (in)`);
  return { element: first, site: null, name };
}

const plain = (text: string) => squeeze(text).toLowerCase();

/** The innermost visible elements with the words. */
function elementsWith(root: Element, words: string): Element[] {
  const found: Element[] = [];
  let steps = 0;
  const visit = (element: Element): boolean => {
    if (++steps > MAX_STEPS || found.length >= MAX_FOUND || isSilent(element.localName)) return false;
    if (!plain(element.textContent ?? '').includes(words) && shadowRootOf(element) === null) {
      if (element.querySelector('*') === null || !holdsShadow(element)) return false;
    }
    const inner = [...(shadowRootOf(element)?.children ?? []), ...element.children];
    const isInside = inner.map(visit).some((isFound) => isFound);
    if (isInside) return true;
    if (!plain(textOf(element, MAX_TEXT)).includes(words)) return false;
    if (!element.checkVisibility({ checkVisibilityCSS: true })) return false;
    found.push(element);
    return true;
  };
  visit(root);
  return found;
}

/** Text in a shadow tree is not part of the surrounding text. */
function holdsShadow(element: Element): boolean {
  return [...element.querySelectorAll('*')].some((inner) => shadowRootOf(inner) !== null);
}

/** Those with the fewest steps up to an element with the words of the part. */
function nearest(candidates: readonly Element[], within: string): Element[] {
  let best = Number.POSITIVE_INFINITY;
  let found: Element[] = [];
  for (const candidate of candidates) {
    let distance = 0;
    for (let at: Node | null = parentNode(candidate); at && isElement(at); at = parentNode(at)) {
      distance++;
      if (distance > best) break;
      if (!plain(at.textContent ?? '').includes(within)) continue;
      if (distance < best) found = [];
      best = distance;
      found.push(candidate);
      break;
    }
  }
  return found;
}
