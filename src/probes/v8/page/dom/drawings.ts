/** Texts that a drawing shows: the names of its nodes, the labels of a chart. */
import { textOf } from './text.ts';

const MAX_TEXTS = 400;
const MAX_TEXT = 200;
const LETTER = /[A-Za-z\u00aa-\uffff]/;

/** Numbers alone are mostly those of an axis; what is drawn twice, one over the other, is one text. */
export function drawnTexts(drawing: Element): string[] {
  const texts: string[] = [];
  const elements = drawing.getElementsByTagName('text');
  for (let at = 0; at < Math.min(elements.length, MAX_TEXTS); at++) {
    const element = elements[at];
    const text = element ? textOf(element, MAX_TEXT) : '';
    if (LETTER.test(text) && text !== texts.at(-1)) texts.push(text);
  }
  return texts;
}
