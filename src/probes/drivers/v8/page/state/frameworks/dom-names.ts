/** Names for components from the elements that they render. Reads attributes and texts, never the layout. */
import { isGeneratedId, readableClass } from '../generated.ts';
import { camelName } from '../naming.ts';

/** From names meant for machines to names meant for people, which may contain data. */
export const NAMING_ATTRIBUTES = ['data-testid', 'data-test', 'id', 'aria-label', 'name'];
const HEADINGS = 'h1,h2,h3,h4,h5,h6,legend,caption';
/** Their content is temporary: a heading in them names no component around. */
const PASSING = 'dialog,[role=dialog],[role=alertdialog],[role=menu],[aria-modal],[hidden],[aria-hidden=true],[inert]';
const MAX_TEXT = 80;
const MAX_HEADINGS = 8;

/** The element's own attributes, its heading, or its class; empty if there is none. */
export function nameOfElement(node: unknown): string {
  const element = firstElement(node);
  if (!element) return '';
  for (const attribute of NAMING_ATTRIBUTES) {
    const name = shortName(element.getAttribute(attribute));
    if (name) return name;
  }
  if (element.localName.includes('-')) return shortName(element.localName) ?? '';
  const heading = /^(h[1-6]|label)$/.test(element.localName) ? element : headingBelow(element);
  return headingName(heading?.textContent) ?? classNameOf(element.getAttribute('class')) ?? '';
}

/** The first one that is visible in the component. */
function headingBelow(element: Element): Element | null {
  let looks = 0;
  for (const heading of element.querySelectorAll(HEADINGS)) {
    if (++looks > MAX_HEADINGS) break;
    const around = heading.closest(PASSING);
    const isInside = around !== null && around !== element && element.contains(around);
    if (!isInside && heading.checkVisibility({ checkVisibilityCSS: true })) return heading;
  }
  return null;
}

/** A long heading contains data (`Orders of Ada Lovelace`), and data is no name. */
export function headingName(text: unknown): string | null {
  return typeof text === 'string' && text.trim().split(/\s+/).length <= 3 ? shortName(text) : null;
}

export function classNameOf(classes: unknown): string | null {
  if (typeof classes !== 'string') return null;
  const readable = readableClass(classes);
  return readable ? shortName(readable) : null;
}

export function shortName(text: unknown): string | null {
  return typeof text === 'string' && text.length < MAX_TEXT && !isGeneratedId(text) ? camelName(text) : null;
}

function firstElement(node: unknown): Element | null {
  let at = node instanceof Node ? node : null;
  // Fragments begin with an empty text or a comment.
  for (let steps = 0; at && steps < 8; steps++) {
    if (at instanceof Element) return at;
    at = at.nextSibling;
  }
  return null;
}
