/** How JSON says the values of a platform's own types: each driver has a table of its own. */
import type { TypeName } from '../../../model/scalar.ts';
import type { Fit, MadeValue } from './made-value.ts';
import type { TypeUse } from './type-text.ts';

export type JsonType = Exclude<TypeName, 'null'>;

export interface ScalarRule {
  readonly json: 'string' | 'number' | 'boolean';
  /** For people: `a date such as 2024-05-31`. */
  readonly wanted: string;
  /** That is worth telling before anything was given. */
  readonly isTold: boolean;
  /** It cannot be null. */
  readonly isValue: boolean;
  /** What null makes of it. */
  readonly empty?: MadeValue;
  /** null: it cannot be used. `otherwise`: what is said where the platform refuses it. `isKey`: JSON has only text for it. */
  read(json: unknown, otherwise: string, isKey: boolean): Fit | null;
}

export interface ContainerRule {
  readonly is: 'list' | 'map';
  /** What is made of it. */
  readonly type: string;
  /** What is asked for by its interface is at home; others are not what JSON says. */
  readonly cost: number;
  readonly holdsNull: boolean;
}

export interface ValueTable {
  readonly scalars: ReadonlyMap<string, ScalarRule>;
  readonly containers: ReadonlyMap<string, ContainerRule>;
  /** Types that take what JSON has as it is: all of it, all but objects and arrays, or numbers. */
  readonly open: ReadonlyMap<string, 'all' | 'scalars' | 'numbers'>;
  readonly openCost: number;
  /** A value, or nothing. */
  readonly optionals: ReadonlySet<string>;
  /** So many values, which JSON says as an array. */
  readonly tuples: ReadonlySet<string>;
  /** The type of the elements of a text. */
  readonly character: string;
  /** Types that cannot be null, apart from scalars. */
  readonly isEnumValue: boolean;
  readonly isTupleValue: (name: string) => boolean;
  /** Of these no other type is an ancestor. */
  readonly primitives: ReadonlySet<string>;
  /** What the types of the table extend, as far as overloads differ in it. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  /** At run time `List<Item>` and `List<String>` are the same. */
  readonly isErased: boolean;
  /** Members are set only where a constructor without parameters makes the object. */
  readonly needsEmptyConstructor: boolean;
  /** Names of members and parameters may be written in capitals or not. */
  readonly ignoresCase: boolean;
  /** What members are called. */
  readonly member: string;
  readonly nothing: ReadonlySet<string>;
  /** What events, which handlers are given, descend from. */
  readonly event: string;
  /** As the language writes it, without packages. */
  spoken(use: TypeUse): string;
}

/** The names of all types that JSON can say. */
export function sayableTypes({ scalars, containers, open, optionals, tuples }: ValueTable) {
  return { scalars: [...scalars.keys()], others: [...containers.keys(), ...open.keys(), ...optionals, ...tuples] };
}
