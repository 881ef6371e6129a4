/** A document that is data: JSON as its content, any other text as a text. */

import { rootElement, textContent } from '../nodes.ts';
import { Screen } from '../screen.ts';
import { boundData, parseJson } from './bounded-data.ts';
import { dataKind } from './document-kind.ts';

/** Parsed without a pause, some 10 ms for each million characters; a longer one is shown as text, cut. */
const MAX_JSON = 4_000_000;
const MAX_TEXT = 10_000;

export function readDataDocument(maxKeys: number): Screen {
  const screen = new Screen();
  const root = rootElement();
  if (!root) return screen;
  const text = documentText(root);
  const data = dataKind() === 'json' && text.length <= MAX_JSON ? parseJson(text) : undefined;
  if (data === undefined) {
    screen.roots.set('document', { text: text.slice(0, MAX_TEXT), length: text.length });
    return screen;
  }
  const { value, leftOut } = boundData(data, { leaves: maxKeys, elements: maxKeys });
  screen.leftOut += leftOut;
  screen.roots.set('document', isRecord(value) ? value : { value });
  return screen;
}

/** The browser shows the text in the first `<pre>`, beside controls of its own. */
function documentText(root: Element): string {
  const shown = root.querySelector('pre') ?? root;
  return textContent(shown) ?? '';
}

function isRecord(value: unknown): value is { [key: string]: unknown } | unknown[] {
  return typeof value === 'object' && value !== null;
}
