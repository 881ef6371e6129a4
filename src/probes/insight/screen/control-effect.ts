/** What the words of a control promise. */
import { beginsUnsure, saysLasting } from '../../../model/control-words.ts';
import type { Effect } from '../../../model/raw-action.ts';
import { wordsOf } from './words.ts';

/** By whole texts: the name of an action may be cut. `control`: nothing tells, so the name of the action is judged. */
export function pressEffect(...texts: readonly (string | undefined)[]): Effect {
  return texts.some((text) => saysLasting(wordsOf(text))) ? 'unknown' : 'control';
}

/** What `close` may stand before and still means the window or the program: `Close project`, `Close all`. */
const CLOSED_WITH_WINDOW = new Set(
  'window windows all it this the program application app file files document documents project session frame and'.split(
    ' ',
  ),
);

/**
 * What closes the window that it stands in, or the program with it, cannot be undone. A button in a dialog closes the
 * dialog, which is a part of the screen.
 */
export function closingEffect(place: 'menu' | 'window' | 'dialog', ...texts: readonly (string | undefined)[]): Effect {
  const closes = (text: string | undefined) => {
    const [first, ...rest] = wordsOf(text);
    return first === 'close' && rest.every((word) => CLOSED_WITH_WINDOW.has(word));
  };
  return place !== 'dialog' && texts.some(closes) ? 'unknown' : pressEffect(...texts);
}

/** Of what is undone by itself, or by another of its kind. */
export function toggleEffect(...texts: readonly (string | undefined)[]): Effect {
  if (pressEffect(...texts) === 'unknown') return 'unknown';
  return beginsUnsure(wordsOf(texts[0])) ? 'control' : 'setter';
}
