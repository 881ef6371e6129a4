/** A value as an agent is told to make it: it needs no more checking than safety demands. */
export type MadeValue =
  | null
  /** As JSON has it. */
  | { readonly is: 'json'; readonly json: unknown }
  /** An object that the state shows. `otherwise`: what is said where it is not there, or of another type. */
  | { readonly is: 'object'; readonly path: string; readonly otherwise: string }
  /** By a function of the platform; `new`: a constructor. `otherwise`: what is said where that refuses. */
  | {
      readonly is: 'call';
      readonly owner: string;
      readonly by: string;
      readonly of: readonly MadeValue[];
      readonly otherwise: string;
    }
  /** Of an enum: by its name or, of .NET, its number. */
  | { readonly is: 'constant'; readonly constant: string }
  /** `type`: the class that is made; null: an array. */
  | {
      readonly is: 'list';
      readonly type: string | null;
      readonly of: readonly MadeValue[];
      readonly otherwise: string;
    }
  | {
      readonly is: 'map';
      readonly type: string;
      readonly keys: readonly MadeValue[];
      readonly of: readonly MadeValue[];
      readonly otherwise: string;
    }
  /** Of the app. `key`: its constructor; null: none. */
  | {
      readonly is: 'new';
      readonly key: string | null;
      readonly of: readonly MadeValue[];
      readonly set: readonly (readonly [name: string, value: MadeValue])[];
    }
  /** What the method or constructor itself has for what is left out. */
  | { readonly is: 'default' };

/** A value that fits. */
export interface Fit {
  readonly value: MadeValue;
  /** How far the JSON is from the type: among overloads the lowest sum wins. */
  readonly cost: number;
}

/** Begins with what cannot be used, and says what is expected. */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError';
}
