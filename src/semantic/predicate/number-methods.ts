import { EvaluationError } from './evaluation-error.ts';
import type { Run } from './run.ts';
import { toNumber, toText, type Value } from './value.ts';

type NumberMethod = (run: Run, value: Value, args: readonly Value[]) => Value;

function toFixed(run: Run, value: Value, [digits]: readonly Value[]): string {
  const count = Math.trunc(toNumber(run, digits ?? 0)) || 0;
  if (count < 0 || count > 100) throw new EvaluationError('RangeError: toFixed() takes 0 to 100 digits');
  return toNumber(run, value).toFixed(count);
}

function toStringOf(run: Run, value: Value, [radix]: readonly Value[]): string {
  if (typeof value !== 'number' || radix === undefined) return toText(run, value);
  const base = Math.trunc(toNumber(run, radix)) || 0;
  if (base < 2 || base > 36) throw new EvaluationError('RangeError: toString() takes a radix of 2 to 36');
  return value.toString(base);
}

/** Methods of numbers; `toString` also for values without methods of their own. */
export const numberMethods: ReadonlyMap<string, NumberMethod> = new Map<string, NumberMethod>([
  ['toFixed', toFixed],
  ['toString', toStringOf],
]);
