import type { Scalar } from '../../client/index.ts';

/** What the daemon writes in place of a secret. */
export const REDACTED = '[redacted]';

/** What cannot be seen, or turns the order of what can: a text must not look like another one. */
const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** As JSON; a text that is longer than the limit is cut. */
export function valueText(value: Scalar, limit = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  // Cut first: a text may be a megabyte long.
  const isCut = value.length > limit;
  const text = JSON.stringify(isCut ? value.slice(0, limit) : value).replace(UNSEEN, escaped);
  return isCut ? `${text.slice(0, -1)}…` : text;
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function kindOf(value: Scalar): 'text' | 'number' | 'flag' | 'none' {
  if (value === null) return 'none';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'flag';
}
