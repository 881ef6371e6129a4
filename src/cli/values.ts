/** Formats values of a state for people. */
import type { Scalar } from '../client/node.ts';
import { cut, type Paint, printable } from './terminal.ts';

const MAX_VALUE = 200;

export function showValue(value: Scalar | undefined, paint: Paint, width = MAX_VALUE): string {
  if (value === undefined) return paint('dim', cut('nothing', width));
  if (value === null) return paint('dim', cut('null', width));
  // Cut first, because a text may be very long.
  if (typeof value === 'string') return paint('green', cut(printable(JSON.stringify(value.slice(0, width))), width));
  return paint(typeof value === 'number' ? 'yellow' : 'magenta', cut(String(value), width));
}

/** `1 key`, `2 keys`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
