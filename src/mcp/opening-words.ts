/** Parts of the screen that opened, closed or were selected, in words, which are clearer than the keys. */
import type { KeyChange } from '../model/state-look.ts';
import { briefText } from './app-data.ts';

export interface Opening {
  readonly text: string;
  readonly changes: readonly KeyChange[];
}

const LONGEST_TEXT = 200;
/** The same names, possibly inside a frame. */
const PLACE = String.raw`^(?:frames\.[^.[]+\.)?`;
const OPEN = new RegExp(String.raw`${PLACE}(dialog|menu)s\.(.+)\.open$`);
const EXPANDED = new RegExp(String.raw`${PLACE}expanded\.(.+)$`);
const CHOSEN = new RegExp(String.raw`${PLACE}tabs\.([^.[]+)$`);
const MESSAGE = new RegExp(String.raw`${PLACE}status\.`);
const MENU_ITEMS = new RegExp(String.raw`${PLACE}menus\.(.+)\.items(?:\[|\.length$)`);
const TREE_NODE = /^(.*\[\d+\])\.(expanded|selected)$/;

/** Separates openings from other changes. */
export function openingsAmong(changes: readonly KeyChange[]): { openings: Opening[]; others: KeyChange[] } {
  const openings: Opening[] = [];
  const others: KeyChange[] = [];
  for (const change of changes) {
    const text = wordsFor(change);
    if (text !== null) openings.push({ text, changes: [change] });
    // The items of a closed menu mean nothing; those of an opened one are its offers.
    else if (!MENU_ITEMS.test(change.key) || (change.after !== undefined && !/\.length$/.test(change.key)))
      others.push(change);
  }
  return { openings, others };
}

function wordsFor({ key, before, after }: KeyChange): string | null {
  const [, kind, name] = OPEN.exec(key) ?? [];
  if (kind !== undefined)
    return isOn(before) === isOn(after) ? null : `${kind} ${name} ${isOn(after) ? 'opened' : 'closed'}`;
  const [, expanded] = EXPANDED.exec(key) ?? [];
  // An item that appeared or vanished was not expanded or collapsed.
  if (expanded !== undefined)
    return before === undefined || after === undefined ? null : `${expanded} ${isOn(after) ? 'expanded' : 'collapsed'}`;
  const [, list] = CHOSEN.exec(key) ?? [];
  if (list !== undefined && typeof after === 'string')
    return `tab ${briefText(after, LONGEST_TEXT)} chosen (tabs.${list})`;
  if (MESSAGE.test(key) && typeof after === 'string' && after !== '' && (before === undefined || before === ''))
    return `message shown: ${briefText(after, LONGEST_TEXT)} (${key})`;
  const [, node, state] = TREE_NODE.exec(key) ?? [];
  if (node === undefined || typeof before !== 'boolean' || typeof after !== 'boolean') return null;
  return `${node} ${state === 'expanded' ? (after ? 'expanded' : 'collapsed') : after ? 'selected' : 'not selected any more'}`;
}

const isOn = (value: unknown) => value === true;
