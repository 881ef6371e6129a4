import { copyElements } from './array-methods.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Run } from './run.ts';
import type { Steps } from './steps.ts';
import {
  isArrayValue,
  isMadeArray,
  isObject,
  knownLength,
  readProperty,
  toNumber,
  toText,
  type Value,
} from './value.ts';

type GlobalFunction = (run: Run, args: readonly Value[]) => Value;
type LongGlobalFunction = (run: Run, args: readonly Value[]) => Steps;

/** `Object.keys`: own names; for strings and arrays their indices. */
function keysOf(run: Run, value: Value): readonly string[] {
  if (value === undefined || value === null) {
    throw new EvaluationError(`TypeError: cannot convert ${value} to an object`);
  }
  if (isObject(value) && !isMadeArray(value) && !value.isArray(run)) return value.names(run);
  const length = typeof value === 'string' ? value.length : isObject(value) ? knownLength(run, value) : 0;
  run.produceAtOnce(length);
  return Array.from({ length }, (_, index) => String(index));
}

function* valuesOf(run: Run, value: Value): Steps {
  if (isArrayValue(run, value)) return yield* copyElements(run, value);
  const values: Value[] = [];
  for (const key of keysOf(run, value)) {
    if (run.isDue) yield;
    run.produceElements(1);
    values.push(readProperty(run, value, key));
  }
  return values;
}

function* entriesOf(run: Run, value: Value): Steps {
  const entries: Value[] = [];
  for (const key of keysOf(run, value)) {
    if (run.isDue) yield;
    run.produceElements(3);
    entries.push([key, readProperty(run, value, key)]);
  }
  return entries;
}

function scannedText(run: Run, value: Value): string {
  const text = toText(run, value);
  run.spendOnText(text.length);
  return text;
}

const parseFloatOf: GlobalFunction = (run, [value]) => Number.parseFloat(scannedText(run, value));
const parseIntOf: GlobalFunction = (run, [value, radix]) =>
  Number.parseInt(scannedText(run, value), radix === undefined ? undefined : toNumber(run, radix));

function numbers(compute: (left: number, right: number) => number): GlobalFunction {
  return (run, [left, right]) => compute(toNumber(run, left), toNumber(run, right));
}

/** Folded, because a call with very many arguments overflows the stack. */
function folded(initial: number, compute: (left: number, right: number) => number): LongGlobalFunction {
  return function* (run, args) {
    let result = initial;
    for (const arg of args) {
      if (run.isDue) yield;
      result = compute(result, toNumber(run, arg));
    }
    return result;
  };
}

const MATH_FUNCTIONS = [
  ...(['abs', 'ceil', 'floor', 'round', 'trunc', 'sign', 'sqrt', 'cbrt', 'exp', 'expm1'] as const),
  ...(['log', 'log2', 'log10', 'log1p', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh'] as const),
  ...(['tanh', 'asinh', 'acosh', 'atanh', 'fround', 'clz32', 'pow', 'atan2', 'imul'] as const),
];
const MATH_CONSTANTS = ['PI', 'E', 'LN2', 'LN10', 'LOG2E', 'LOG10E', 'SQRT2', 'SQRT1_2'] as const;
const NUMBER_CONSTANTS = ['MAX_SAFE_INTEGER', 'MIN_SAFE_INTEGER', 'MAX_VALUE', 'MIN_VALUE', 'EPSILON'] as const;

export const globalFunctions: ReadonlyMap<string, GlobalFunction> = new Map<string, GlobalFunction>([
  ['Number', (run, args) => (args.length === 0 ? 0 : toNumber(run, args[0]))],
  ['String', (run, args) => (args.length === 0 ? '' : toText(run, args[0]))],
  ['Boolean', (_run, [value]) => Boolean(value)],
  ['isNaN', (run, [value]) => Number.isNaN(toNumber(run, value))],
  ['isFinite', (run, [value]) => Number.isFinite(toNumber(run, value))],
  ['parseInt', parseIntOf],
  ['parseFloat', parseFloatOf],
  ['Number.isNaN', (_run, [value]) => Number.isNaN(value)],
  ['Number.isFinite', (_run, [value]) => Number.isFinite(value)],
  ['Number.isInteger', (_run, [value]) => Number.isInteger(value)],
  ['Number.parseInt', parseIntOf],
  ['Number.parseFloat', parseFloatOf],
  ['Array.isArray', (run, [value]) => isArrayValue(run, value)],
  ...MATH_FUNCTIONS.map((name): [string, GlobalFunction] => [`Math.${name}`, numbers(Math[name])]),
]);

/** Those whose work grows with their arguments. */
export const longGlobalFunctions: ReadonlyMap<string, LongGlobalFunction> = new Map<string, LongGlobalFunction>([
  [
    'Object.keys',
    function* (run, [value]) {
      const keys = keysOf(run, value);
      if (run.isDue) yield;
      return keys;
    },
  ],
  ['Object.values', (run, [value]) => valuesOf(run, value)],
  ['Object.entries', (run, [value]) => entriesOf(run, value)],
  ['Math.max', folded(Number.NEGATIVE_INFINITY, Math.max)],
  ['Math.min', folded(Number.POSITIVE_INFINITY, Math.min)],
]);

export const globalConstants: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ...MATH_CONSTANTS.map((name): [string, Value] => [`Math.${name}`, Math[name]]),
  ...NUMBER_CONSTANTS.map((name): [string, Value] => [`Number.${name}`, Number[name]]),
]);

/** The names before the dot above. */
export const namespaces: ReadonlySet<string> = new Set(['Math', 'Number', 'Array', 'Object']);
