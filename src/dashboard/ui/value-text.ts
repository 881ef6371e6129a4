import type { Scalar } from '../../client/index.ts';
import { grouped } from './grouped.ts';

/** What the daemon writes in place of a secret. */
export const REDACTED = '[redacted]';

/** What cannot be seen, or turns the order of what can: a text must not look like another one. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** What probes write behind the beginning of a text that is too long for a state. */
const CUT_BY_A_PROBE = /… \[(\d+) characters\]$/;

/** How long a text of the app is, and how much of it there is here. */
export function lengthOf(text: string): string {
  const cut = CUT_BY_A_PROBE.exec(text);
  if (cut === null) return `${grouped(text.length)} characters`;
  return `${grouped(Number(cut[1]))} characters, of which the first ${grouped(cut.index)} are read`;
}

/** As JSON; a text that is longer than the limit is cut. */
export function valueText(value: Scalar, limit = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  // Cut first: a text may be a megabyte long.
  const isCut = value.length > limit;
  const text = JSON.stringify(isCut ? value.slice(0, limit) : value).replace(UNSEEN, escaped);
  return isCut ? `${text.slice(0, -1)}…` : text;
}

/** A name that an app chose, or a text of it, with what cannot be seen written out. */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function kindOf(value: Scalar): 'text' | 'number' | 'flag' | 'none' {
  if (value === null) return 'none';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'flag';
}
