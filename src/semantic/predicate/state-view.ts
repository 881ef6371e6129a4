import type { Scalar } from '../../model/scalar.ts';
import type { AppContext } from '../../model/wire.ts';

/** The state a predicate is evaluated against. */
export interface StateView {
  get(key: string): Scalar | undefined;
  /** Changes whenever keys are added or removed. */
  readonly keySetVersion: number;
  keys(): Iterable<string>;
  readonly context: AppContext;
}
