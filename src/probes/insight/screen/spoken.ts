/** The words of controls: how they are quoted, and what they promise. */
import { beginsUnsure, saysLasting } from '../../../model/control-words.ts';
import type { Effect } from '../../../model/raw-action.ts';
import { shorten, wordsOf } from './names.ts';

const MAX_WORDS = 60;

export function quoted(text: string): string {
  return `"${shorten(text, MAX_WORDS)}"`;
}

/** By whole texts: the name of an action may be cut. `control`: nothing tells, so the name of the action is judged. */
export function pressEffect(...texts: readonly (string | undefined)[]): Effect {
  return texts.some((text) => saysLasting(wordsOf(text))) ? 'unknown' : 'control';
}

/** Of what is undone by itself, or by another of its kind. */
export function toggleEffect(...texts: readonly (string | undefined)[]): Effect {
  if (pressEffect(...texts) === 'unknown') return 'unknown';
  return beginsUnsure(wordsOf(texts[0])) ? 'control' : 'setter';
}
