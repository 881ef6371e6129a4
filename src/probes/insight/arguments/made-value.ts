/**
 * A value as an agent is asked to make it. The daemon has checked it: the agent repeats only the checks that safety
 * demands.
 */
export type MadeValue =
  | null
  /** The JSON value as it is. */
  | { readonly is: 'json'; readonly json: unknown }
  /** An object in the state. `otherwise`: the message if it is gone, or has another type. */
  | { readonly is: 'object'; readonly path: string; readonly otherwise: string }
  /**
   * The result of a function of the platform, or of a constructor (`new`). `otherwise`: the message if that refuses.
   */
  | {
      readonly is: 'call';
      readonly owner: string;
      readonly by: string;
      readonly of: readonly MadeValue[];
      readonly otherwise: string;
    }
  /** A constant of an enum: its name or, in .NET, its number. */
  | { readonly is: 'constant'; readonly constant: string }
  /** `type`: the class to create; null for an array. */
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
  /** An object of a class of the app. `key`: its constructor; null if it has none. */
  | {
      readonly is: 'new';
      readonly key: string | null;
      readonly of: readonly MadeValue[];
      readonly set: readonly (readonly [name: string, value: MadeValue])[];
    }
  /** The default that the method or constructor itself declares. */
  | { readonly is: 'default' };

export interface Fit {
  readonly value: MadeValue;
  /** The distance between the JSON and the type: the overload with the lowest sum wins. */
  readonly cost: number;
}

/** The message begins with the value that cannot be used, and says what is expected. */
export class UnfitValueError extends Error {
  override readonly name = 'UnfitValueError';
}
