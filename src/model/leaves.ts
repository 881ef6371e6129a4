import type { Scalar } from './scalar.ts';

/**
 * The one form in which every probe reports state. Leaves live in slots: a full table numbers them 0..n-1, a leaf added
 * later brings its own, higher number, a removed slot is never used again until the next full table. So a change costs
 * what changed, whatever the size of the state.
 *
 * Paths are dot notation with bracketed indices (`cart.items[0].name`); a name that is no identifier is quoted
 * (`rates["odd key"]`). Arrays also report `<path>.length`, maps and sets `<path>.size`, so that "empty" is visible.
 */
export type LeafUpdate =
  | { readonly kind: 'same' }
  | { readonly kind: 'full'; readonly paths: readonly string[]; readonly values: readonly Scalar[] }
  | {
      readonly kind: 'delta';
      readonly changed: readonly (readonly [slot: number, value: Scalar])[];
      readonly added: readonly (readonly [slot: number, path: string, value: Scalar])[];
      readonly removed: readonly number[];
    };

/** Where the leaves below one first path segment come from. */
export interface LeafRoot {
  readonly name: string;
  /** For people: `global`, `module scope of /srv/app/cart.js`, … */
  readonly origin: string;
  /** The name was made by a minifier and says nothing. */
  readonly mangled: boolean;
  /** What stands for the name in the keys that clients see; empty: nothing does. Without it the name itself is shown. */
  readonly label?: string;
  /** Names below it that were chosen by what stands beside the values, without indices; the empty one: its own label. */
  readonly guessed?: readonly string[];
  /**
   * Paths below it, as patterns, that hold constants: frozen objects, tables of an enumeration, a library's internals. The
   * empty one: all of it. They are read, but say nothing about the state of the app.
   */
  readonly constants?: readonly string[];
  /** Where another build gives it another name: what its names have in common, and those of other places have not. */
  readonly family?: string | undefined;
}
