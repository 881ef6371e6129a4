import type { Code } from './code.ts';
import { EvaluationError } from './evaluation-error.ts';
import type { Run } from './run.ts';
import type { Steps } from './steps.ts';
import { type ArrayValue, elementAt, knownLength, type Value } from './value.ts';

/** A compiled arrow function: `enter` takes its arguments, and pays for its steps; `body` is then its value. */
export interface Callback {
  enter(run: Run, ...args: readonly Value[]): void;
  readonly body: Code;
}
type CallbackMethod = (run: Run, array: ArrayValue, callback: Callback, args: readonly Value[]) => Steps;

/** The index of the first element whose result is `wanted`, or -1. */
function* firstIndex(run: Run, array: ArrayValue, { enter, body }: Callback, wanted: boolean): Steps<number> {
  const length = knownLength(run, array);
  for (let index = 0; index < length; index += 1) {
    if (run.isDue) yield;
    run.spend(1);
    enter(run, elementAt(run, array, index), index, array);
    if (Boolean(body.isLong ? yield* body.run(run) : body.run(run)) === wanted) return index;
  }
  return -1;
}

function* filter(run: Run, array: ArrayValue, { enter, body }: Callback): Steps {
  const length = knownLength(run, array);
  const result: Value[] = [];
  for (let index = 0; index < length; index += 1) {
    if (run.isDue) yield;
    run.produceElements(1);
    const element = elementAt(run, array, index);
    enter(run, element, index, array);
    if (body.isLong ? yield* body.run(run) : body.run(run)) result.push(element);
  }
  return result;
}

function* map(run: Run, array: ArrayValue, { enter, body }: Callback): Steps {
  const length = knownLength(run, array);
  const result: Value[] = [];
  for (let index = 0; index < length; index += 1) {
    if (run.isDue) yield;
    run.produceElements(1);
    enter(run, elementAt(run, array, index), index, array);
    result.push(body.isLong ? yield* body.run(run) : body.run(run));
  }
  return result;
}

function* find(run: Run, array: ArrayValue, callback: Callback): Steps {
  const index = yield* firstIndex(run, array, callback, true);
  return index < 0 ? undefined : elementAt(run, array, index);
}

function* reduce(run: Run, array: ArrayValue, { enter, body }: Callback, args: readonly Value[]): Steps {
  const length = knownLength(run, array);
  if (length === 0 && args.length === 0) {
    throw new EvaluationError('TypeError: reduce of an empty array with no initial value');
  }
  let result = args.length === 0 ? elementAt(run, array, 0) : args[0];
  for (let index = args.length === 0 ? 1 : 0; index < length; index += 1) {
    if (run.isDue) yield;
    run.spend(1);
    enter(run, result, elementAt(run, array, index), index, array);
    result = body.isLong ? yield* body.run(run) : body.run(run);
  }
  return result;
}

/** The array methods whose first argument is a function. */
export const callbackMethods: ReadonlyMap<string, CallbackMethod> = new Map<string, CallbackMethod>([
  [
    'some',
    function* (run, array, callback) {
      return (yield* firstIndex(run, array, callback, true)) >= 0;
    },
  ],
  [
    'every',
    function* (run, array, callback) {
      return (yield* firstIndex(run, array, callback, false)) < 0;
    },
  ],
  ['filter', filter],
  ['map', map],
  ['find', find],
  ['findIndex', (run, array, callback) => firstIndex(run, array, callback, true)],
  ['reduce', reduce],
]);
