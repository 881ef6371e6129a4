import type { Scalar } from '../../model/scalar.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { StateView } from './state-view.ts';

/**
 * All possible values of an expression. No value has a prototype, a getter or a function that a predicate could reach.
 */
export type Value = Scalar | undefined | readonly Value[] | StateObject;

export interface PartialArray {
  readonly path: string;
  readonly known: number;
  readonly length: number;
}

/** The interface of an evaluation to values: see `Run`. */
export interface Reader {
  readonly view: Pick<StateView, 'get'>;
  readonly missingIsFull: boolean;
  partialArray: PartialArray | null;
  noteRead(key: string, value: Scalar): void;
  noteMissing(path: string): void;
  spend(steps: number): void;
  spendOnText(length: number): void;
  produceText(length: number): void;
  produceElements(count: number): void;
}

/** An object or array of the state, read key by key and never built as a whole. */
export abstract class StateObject {
  abstract readonly path: string;
  abstract read(run: Reader, name: string): Value;
  abstract has(run: Reader, name: string): boolean;
  abstract names(run: Reader): readonly string[];

  isArray(_run: Reader): boolean {
    return false;
  }
  /** The length of the array in the app. */
  arrayLength(_run: Reader): number {
    return 0;
  }
  /** The number of known elements, from the first. Fewer than `arrayLength` if the probe cut the array short. */
  knownLength(_run: Reader): number {
    return 0;
  }
  element(_run: Reader, _index: number): Value {
    return undefined;
  }
}

/** Elements that an operator converts to text implicitly, where it cannot pause. */
const MAX_CONVERTED = 100;
/** Depth of an array of arrays that may be converted to text. */
const MAX_TEXT_DEPTH = 100;

export function isObject(value: Value): value is readonly Value[] | StateObject {
  return typeof value === 'object' && value !== null;
}

export function toNumber(run: Reader, value: Value): number {
  if (typeof value === 'number') return value;
  const primitive = toPrimitive(run, value);
  if (typeof primitive === 'string') run.spendOnText(primitive.length);
  return Number(primitive);
}

export function toText(run: Reader, value: Value): string {
  return convert(run, value, { elementsLeft: MAX_CONVERTED }, 0);
}

function convert(run: Reader, value: Value, budget: { elementsLeft: number }, depth: number): string {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return String(value);
  if (!isArrayValue(run, value)) return '[object Object]';
  if (depth > MAX_TEXT_DEPTH) throw new EvaluationError('it turns arrays into text that are nested too deeply');
  const length = knownLength(run, value);
  budget.elementsLeft -= length;
  if (budget.elementsLeft < 0)
    throw new EvaluationError(`it turns more than ${MAX_CONVERTED} elements into text: write join()`);
  run.produceElements(length);
  run.produceText(length);
  const parts: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const element = elementAt(run, value, index);
    const text = element === undefined || element === null ? '' : convert(run, element, budget, depth + 1);
    run.produceText(text.length);
    parts.push(text);
  }
  return parts.join(',');
}

/** Objects become text, as in JavaScript without a `valueOf` of their own. */
export function toPrimitive(run: Reader, value: Value): Scalar | undefined {
  return isObject(value) ? toText(run, value) : value;
}

// ---- arrays: those that the predicate made, and those of the state --------------------------------------------

export type ArrayValue = readonly Value[] | StateObject;

export function isMadeArray(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

export function isArrayValue(run: Reader, value: Value): value is ArrayValue {
  return isObject(value) && (isMadeArray(value) || value.isArray(run));
}

export function arrayLength(run: Reader, array: ArrayValue): number {
  return isMadeArray(array) ? array.length : array.arrayLength(run);
}

export function knownLength(run: Reader, array: ArrayValue): number {
  return isMadeArray(array) ? array.length : array.knownLength(run);
}

export function elementAt(run: Reader, array: ArrayValue, index: number): Value {
  return isMadeArray(array) ? array[index] : array.element(run, index);
}

// ---- properties -----------------------------------------------------------------------------------------------

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

function isIndex(name: string): boolean {
  return INDEX.test(name);
}

/** `object[name]` for an object that is neither undefined nor null; own properties only. */
export function readProperty(run: Reader, object: Value, name: string): Value {
  if (typeof object === 'string' || isMadeArray(object)) {
    if (name === 'length') return object.length;
    return isIndex(name) ? object[Number(name)] : undefined;
  }
  return isObject(object) ? object.read(run, name) : undefined;
}

export function hasProperty(run: Reader, object: readonly Value[] | StateObject, name: string): boolean {
  if (!isMadeArray(object)) return object.has(run, name);
  return name === 'length' || (isIndex(name) && Number(name) < object.length);
}
