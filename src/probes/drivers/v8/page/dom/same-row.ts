/** Whether an index still means what it meant when it was read: a row that came in between moves all that follow. */

import { shorten } from '../../../../insight/screen/words.ts';
import { type Problem, problem } from './locator.ts';
import type { Target } from './page-actions.ts';

/** null: it does. `reported`: the same action as it was last told. */
export function checkRow(
  reported: Target | undefined,
  current: Target | undefined,
  index: number | undefined,
): Problem | null {
  if (!current || current.kind === 'form' || current.rows.length === 0) return null;
  if (index === undefined) return problem('the list has changed since: there are several now, to be chosen by index');
  const now = current.rows[index];
  // Whatever is wrong with the number itself is told by who looks it up.
  if (now === undefined || !reported || reported.kind === 'form') return null;
  const then = reported.rows[index];
  if (then === now) return null;
  // Times and prices in a row change all the time: it is the same one as long as nothing else did.
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
