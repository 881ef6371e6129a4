import { sameValueZero, strictEquals } from './operators.ts';
import type { Run } from './run.ts';
import type { Steps } from './steps.ts';
import {
  type ArrayValue,
  arrayLength,
  elementAt,
  isArrayValue,
  knownLength,
  toNumber,
  toText,
  type Value,
} from './value.ts';

type ArrayMethod<Result> = (run: Run, array: ArrayValue, args: readonly Value[]) => Result;

/** A position in the sense of array methods: negative counts from the end, clamped to the array. */
function position(run: Run, value: Value, length: number, otherwise: number): number {
  if (value === undefined) return otherwise;
  const index = Math.trunc(toNumber(run, value)) || 0;
  return index < 0 ? Math.max(0, length + index) : Math.min(index, length);
}

function* search(
  run: Run,
  array: ArrayValue,
  [wanted, from]: readonly Value[],
  equals: typeof strictEquals,
): Steps<number> {
  const length = knownLength(run, array);
  for (let index = position(run, from, length, 0); index < length; index += 1) {
    if (run.isDue) yield;
    run.spend(1);
    if (equals(run, elementAt(run, array, index), wanted)) return index;
  }
  return -1;
}

function* lastIndexOf(run: Run, array: ArrayValue, args: readonly Value[]): Steps<number> {
  const length = knownLength(run, array);
  const from = args.length < 2 ? length - 1 : Math.trunc(toNumber(run, args[1])) || 0;
  for (let index = from < 0 ? length + from : Math.min(from, length - 1); index >= 0; index -= 1) {
    if (run.isDue) yield;
    run.spend(1);
    if (strictEquals(run, elementAt(run, array, index), args[0])) return index;
  }
  return -1;
}

/** Adds elements of an array to `copy`. */
export function* copyElements(
  run: Run,
  array: ArrayValue,
  { from = 0, to = Number.POSITIVE_INFINITY, copy = [] }: { from?: number; to?: number; copy?: Value[] } = {},
): Steps<readonly Value[]> {
  const end = Math.min(to, knownLength(run, array));
  for (let index = from; index < end; index += 1) {
    if (run.isDue) yield;
    run.produceElements(1);
    copy.push(elementAt(run, array, index));
  }
  return copy;
}

function slice(run: Run, array: ArrayValue, [from, to]: readonly Value[]): Steps {
  const length = arrayLength(run, array);
  return copyElements(run, array, { from: position(run, from, length, 0), to: position(run, to, length, length) });
}

function* concat(run: Run, array: ArrayValue, args: readonly Value[]): Steps {
  const copy: Value[] = [];
  yield* copyElements(run, array, { copy });
  for (const arg of args) {
    run.produceElements(1);
    if (isArrayValue(run, arg)) yield* copyElements(run, arg, { copy });
    else copy.push(arg);
  }
  return copy;
}

function at(run: Run, array: ArrayValue, [index]: readonly Value[]): Value {
  const place = Math.trunc(toNumber(run, index ?? 0)) || 0;
  return elementAt(run, array, place < 0 ? arrayLength(run, array) + place : place);
}

function* join(run: Run, array: ArrayValue, [separator]: readonly Value[]): Steps<string> {
  const between = separator === undefined ? ',' : toText(run, separator);
  const length = knownLength(run, array);
  const parts: string[] = [];
  for (let index = 0; index < length; index += 1) {
    if (run.isDue) yield;
    run.produceElements(1);
    const element = elementAt(run, array, index);
    const text = element === undefined || element === null ? '' : toText(run, element);
    run.produceText(text.length + between.length);
    parts.push(text);
  }
  return parts.join(between);
}

/** The array methods without a function argument. None changes the array. */
export const shortArrayMethods: ReadonlyMap<string, ArrayMethod<Value>> = new Map([['at', at]]);

/** Those that traverse the array. */
export const longArrayMethods: ReadonlyMap<string, ArrayMethod<Steps>> = new Map<string, ArrayMethod<Steps>>([
  [
    'includes',
    function* (run, array, args) {
      return (yield* search(run, array, args, sameValueZero)) >= 0;
    },
  ],
  ['indexOf', (run, array, args) => search(run, array, args, strictEquals)],
  ['lastIndexOf', lastIndexOf],
  ['slice', slice],
  ['concat', concat],
  ['join', join],
  ['toString', (run, array) => join(run, array, [])],
]);
