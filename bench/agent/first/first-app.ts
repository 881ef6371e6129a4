import type { App } from '../app.ts';
import type { Fact } from '../corpus.ts';

/** A program that substrate has never met, and the facts that its users would ask for: written before the first run. */
export interface FirstApp extends App {
  readonly kind: string;
  readonly facts: readonly Fact[];
}
