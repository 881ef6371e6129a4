/**
 * Texts that a library draws on a canvas, where its objects tell what lies where: Konva's stages. Asked only for a click,
 * because it calls methods of the library; the DOM agent then checks that a canvas lies at that point.
 */
import { dataOf, isFunction, isObject, own } from './safe.ts';

const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 50;
const MAX_SHOWN = 40;

/** `count`: how many places show the text. The point is one of the document's window. */
export interface DrawnPlace {
  readonly count: number;
  readonly x: number;
  readonly y: number;
  readonly shows: string;
}

interface Drawn {
  readonly stage: object;
  readonly node: object;
  readonly text: string;
  /** Words of the groups around, the innermost first. */
  readonly around: readonly string[];
}

/** null: no library that is known draws it. */
export function drawnPlace(wanted: string, within: string): DrawnPlace | null {
  const [words, part] = [plain(wanted), plain(within)];
  const all = stagesOfKonva()
    .flatMap(textsIn)
    .filter(({ text, around }) => plain(text).includes(words) && around.some((one) => one.includes(part)));
  const exact = all.filter(({ text }) => plain(text) === words);
  const found = exact.length > 0 ? exact : all;
  const [first] = found;
  const point = first && middleOf(first.stage, first.node);
  return point ? { count: found.length, ...point, shows: first.text.slice(0, MAX_SHOWN) } : null;
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

function stagesOfKonva(): object[] {
  const stages = dataOf(own(globalThis, 'Konva'), 'stages');
  return Array.isArray(stages) ? stages.filter(isObject) : [];
}

function textsIn(stage: object): Drawn[] {
  const found: Drawn[] = [];
  let looked = 0;
  const visit = (node: object, around: readonly string[]): void => {
    if (++looked > MAX_OBJECTS || around.length > MAX_DEPTH) return;
    const text = textOf(node);
    if (text !== '' && ask(node, 'isVisible') !== false) found.push({ stage, node, text, around });
    const children = own(node, 'children');
    if (!Array.isArray(children)) return;
    const inner = children.filter(isObject);
    const words = plain(inner.map(textOf).join(' '));
    for (const child of inner) visit(child, [words, ...around]);
  };
  visit(stage, []);
  return found;
}

function textOf(node: object): string {
  const text = own(own(node, 'attrs'), 'text');
  return typeof text === 'string' ? text : '';
}

/** The library tells it in pixels of its stage, which the page may show larger or smaller. */
function middleOf(stage: object, node: object): { x: number; y: number } | null {
  const box = ask(node, 'getClientRect');
  const container = ask(stage, 'container');
  if (!isObject(box) || !(container instanceof Element)) return null;
  const place = (name: string) => Number(own(box, name));
  container.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const outer = container.getBoundingClientRect();
  const across = outer.width / Number(ask(stage, 'width')) || 1;
  const down = outer.height / Number(ask(stage, 'height')) || 1;
  const x = outer.left + (place('x') + place('width') / 2) * across;
  const y = outer.top + (place('y') + place('height') / 2) * down;
  return Number.isFinite(x) && Number.isFinite(y) ? { x, y } : null;
}

function ask(target: object, name: string): unknown {
  const method = dataOf(target, name);
  return isFunction(method) ? Reflect.apply(method, target, []) : undefined;
}
