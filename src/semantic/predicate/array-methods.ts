import { sameValueZero, strictEquals } from './operators.ts';
import type { Run } from './run.ts';
import {
  type ArrayValue,
  arrayLength,
  elementAt,
  isArrayValue,
  joinElements,
  knownLength,
  toNumber,
  toText,
  type Value,
} from './value.ts';

type ArrayMethod = (run: Run, array: ArrayValue, args: readonly Value[]) => Value;

/** A position as array methods take it: negative counts from the end, and it stays within the array. */
function position(run: Run, value: Value, length: number, otherwise: number): number {
  if (value === undefined) return otherwise;
  const index = Math.trunc(toNumber(run, value)) || 0;
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}

function search(run: Run, array: ArrayValue, [wanted, from]: readonly Value[], equals: typeof strictEquals): number {
  const length = knownLength(run, array);
  for (let index = position(run, from, length, 0); index < length; index += 1) {
    run.spend(1);
    if (equals(run, elementAt(run, array, index), wanted)) return index;
  }
  return -1;
}

function lastIndexOf(run: Run, array: ArrayValue, args: readonly Value[]): number {
  const length = knownLength(run, array);
  const from = args.length < 2 ? length - 1 : Math.trunc(toNumber(run, args[1])) || 0;
  for (let index = from < 0 ? length + from : Math.min(from, length - 1); index >= 0; index -= 1) {
    run.spend(1);
    if (strictEquals(run, elementAt(run, array, index), args[0])) return index;
  }
  return -1;
}

export function copyElements(run: Run, array: ArrayValue, from = 0, to = Number.POSITIVE_INFINITY): Value[] {
  const end = Math.min(to, knownLength(run, array));
  run.produceElements(Math.max(0, end - from));
  const copy: Value[] = [];
  for (let index = from; index < end; index += 1) copy.push(elementAt(run, array, index));
  return copy;
}

function slice(run: Run, array: ArrayValue, [from, to]: readonly Value[]): Value {
  const length = arrayLength(run, array);
  return copyElements(run, array, position(run, from, length, 0), position(run, to, length, length));
}

function concat(run: Run, array: ArrayValue, args: readonly Value[]): Value {
  const result = copyElements(run, array);
  for (const arg of args) {
    const elements = isArrayValue(run, arg) ? copyElements(run, arg) : [arg];
    run.produceElements(1);
    for (const element of elements) result.push(element);
  }
  return result;
}

function at(run: Run, array: ArrayValue, [index]: readonly Value[]): Value {
  const place = Math.trunc(toNumber(run, index ?? 0)) || 0;
  return elementAt(run, array, place < 0 ? arrayLength(run, array) + place : place);
}

function join(run: Run, array: ArrayValue, [separator]: readonly Value[]): Value {
  return joinElements(run, array, separator === undefined ? ',' : toText(run, separator));
}

/** The array methods that take no function. None changes the array. */
export const arrayMethods: ReadonlyMap<string, ArrayMethod> = new Map<string, ArrayMethod>([
  ['includes', (run, array, args) => search(run, array, args, sameValueZero) >= 0],
  ['indexOf', (run, array, args) => search(run, array, args, strictEquals)],
  ['lastIndexOf', lastIndexOf],
  ['slice', slice],
  ['concat', concat],
  ['at', at],
  ['join', join],
  ['toString', (run, array) => joinElements(run, array, ',')],
]);
