import { EvaluationError } from './evaluation-error.ts';
import type { Run } from './run.ts';
import { hasProperty, isObject, toNumber, toPrimitive, toText, type Value } from './value.ts';

export type BinaryOperator = (run: Run, left: Value, right: Value) => Value;

export function strictEquals(run: Run, left: Value, right: Value): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length) {
    run.spendOnText(left.length);
  }
  return left === right;
}

/** `includes` differs from `===` in NaN only. */
export function sameValueZero(run: Run, left: Value, right: Value): boolean {
  return strictEquals(run, left, right) || (Number.isNaN(left) && Number.isNaN(right));
}

function looseEquals(run: Run, left: Value, right: Value): boolean {
  if (isObject(left) && isObject(right)) return left === right;
  if (left === null || left === undefined || right === null || right === undefined) {
    return (left ?? null) === (right ?? null);
  }
  const leftPrimitive = toPrimitive(run, left);
  const rightPrimitive = toPrimitive(run, right);
  if (typeof leftPrimitive === typeof rightPrimitive) return strictEquals(run, leftPrimitive, rightPrimitive);
  return toNumber(run, leftPrimitive) === toNumber(run, rightPrimitive);
}

/** Whether `left` is less than, equal to or greater than `right`; NaN if undefined. */
function order(run: Run, left: Value, right: Value): number {
  const leftPrimitive = toPrimitive(run, left);
  const rightPrimitive = toPrimitive(run, right);
  if (typeof leftPrimitive === 'string' && typeof rightPrimitive === 'string') {
    run.spendOnText(Math.min(leftPrimitive.length, rightPrimitive.length));
    if (leftPrimitive === rightPrimitive) return 0;
    return leftPrimitive < rightPrimitive ? -1 : 1;
  }
  const leftNumber = toNumber(run, leftPrimitive);
  const rightNumber = toNumber(run, rightPrimitive);
  if (leftNumber === rightNumber) return 0;
  if (leftNumber < rightNumber) return -1;
  return leftNumber > rightNumber ? 1 : Number.NaN;
}

function add(run: Run, left: Value, right: Value): Value {
  const leftPrimitive = toPrimitive(run, left);
  const rightPrimitive = toPrimitive(run, right);
  if (typeof leftPrimitive !== 'string' && typeof rightPrimitive !== 'string') {
    return toNumber(run, leftPrimitive) + toNumber(run, rightPrimitive);
  }
  const leftText = toText(run, leftPrimitive);
  const rightText = toText(run, rightPrimitive);
  run.produceText(leftText.length + rightText.length);
  return leftText + rightText;
}

function arithmetic(compute: (left: number, right: number) => number): BinaryOperator {
  return (run, left, right) => compute(toNumber(run, left), toNumber(run, right));
}

function contained(run: Run, name: Value, object: Value): boolean {
  if (!isObject(object)) {
    throw new EvaluationError('TypeError: the right side of "in" is not an object or array');
  }
  return hasProperty(run, object, toText(run, name));
}

export const comparisons: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ['===', strictEquals],
  ['!==', (run, left, right) => !strictEquals(run, left, right)],
  ['==', looseEquals],
  ['!=', (run, left, right) => !looseEquals(run, left, right)],
  ['<', (run, left, right) => order(run, left, right) < 0],
  ['<=', (run, left, right) => order(run, left, right) <= 0],
  ['>', (run, left, right) => order(run, left, right) > 0],
  ['>=', (run, left, right) => order(run, left, right) >= 0],
]);

export const binaryOperators: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>([
  ...comparisons,
  ['+', add],
  ['-', arithmetic((left, right) => left - right)],
  ['*', arithmetic((left, right) => left * right)],
  ['/', arithmetic((left, right) => left / right)],
  ['%', arithmetic((left, right) => left % right)],
  ['**', arithmetic((left, right) => left ** right)],
  ['&', arithmetic((left, right) => left & right)],
  ['|', arithmetic((left, right) => left | right)],
  ['^', arithmetic((left, right) => left ^ right)],
  ['<<', arithmetic((left, right) => left << right)],
  ['>>', arithmetic((left, right) => left >> right)],
  ['>>>', arithmetic((left, right) => left >>> right)],
  ['in', contained],
]);

export const unaryOperators: ReadonlyMap<string, (run: Run, value: Value) => Value> = new Map<
  string,
  (run: Run, value: Value) => Value
>([
  ['!', (_run, value) => !value],
  ['-', (run, value) => -toNumber(run, value)],
  ['+', (run, value) => toNumber(run, value)],
  ['~', (run, value) => ~toNumber(run, value)],
  ['typeof', (_run, value) => typeof value],
]);
