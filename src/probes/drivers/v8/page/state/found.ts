/** A place of state that was found in the page. */
export interface Found {
  /** Part of the raw name, and what it is shown under when its own names are taken. */
  readonly kind: string;
  /** Tells several of one kind apart (the id of a store); empty: they are numbered. */
  readonly id: string;
  /** What stands before its keys; empty: nothing, if its names are free. */
  readonly wanted: string;
  /** For people. */
  readonly origin: string;
  /** The object that makes it this one: a store, a component. */
  readonly identity: object;
  /** Its objects are never changed, only replaced. */
  readonly stable: boolean;
  /** No name of it says anything. */
  readonly mangled: boolean;
  /** Names that were chosen by what stands beside the values: paths below it, the empty one for `wanted`. */
  guessed?(): readonly string[];
  /** What it holds now; undefined: nothing. */
  read(): unknown;
  /** Functions that do something to it, apart from those that its state holds. */
  methods?(): Iterable<Method>;
  /** Tells each change from now on, until the returned function is called. */
  subscribe?(tell: () => void): () => void;
}

export interface Method {
  readonly name: string;
  readonly holder: object;
  readonly fn: (...args: unknown[]) => unknown;
  /** Set where the text of the function does not tell them. */
  readonly parameters?: readonly { name: string; required: boolean }[];
  /** The app's function that is called in the end, where `fn` is one of this agent. */
  readonly target?: object;
  /** The function whose text tells what happens, where another one stands around it. */
  readonly original?: object;
  /** That text itself, where only it can be had. */
  readonly text?: string;
}

/** A function that passes on whatever it is given. */
export const UNKNOWN_PARAMETERS = ['first', 'second', 'third'].map((name) => ({ name, required: false }));
