/** Distinguishes pages from data that the browser only displays. */
import { getter, shadowRootOf } from '../nodes.ts';
import { isElement } from '../text.ts';

const contentTypeOf = getter(Document.prototype, 'contentType');
const scriptsOf = getter(Document.prototype, 'scripts');
const readyStateOf = getter(Document.prototype, 'readyState');
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|manifest)$/;

/** Null if it is a page. */
export function dataKind(): 'json' | 'text' | null {
  const type = contentTypeOf(document);
  if (JSON_TYPE.test(type)) return 'json';
  return /^text\/(?!html|xml)/.test(type) || type === 'application/javascript' ? 'text' : null;
}

export function isLoading(): boolean {
  return readyStateOf(document) !== 'complete';
}

const MEDIA = 'img,svg,canvas,video,audio,iframe,object,embed,input,textarea,select,button';

/** True without text or visible content. Addresses that are always empty do not count. */
export function showsNothing(): boolean {
  if (location.protocol === 'about:' || dataKind() !== null) return false;
  const { body } = document;
  if (body?.localName !== 'body') return false;
  return body.querySelector(MEDIA) === null && !hasText(body);
}

/** Open shadow roots may contain more than their surroundings. */
function hasText(root: Element | ShadowRoot): boolean {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let looked = 0; walker.nextNode(); looked++) {
    const { currentNode } = walker;
    if (looked > MAX_LOOKED) return true;
    if (isElement(currentNode)) {
      if (shadowRootOf(currentNode)) return true;
    } else if (isSaid(currentNode)) return true;
  }
  return false;
}

const MAX_LOOKED = 500;
const SAYS_NOTHING = new Set(['script', 'style', 'noscript', 'template']);

function isSaid({ parentNode, textContent }: Node): boolean {
  const isSilent = parentNode !== null && isElement(parentNode) && SAYS_NOTHING.has(parentNode.localName);
  return !isSilent && (textContent ?? '').trim() !== '';
}

/** The element of a loaded script may be gone, but the record of its loading is not. */
export function hasScripts(): boolean {
  return (
    scriptsOf(document).length > 0 ||
    performance
      .getEntriesByType('resource')
      .some((entry) => 'initiatorType' in entry && entry.initiatorType === 'script')
  );
}
