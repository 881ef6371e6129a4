import type { Value } from './value.ts';

/** Work with places where it can pause. */
export type Steps<Result = Value> = Generator<void, Result, void>;
