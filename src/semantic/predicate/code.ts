import type { Expression, Node, SpreadElement, Super } from 'acorn';
import type { SubstrateError } from '../../model/errors.ts';
import type { Run } from './run.ts';
import type { Steps } from './steps.ts';
import type { Value } from './value.ts';

/**
 * A compiled expression. A part with a call whose work grows with the state is long, and can pause; the rest, nearly
 * everything, is a plain function.
 */
export type Code<Result = Value> =
  | { readonly isLong: false; readonly run: (run: Run) => Result }
  | { readonly isLong: true; readonly run: (run: Run) => Steps<Result> };

/** Parameters of the arrow functions around an expression, by name: the slot of each in `Run.locals`. */
export type Scope = ReadonlyMap<string, number>;

/** The compiler of the parts of an expression. */
export interface ExpressionCompiler {
  /** The number of compiled nodes, which measures the size of an arrow function, since that may run often. */
  readonly nodeCount: number;
  hasArrow: boolean;
  compile(node: Expression | Super, scope: Scope): Code;
  compileList(nodes: readonly (Expression | SpreadElement | null)[], scope: Scope): Code<readonly Value[]>;
  newSlot(): number;
  text(node: Node): string;
  refuse(node: Node, problem: string): SubstrateError;
}

/** The value of a chain after a `?.` on nothing; it stays until the end of the chain, then becomes undefined. */
export const SHORT_CIRCUIT: readonly Value[] = Object.freeze([]);

export function short<Result = Value>(run: (run: Run) => Result): Code<Result> {
  return { isLong: false, run };
}

export function long<Result = Value>(run: (run: Run) => Steps<Result>): Code<Result> {
  return { isLong: true, run };
}

/** The value of a part, within a long one. */
export function* partValue<Result>(code: Code<Result>, run: Run): Steps<Result> {
  return code.isLong ? yield* code.run(run) : code.run(run);
}

export function ofOne<Part, Result>(part: Code<Part>, compute: (run: Run, value: Part) => Result): Code<Result> {
  if (part.isLong) {
    const value = part.run;
    return long(function* (run) {
      return compute(run, yield* value(run));
    });
  }
  const value = part.run;
  return short((run) => compute(run, value(run)));
}

export function ofTwo(left: Code, right: Code, compute: (run: Run, left: Value, right: Value) => Value): Code {
  if (left.isLong || right.isLong) {
    return long(function* (run) {
      return compute(run, yield* partValue(left, run), yield* partValue(right, run));
    });
  }
  const [leftValue, rightValue] = [left.run, right.run];
  return short((run) => compute(run, leftValue(run), rightValue(run)));
}

/** The values of all parts, in their order. */
export function ofAll<Part>(parts: readonly Code<Part>[]): Code<readonly Part[]> {
  const plain = parts.flatMap((part) => (part.isLong ? [] : [part.run]));
  if (plain.length === parts.length) return short((run) => plain.map((value) => value(run)));
  return long(function* (run) {
    const values: Part[] = [];
    for (const part of parts) values.push(yield* partValue(part, run));
    return values;
  });
}
