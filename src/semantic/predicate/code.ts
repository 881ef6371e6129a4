import type { Expression, Node, SpreadElement, Super } from 'acorn';
import type { SubstrateError } from '../../model/errors.ts';
import type { Run } from './run.ts';
import type { Value } from './value.ts';

/** An expression, compiled. */
export type Code = (run: Run) => Value;

/** Parameters of the arrow functions around an expression, by name: the slot of each in `Run.locals`. */
export type Scope = ReadonlyMap<string, number>;

/** What the parts of an expression are compiled with. */
export interface ExpressionCompiler {
  /** Of an arrow function, which may run often: nodes that were compiled so far tell how much it holds. */
  readonly nodeCount: number;
  hasArrow: boolean;
  compile(node: Expression | Super, scope: Scope): Code;
  compileList(nodes: readonly (Expression | SpreadElement | null)[], scope: Scope): (run: Run) => Value[];
  newSlot(): number;
  text(node: Node): string;
  refuse(node: Node, problem: string): SubstrateError;
}

/** What a chain evaluates to after a `?.` that met nothing; it stays that to the end of the chain, then is undefined. */
export const SHORT_CIRCUIT: readonly Value[] = Object.freeze([]);
