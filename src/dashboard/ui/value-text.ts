import type { Scalar } from '../../client/index.ts';
import { grouped } from './grouped.ts';

/** The daemon writes this in place of a secret. */
export const REDACTED = '[redacted]';

/** Characters that are invisible, or change the order of visible ones: a text must not look like another one. */
const INVISIBLE = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** Probes append this to a text that was too long for a state. */
const CUT_BY_A_PROBE = /… \[(\d+) characters\]$/;

/** The length of a text of the app, and of the part that was read. */
export function lengthOf(text: string): string {
  const cut = CUT_BY_A_PROBE.exec(text);
  if (cut === null) return `${grouped(text.length)} characters`;
  return `${grouped(Number(cut[1]))} characters, of which the first ${grouped(cut.index)} are read`;
}

/** As JSON; a text longer than the limit is cut. */
export function valueText(value: Scalar, limit = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  // Cut first: a text may be a megabyte long.
  const isCut = value.length > limit;
  const text = JSON.stringify(isCut ? value.slice(0, limit) : value).replace(INVISIBLE, escaped);
  return isCut ? `${text.slice(0, -1)}…` : text;
}

/** A name or text of an app, with invisible characters escaped. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function kindOf(value: Scalar): 'text' | 'number' | 'flag' | 'none' {
  if (value === null) return 'none';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'flag';
}
