/** The parts of one item of a list, by their author's names: who said it, when, and what. */
import { toValue } from '../../../../../insight/screen/words.ts';
import { attributeOf, firstElementChild, tagOf } from '../nodes.ts';
import type { Data } from '../screen.ts';
import type { SemanticNode } from '../semantic-node.ts';
import { isElement, isHidden, isSilent, textOf } from '../text.ts';
import { isButtonLike } from './row-cells.ts';

const MAX_ELEMENTS = 60;
const PART_TEXT = 300;
const NAMES: readonly (readonly [name: string, words: RegExp])[] = [
  ['author', /^(?:author|sender|user|username|nick|nickname|poster)$/],
  ['time', /^(?:time|timestamp|date|datetime|ago|posted)$/],
  ['title', /^(?:title|subject|headline|heading)$/],
  ['name', /^(?:name|fullname|displayname)$/],
  ['text', /^(?:text|message|msg|body|content|comment|excerpt|preview|snippet)$/],
];
/** One of these makes an item a message of somebody. */
const OF_A_MESSAGE = new Set(['author', 'time']);

/** By node: a changed element is another node. */
const known = new WeakMap<SemanticNode, Data | null>();

/** Null if it is one text. */
export function itemParts(node: SemanticNode): Data | null {
  const before = known.get(node);
  if (before !== undefined) return before;
  const parts = readParts(node.element);
  known.set(node, parts);
  return parts;
}

/** True for a message, a post or a comment, with an author or a time. */
export function isSaid(element: Element): boolean {
  return readParts(element) !== null;
}

function readParts(item: Element): Data | null {
  const parts: Data = {};
  const elements = new Set<Element>();
  let looked = 0;
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (++looked > MAX_ELEMENTS) return;
      if (isSilent(tagOf(child)) || isHidden(child) || isButtonLike(child)) continue;
      const name = partName(child);
      if (name === null || name in parts || holdsMore(child)) visit(child);
      else {
        const text = textOf(child, PART_TEXT);
        if (text === '') continue;
        parts[name] = toValue(text);
        elements.add(child);
      }
    }
  };
  visit(item);
  const names = Object.keys(parts);
  if (names.length < (parts.text === undefined ? 1 : 2) || !names.some((name) => OF_A_MESSAGE.has(name))) return null;
  if (parts.text === undefined) {
    const rest = textOf(item, PART_TEXT, (element) => elements.has(element) || isButtonLike(element));
    if (rest === '' && names.length < 2) return null;
    if (rest !== '') parts.text = toValue(rest);
  }
  return parts;
}

function partName(element: Element): string | null {
  const tag = tagOf(element);
  if (tag === 'time') return 'time';
  if (/^h[1-6]$/.test(tag)) return 'title';
  const said = [attributeOf(element, 'itemprop'), attributeOf(element, 'class'), attributeOf(element, 'data-testid')];
  // The last word decides: `message-author` is an author.
  const ends = said
    .flatMap((text) => text?.split(/\s+/) ?? [])
    .map((text) => text.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase())
    .map((text) => /([a-z]+)$/.exec(text)?.[1] ?? '');
  return NAMES.find(([, words]) => ends.some((end) => words.test(end)))?.[0] ?? null;
}

/** A box around several parts is no part itself. */
function holdsMore(element: Element): boolean {
  if (firstElementChild(element) === null) return false;
  let looked = 0;
  const visit = (at: Element): boolean => {
    for (const child of at.children) {
      if (++looked > MAX_ELEMENTS) return false;
      if (isElement(child) && (partName(child) !== null || visit(child))) return true;
    }
    return false;
  };
  return visit(element);
}
