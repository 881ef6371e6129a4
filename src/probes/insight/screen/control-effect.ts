/** What the words of a control promise. */
import { beginsUnsure, saysLasting } from '../../../model/control-words.ts';
import type { Effect } from '../../../model/raw-action.ts';
import { wordsOf } from './names.ts';

/** By whole texts: the name of an action may be cut. `control`: nothing tells, so the name of the action is judged. */
export function pressEffect(...texts: readonly (string | undefined)[]): Effect {
  return texts.some((text) => saysLasting(wordsOf(text))) ? 'unknown' : 'control';
}

/** Of what is undone by itself, or by another of its kind. */
export function toggleEffect(...texts: readonly (string | undefined)[]): Effect {
  if (pressEffect(...texts) === 'unknown') return 'unknown';
  return beginsUnsure(wordsOf(texts[0])) ? 'control' : 'setter';
}
