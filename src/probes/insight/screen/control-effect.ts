/** Derives the effect of a control from its text. */
import { beginsUnsure, saysLasting } from '../../../model/control-words.ts';
import type { Effect } from '../../../model/raw-action.ts';
import { wordsOf } from './words.ts';

/**
 * Judges whole texts, since the name of an action may be cut. `control`: the texts decide nothing, so the name is
 * judged.
 */
export function pressEffect(...texts: readonly (string | undefined)[]): Effect {
  return texts.some((text) => saysLasting(wordsOf(text))) ? 'unknown' : 'control';
}

/** Words after `close` with which it still means the window or the program: `Close project`, `Close all`. */
const CLOSED_WITH_WINDOW = new Set(
  'window windows all it this the program application app file files document documents project session frame and'.split(
    ' ',
  ),
);

/**
 * Closing the window, or the program with it, cannot be undone. A button in a dialog closes only the dialog, which is a
 * part of the screen.
 */
export function closingEffect(place: 'menu' | 'window' | 'dialog', ...texts: readonly (string | undefined)[]): Effect {
  const closes = (text: string | undefined) => {
    const [first, ...rest] = wordsOf(text);
    return first === 'close' && rest.every((word) => CLOSED_WITH_WINDOW.has(word));
  };
  return place !== 'dialog' && texts.some(closes) ? 'unknown' : pressEffect(...texts);
}

/** The effect of a control that is undone by itself, or by another of its group. */
export function toggleEffect(...texts: readonly (string | undefined)[]): Effect {
  if (pressEffect(...texts) === 'unknown') return 'unknown';
  return beginsUnsure(wordsOf(texts[0])) ? 'control' : 'setter';
}
