import { messageOf } from '../../model/failure.ts';
import { Compiler } from './compile-expression.ts';
import { EvaluationError } from './evaluation-error.ts';
import { explainFailure, explainFinding } from './explain.ts';
import { toJsonValue } from './json-value.ts';
import { compileOutline, evaluateOutline, type Outline } from './outline.ts';
import { parsePredicate } from './parse-predicate.ts';
import { Run } from './run.ts';
import type { StateView } from './state-view.ts';

export type { StateView } from './state-view.ts';

export interface Evaluation {
  /** Whether the value counts as true. */
  readonly passed: boolean;
  /** As JSON can carry it: undefined is null, NaN and Infinity are strings, and large values are cut. */
  readonly value: unknown;
  /** The value of the one state key that the predicate is about; absent when there are several or none. */
  readonly actual?: unknown;
  readonly explanation: string;
  /** The keys that it read, looked for in vain, or looked below; the first 1,000. */
  readonly keys: ReadonlySet<string>;
}

export interface Predicate {
  readonly source: string;
  /** The keys that the source names, in full. Which others it reads shows when it is evaluated. */
  readonly paths: ReadonlySet<string>;
  /** Never throws: what JavaScript would throw, and a limit that is reached, is in the explanation. */
  evaluate(view: StateView): Evaluation;
}

/** Throws `invalid_request`, with the place, for what is not an expression or not an allowed one. */
export function compilePredicate(source: string): Predicate {
  const compiler = new Compiler(source);
  const outline = compileOutline(compiler, parsePredicate(source));
  // A function looks at the elements of an array: that it stopped at the first does not make this the subject.
  const paths = new Set(compiler.paths);
  const aboutOneKey = paths.size === 1 && !compiler.hasArrow;
  return { source, paths, evaluate: (view) => evaluate(outline, aboutOneKey, view) };
}

function evaluate(outline: Outline, aboutOneKey: boolean, view: StateView): Evaluation {
  const run = new Run(view);
  try {
    const finding = evaluateOutline(outline, run);
    const passed = Boolean(finding.value);
    const value = toJsonValue(run, finding.value);
    const explanation = explainFinding(run, finding);
    const only = aboutOneKey && !run.severalKeysRead && run.missing.length === 0 ? run.firstRead : null;
    const evaluation = { passed, value, explanation, keys: run.keys };
    return only === null ? evaluation : { ...evaluation, actual: toJsonValue(run, only.value) };
  } catch (error) {
    return { passed: false, value: null, explanation: explainFailure(run, reasonOf(error)), keys: run.keys };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EvaluationError) return error.message;
  if (error instanceof RangeError) return 'it is too complex';
  return messageOf(error);
}
