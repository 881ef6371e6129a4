import type { App } from '../app.ts';
import type { Fact } from '../corpus.ts';

/** A program that substrate has not met, and what its users would ask: written down before the first run. */
export interface FirstApp extends App {
  readonly kind: string;
  readonly facts: readonly Fact[];
}
