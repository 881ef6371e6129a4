/** A place of state that was found in the page. */
export interface Found {
  /** Part of the raw name, and the fallback label if its own names are taken. */
  readonly kind: string;
  /** Distinguishes several of one kind (the id of a store); empty if they are numbered. */
  readonly id: string;
  /** The prefix of its keys; empty if there is none, provided that its names are free. */
  readonly wanted: string;
  /** For people. */
  readonly origin: string;
  /** The object that identifies it: a store, a component. */
  readonly identity: object;
  /** Its objects are never changed, only replaced. */
  readonly stable: boolean;
  /** None of its names has a meaning. */
  readonly mangled: boolean;
  /** Names that come from the text beside the values: paths below it, the empty one for `wanted`. */
  guessed?(): readonly string[];
  /** Its current value; undefined if there is none. */
  read(): unknown;
  /** Functions that act on it, apart from those in its state. */
  methods?(): Iterable<Method>;
  /** Calls `notify` at each change from now on, until the returned function is called. */
  subscribe?(notify: () => void): () => void;
}

export interface Method {
  readonly name: string;
  readonly holder: object;
  readonly fn: (...args: unknown[]) => unknown;
  /** Set if the text of the function does not show them. */
  readonly parameters?: readonly { name: string; required: boolean }[];
  /** The app's function that is finally called, if `fn` is one of this agent. */
  readonly target?: object;
  /** The function whose text shows the effect, if another one wraps it. */
  readonly original?: object;
  /** That text itself, if the function is not available. */
  readonly text?: string;
}

/** For a function that passes on any arguments. */
export const UNKNOWN_PARAMETERS = ['first', 'second', 'third'].map((name) => ({ name, required: false }));
