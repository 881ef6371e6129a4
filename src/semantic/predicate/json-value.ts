import { EvaluationError } from './evaluation-error.ts';
import { Run } from './run.ts';
import { shortened } from './shortened.ts';
import {
  type ArrayValue,
  elementAt,
  isArrayValue,
  isObject,
  knownLength,
  type StateObject,
  type Value,
} from './value.ts';

const MAX_TEXT = 10_000;
const MAX_ENTRIES = 100;
const MAX_VALUES = 1000;
const MAX_DEPTH = 10;

/** A value for JSON, limited to a readable size. */
export function toJsonValue(run: Run, value: Value): unknown {
  if (!isObject(value)) return writeScalar(value);
  try {
    // With a budget of its own: an evaluation that has spent its budget exactly still has a result to show.
    return write(new Run(run.view), value, { valuesLeft: MAX_VALUES }, 0);
  } catch (error) {
    if (error instanceof EvaluationError) return '…';
    throw error;
  }
}

/** A value for an explanation. */
export function shown(run: Run, value: Value): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value));
  if (!isObject(value)) return String(value);
  return shortened(JSON.stringify(toJsonValue(run, value)));
}

function writeScalar(value: Exclude<Value, ArrayValue>): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
}

function write(run: Run, value: Value, budget: { valuesLeft: number }, depth: number): unknown {
  budget.valuesLeft -= 1;
  if (!isObject(value)) return writeScalar(value);
  if (depth >= MAX_DEPTH || budget.valuesLeft <= 0) return '…';
  return isArrayValue(run, value) ? writeArray(run, value, budget, depth) : writeObject(run, value, budget, depth);
}

function writeArray(run: Run, array: ArrayValue, budget: { valuesLeft: number }, depth: number): unknown[] {
  const length = knownLength(run, array);
  const result: unknown[] = [];
  for (let index = 0; index < length; index += 1) {
    if (index >= MAX_ENTRIES || budget.valuesLeft <= 0) {
      result.push(`… ${length - index} more`);
      break;
    }
    result.push(write(run, elementAt(run, array, index), budget, depth + 1));
  }
  return result;
}

function writeObject(run: Run, object: StateObject, budget: { valuesLeft: number }, depth: number): unknown {
  const names = object.names(run);
  // Without a prototype, `__proto__` is a name like any other.
  const result: Record<string, unknown> = Object.create(null);
  let written = 0;
  for (const name of names) {
    if (written >= MAX_ENTRIES || budget.valuesLeft <= 0) {
      result['…'] = `${names.length - written} more`;
      break;
    }
    result[name] = write(run, object.read(run, name), budget, depth + 1);
    written += 1;
  }
  return result;
}
