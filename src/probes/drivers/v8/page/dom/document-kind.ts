/** What the browser made of a file: a page, or data that it only shows. */
import { getter } from './nodes.ts';

const contentTypeOf = getter(Document.prototype, 'contentType');
const scriptsOf = getter(Document.prototype, 'scripts');
const readyStateOf = getter(Document.prototype, 'readyState');
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?(?:json|manifest)$/;

/** null: it is a page. */
export function dataKind(): 'json' | 'text' | null {
  const type = contentTypeOf(document);
  if (JSON_TYPE.test(type)) return 'json';
  return /^text\/(?!html|xml)/.test(type) || type === 'application/javascript' ? 'text' : null;
}

export function isLoading(): boolean {
  return readyStateOf(document) !== 'complete';
}

/** An element that loaded a script may be gone since, but not that it was loaded. */
export function hasScripts(): boolean {
  return (
    scriptsOf(document).length > 0 ||
    performance
      .getEntriesByType('resource')
      .some((entry) => 'initiatorType' in entry && entry.initiatorType === 'script')
  );
}
