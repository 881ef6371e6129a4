/** Searches keys, and values if wanted. */

import type { Scalar } from '../../client/index.ts';
import { globMatcher } from '../../model/glob.ts';

export type Matcher = (key: string, value: Scalar | undefined) => boolean;

/** Null without a search. A text with `*` or `?` is a pattern for whole keys, any other a part of one. */
export function matcherFor(query: string, inValues: boolean): Matcher | null {
  const wanted = query.trim();
  if (wanted === '') return null;
  const isKeyMatch = isPattern(wanted) ? globMatcher(wanted) : containing(wanted);
  if (!inValues) return (key) => isKeyMatch(key);
  const isTextMatch = containing(wanted);
  return (key, value) => isKeyMatch(key) || (value !== undefined && isTextMatch(String(value)));
}

export function isPattern(query: string): boolean {
  return /[*?]/.test(query);
}

/** Ignores case. A regular expression makes no copy of the searched text. */
function containing(wanted: string): (text: string) => boolean {
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i');
  return (text) => pattern.test(text);
}

export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits the last step of a key into pieces. A match may begin in earlier steps; its end is highlighted. */
export function pieces(path: string, name: string, query: string): Piece[] {
  const wanted = query.trim().toLowerCase();
  const whole = path.toLowerCase();
  const found: Piece[] = [];
  let done = path.length - name.length;
  const add = (end: number, isMatch: boolean) => {
    if (end > done) found.push({ text: path.slice(done, end), isMatch });
    done = Math.max(done, end);
  };
  for (let at = wanted === '' ? -1 : whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
    if (at > done) add(at, false);
    add(at + wanted.length, true);
  }
  add(path.length, false);
  return found;
}
