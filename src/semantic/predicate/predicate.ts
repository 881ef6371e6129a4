import { messageOf } from '../../model/failure.ts';
import { parsePath, type Segment } from '../../model/path.ts';
import { Compiler } from './compile-expression.ts';
import { EvaluationError } from './evaluation-error.ts';
import { explainFailure, explainFinding } from './explain.ts';
import { toJsonValue } from './json-value.ts';
import { compileOutline, evaluateOutline, type Outline } from './outline.ts';
import { parsePredicate } from './parse-predicate.ts';
import { Run } from './run.ts';
import type { StateView } from './state-view.ts';
import { prefixesOf } from './static-path.ts';
import type { Steps } from './steps.ts';

export type { StateView } from './state-view.ts';

export interface Evaluation {
  /** True if the value is truthy. */
  readonly passed: boolean;
  /** In JSON's terms: undefined is null, NaN and Infinity are strings, and large values are cut. */
  readonly value: unknown;
  /** The value of the only state key of the predicate; absent if there are several or none. */
  readonly actual?: unknown;
  readonly explanation: string;
  /** The keys that it read, searched in vain, or looked below; the first 1,000. */
  readonly keys: ReadonlySet<string>;
}

export interface Predicate {
  readonly source: string;
  /** The keys that the source names in full. The evaluation shows which others it reads. */
  readonly paths: ReadonlySet<string>;
  /** Without pauses. Never throws: exceptions of JavaScript and reached limits are in the explanation. */
  evaluate(view: StateView): Evaluation;
  /** The same in steps of a fraction of a millisecond. */
  begin(view: StateView): Evaluating;
}

export interface Evaluating {
  readonly steps: Steps<Evaluation>;
  /**
   * Call it before a pause in which the state may change: the rest reads this view, which has the values so far (see
   * `heldView`). So an evaluation is of one capture, however long it takes.
   */
  hold(view: StateView): void;
}

interface Compiled {
  readonly outline: Outline;
  readonly aboutOneKey: boolean;
  /** For the paths in the source: each prefix, which may be a key, and the segments, which may lead to some. */
  readonly paths: readonly { readonly prefixes: readonly string[]; readonly segments: readonly Segment[] }[];
}

/** Throws `invalid_request`, with the position, for invalid or forbidden expressions. */
export function compilePredicate(source: string): Predicate {
  const compiler = new Compiler(source);
  const outline = compileOutline(compiler, parsePredicate(source));
  // A function visits the elements of an array: stopping at the first does not make that the subject.
  const paths = new Set(compiler.paths);
  const compiled = {
    outline,
    aboutOneKey: paths.size === 1 && !compiler.hasArrow,
    paths: [...paths].filter((path) => !/^(?:state$|context\b)/.test(path)).map(routeOf),
  };
  return {
    source,
    paths,
    evaluate: (view) => {
      const steps = evaluating(compiled, new Run(view));
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    },
    begin: (view) => {
      const run = new Run(view);
      const hold = (held: StateView) => {
        run.view = held;
      };
      return { steps: evaluating(compiled, run), hold };
    },
  };
}

function routeOf(path: string): Compiled['paths'][number] {
  const segments = parsePath(path) ?? [path];
  return { prefixes: prefixesOf(segments).reverse(), segments };
}

function* evaluating({ outline, aboutOneKey, paths }: Compiled, run: Run): Steps<Evaluation> {
  try {
    // A path that is neither a key nor within the value of one is searched in the tree of the keys.
    for (const { prefixes, segments } of paths) {
      if (prefixes.every((prefix) => run.view.get(prefix) === undefined)) yield* run.index.preparing(segments);
    }
    const finding = yield* evaluateOutline(outline, run);
    const passed = Boolean(finding.value);
    const value = toJsonValue(run, finding.value);
    const explanation = yield* explainFinding(run, finding);
    const only = aboutOneKey && !run.severalKeysRead && run.missing.length === 0 ? run.firstRead : null;
    const evaluation = { passed, value, explanation, keys: run.keys };
    return only === null ? evaluation : { ...evaluation, actual: toJsonValue(run, only.value) };
  } catch (error) {
    const explanation = yield* explainFailure(run, reasonOf(error));
    return { passed: false, value: null, explanation, keys: run.keys };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EvaluationError) return error.message;
  if (error instanceof RangeError) return 'it is too complex';
  return messageOf(error);
}
