/** How JSON represents the values of a platform's own types. Each driver has its own table. */
import type { TypeName } from '../../../model/scalar.ts';
import type { Fit, MadeValue } from './made-value.ts';
import type { TypeUse } from './type-text.ts';

export type JsonType = Exclude<TypeName, 'null'>;

export interface ScalarRule {
  readonly json: 'string' | 'number' | 'boolean';
  /** For people: `a date such as 2024-05-31`. */
  readonly wanted: string;
  /** True if callers should read `wanted` before they try a value. */
  readonly isHinted: boolean;
  /** True if it cannot be null. */
  readonly isValue: boolean;
  /** The value that null is turned into. */
  readonly empty?: MadeValue;
  /**
   * Null if the JSON cannot be used. `otherwise`: the message if the platform refuses the value. `isKey`: true for keys
   * of objects, which are always text in JSON.
   */
  read(json: unknown, otherwise: string, isKey: boolean): Fit | null;
}

export interface ContainerRule {
  readonly is: 'list' | 'map';
  /** The class that is created for it. */
  readonly type: string;
  /** Low if the parameter asks for the usual interface, high for types that JSON hardly means. */
  readonly cost: number;
  readonly holdsNull: boolean;
}

export interface ValueTable {
  readonly scalars: ReadonlyMap<string, ScalarRule>;
  readonly containers: ReadonlyMap<string, ContainerRule>;
  /** Types that accept JSON as it is: all of it, all but objects and arrays, or numbers. */
  readonly open: ReadonlyMap<string, 'all' | 'scalars' | 'numbers'>;
  readonly openCost: number;
  /** Types that hold one value or none. */
  readonly optionals: ReadonlySet<string>;
  /** Types with a fixed number of values, written as an array. */
  readonly tuples: ReadonlySet<string>;
  /** The type of one character. */
  readonly character: string;
  /** Further types that cannot be null, besides scalars. */
  readonly isEnumValue: boolean;
  readonly isTupleValue: (name: string) => boolean;
  /** Types without supertypes. */
  readonly primitives: ReadonlySet<string>;
  /** The supertypes of the types of the table, as far as overloads differ in them. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** True if `List<Item>` and `List<String>` are the same type at run time. */
  readonly isErased: boolean;
  /** True if members can be set only on objects that a constructor without parameters created. */
  readonly needsEmptyConstructor: boolean;
  /** True if the case of names of members and parameters does not matter. */
  readonly ignoresCase: boolean;
  /** The runtime's word for a member. */
  readonly member: string;
  readonly nothing: ReadonlySet<string>;
  /** The base type of the events that handlers receive. */
  readonly event: string;
  /** The type in the notation of the language, without packages. */
  spoken(use: TypeUse): string;
}

/** The names of all types that JSON can represent. */
export function sayableTypes({ scalars, containers, open, optionals, tuples }: ValueTable) {
  return { scalars: [...scalars.keys()], others: [...containers.keys(), ...open.keys(), ...optionals, ...tuples] };
}
