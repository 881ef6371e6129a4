/** Texts in a drawing: the names of its nodes, the labels of a chart; and shapes that can be grabbed. */
import { attributeOf, parentNode } from './nodes.ts';
import { isElement, textOf } from './text.ts';

const MAX_TEXTS = 400;
const MAX_TEXT = 200;
const MAX_SHAPES = 100;
const FIRST_TEXTS = 40;
const LETTER = /[A-Za-z\u00aa-\uffff]/;
/** Pointers of elements that can be clicked or moved. */
const HANDS = new Set(['pointer', 'move', 'grab']);
const MAX_DEPTH = 10;

export interface Shape {
  readonly element: Element;
  readonly text: string;
}

/** Plain numbers are mostly those of an axis; a text drawn twice, one over the other, counts once. */
export function drawnTexts(drawing: Element): string[] {
  const texts: string[] = [];
  for (const element of textsOf(drawing)) {
    const text = textOf(element, MAX_TEXT);
    if (LETTER.test(text) && text !== texts.at(-1)) texts.push(text);
  }
  return texts;
}

/** By the first text in each. */
export function drawnShapes(drawing: Element): Shape[] {
  const shapes = new Map<Element, string>();
  let looked = 0;
  for (const element of textsOf(drawing)) {
    // Most drawings are pictures: the style of the first texts is enough to know.
    if (shapes.size >= MAX_SHAPES || (shapes.size === 0 && looked++ >= FIRST_TEXTS)) break;
    const text = textOf(element, MAX_TEXT);
    const shape = LETTER.test(text) ? shapeAround(element, drawing) : null;
    if (shape && !shapes.has(shape)) shapes.set(shape, text);
  }
  return [...shapes].map(([element, text]) => ({ element, text }));
}

function textsOf(drawing: Element): Element[] {
  return [...drawing.getElementsByTagName('text')].slice(0, MAX_TEXTS);
}

/** The pointer is inherited: the outermost element with it is the shape. */
function shapeAround(text: Element, drawing: Element): Element | null {
  const hand = getComputedStyle(text).cursor;
  if (!HANDS.has(hand) || attributeOf(drawing, 'role') === 'img') return null;
  let shape = text;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const around = parentNode(shape);
    if (!around || around === drawing || !isElement(around) || getComputedStyle(around).cursor !== hand) break;
    shape = around;
  }
  return shape;
}
