import type { Value } from './value.ts';

/** Work that can pause between its steps. */
export type Steps<Result = Value> = Generator<void, Result, void>;
