import type { Scalar } from './scalar.ts';

/**
 * The one form in which every probe reports state. Leaves live in slots: a full table numbers them 0..n-1, a leaf added
 * later gets a new, higher number, and a removed slot is not reused before the next full table. So the cost of an
 * update depends on the change, not on the size of the state.
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

/** The origin of the leaves below one first path segment. */
export interface LeafRoot {
  readonly name: string;
  /** For people: `global`, `module scope of /srv/app/cart.js`, … */
  readonly origin: string;
  /** The name was made by a minifier and has no meaning. */
  readonly mangled: boolean;
  /** Replaces the name in the keys that clients see; empty if nothing does. Absent if the name itself is used. */
  readonly label?: string;
  /**
   * Names below it, without indices, that were inferred from the context of the values. The empty one is its own label.
   */
  readonly guessed?: readonly string[];
  /**
   * Patterns of paths below it that hold constants: frozen objects, tables of an enumeration, internals of a library.
   * The empty one means all of it. They are read, but are not state of the app.
   */
  readonly constants?: readonly string[];
  /** For roots whose name differs between builds: the part that all its names have in common, and no others. */
  readonly family?: string | undefined;
}
