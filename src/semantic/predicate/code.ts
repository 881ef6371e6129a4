import type { Run } from './run.ts';
import type { Value } from './value.ts';

/** An expression, compiled. */
export type Code = (run: Run) => Value;

/** What a chain evaluates to after a `?.` that met nothing; it stays that to the end of the chain, then is undefined. */
export const SHORT_CIRCUIT: readonly Value[] = Object.freeze([]);
