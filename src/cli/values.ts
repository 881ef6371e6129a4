/** How values of an app's state look to a person. */
import type { Scalar } from '../client/node.ts';
import { cut, type Paint, printable } from './terminal.ts';

const MAX_VALUE = 200;

export function showValue(value: Scalar | undefined, paint: Paint): string {
  if (value === undefined) return paint('dim', 'nothing');
  if (value === null) return paint('dim', 'null');
  if (typeof value === 'string') return paint('green', cut(printable(JSON.stringify(value)), MAX_VALUE));
  return paint(typeof value === 'number' ? 'yellow' : 'magenta', String(value));
}
