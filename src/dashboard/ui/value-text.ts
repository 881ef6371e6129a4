import type { Scalar } from '../../client/index.ts';

/** What the daemon writes in place of a secret. */
export const REDACTED = '[redacted]';

/** As JSON; a text that is longer than the limit is cut. */
export function valueText(value: Scalar, limit = Number.POSITIVE_INFINITY): string {
  // Cut first: a text may be a megabyte long.
  if (typeof value === 'string' && value.length > limit)
    return `${JSON.stringify(value.slice(0, limit)).slice(0, -1)}…`;
  return JSON.stringify(value);
}

export function kindOf(value: Scalar): 'text' | 'number' | 'flag' | 'none' {
  if (value === null) return 'none';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'flag';
}
