import { EvaluationError } from './evaluation-error.ts';
import type { Run } from './run.ts';
import { type ArrayValue, elementAt, knownLength, type Value } from './value.ts';

/** A compiled arrow function. It pays for its own steps. */
export type Callback = (run: Run, ...args: readonly Value[]) => Value;
type CallbackMethod = (run: Run, array: ArrayValue, callback: Callback, args: readonly Value[]) => Value;

/** The index of the first element whose result is `wanted`, or -1. */
function firstIndex(run: Run, array: ArrayValue, callback: Callback, wanted: boolean): number {
  const length = knownLength(run, array);
  for (let index = 0; index < length; index += 1) {
    run.spend(1);
    if (Boolean(callback(run, elementAt(run, array, index), index, array)) === wanted) return index;
  }
  return -1;
}

function collect(run: Run, array: ArrayValue, take: (element: Value, index: number, result: Value[]) => void): Value {
  const length = knownLength(run, array);
  const result: Value[] = [];
  for (let index = 0; index < length; index += 1) {
    run.produceElements(1);
    take(elementAt(run, array, index), index, result);
  }
  return result;
}

function filter(run: Run, array: ArrayValue, callback: Callback): Value {
  return collect(run, array, (element, index, result) => {
    if (callback(run, element, index, array)) result.push(element);
  });
}

function map(run: Run, array: ArrayValue, callback: Callback): Value {
  return collect(run, array, (element, index, result) => {
    result.push(callback(run, element, index, array));
  });
}

function find(run: Run, array: ArrayValue, callback: Callback): Value {
  const index = firstIndex(run, array, callback, true);
  return index < 0 ? undefined : elementAt(run, array, index);
}

function reduce(run: Run, array: ArrayValue, callback: Callback, args: readonly Value[]): Value {
  const length = knownLength(run, array);
  if (length === 0 && args.length === 0) {
    throw new EvaluationError('TypeError: reduce of an empty array with no initial value');
  }
  let result = args.length === 0 ? elementAt(run, array, 0) : args[0];
  for (let index = args.length === 0 ? 1 : 0; index < length; index += 1) {
    run.spend(1);
    result = callback(run, result, elementAt(run, array, index), index, array);
  }
  return result;
}

/** The array methods whose first argument is a function. */
export const callbackMethods: ReadonlyMap<string, CallbackMethod> = new Map<string, CallbackMethod>([
  ['some', (run, array, callback) => firstIndex(run, array, callback, true) >= 0],
  ['every', (run, array, callback) => firstIndex(run, array, callback, false) < 0],
  ['filter', filter],
  ['map', map],
  ['find', find],
  ['findIndex', (run, array, callback) => firstIndex(run, array, callback, true)],
  ['reduce', reduce],
]);
