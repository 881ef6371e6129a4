/** Checks that an index still has the same meaning as when it was read: a new row moves all later ones. */

import { shorten } from '../../../../../insight/screen/words.ts';
import { type Problem, problem } from '../actions/locator.ts';
import type { Target } from '../actions/page-actions.ts';

/** Null if it has. `reported`: the same action in the last report. */
export function checkRow(
  reported: Target | undefined,
  current: Target | undefined,
  index: number | undefined,
): Problem | null {
  if (!current || current.kind === 'form' || current.rows.length === 0) return null;
  if (index === undefined) return problem('the list has changed since: there are several now, to be chosen by index');
  const now = current.rows[index];
  // The lookup reports problems of the number itself.
  if (now === undefined || !reported || reported.kind === 'form') return null;
  const then = reported.rows[index];
  if (then === now) return null;
  // Times and prices in a row change all the time: it is the same row while nothing else changed.
  const isSameElement = elementAt(reported, index) === elementAt(current, index);
  const isSameLength = reported.rows.length === current.rows.length;
  if (then !== undefined && isSameElement && isSameLength && wordsIn(then) === wordsIn(now)) return null;
  return problem(`the list has changed since: number ${index} is now "${shorten(now, 60)}"`);
}

function elementAt(target: Exclude<Target, { kind: 'form' }>, index: number): Element | undefined {
  return target.kind === 'fields' ? target.fields[index]?.element : target.elements[index];
}

function wordsIn(text: string): string {
  return text.replace(/\d[\d.,:]*/g, '0');
}
