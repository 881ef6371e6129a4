/** What is asked of V8 beyond plain JavaScript: what functions close over, and private fields. */

export interface ScopeView {
  /** `Module`, `Closure (name)`, `Script`, `Global`, … as V8 calls it. */
  description: string;
  /** A copy of the scope: objects are the app's own, primitives are of this moment. */
  variables: Record<string, unknown>;
}

export interface FunctionView {
  script: ScriptInfo;
  line: number;
  column: number;
  scopes: ScopeView[];
}

export interface ScriptInfo {
  id: string;
  url: string;
  /** Its lines are so long that its variable names were made by a minifier. */
  minified: boolean;
}

/** What a bound function was made of. */
export interface BoundParts {
  target: unknown;
  receiver: unknown;
  args: unknown[];
}

export interface CallWatcher {
  readonly canWatchCalls: boolean;
  /** Gives `take` the `this` of the function's next call. Returns what ends the wait; null: it cannot be watched. */
  watchCall(fn: object, take: (receiver: unknown) => void): (() => void) | null;
}

/**
 * What the agent asks of the inspector. In-process it answers at once. Where only the daemon's own connection leads to it
 * (Deno), what is asked for first has to be fetched: `has…` is false until then, and the asking itself is remembered.
 */
export interface Reflecting extends CallWatcher {
  /** True: answers have to be fetched. */
  readonly isRemote: boolean;
  /** Null for what is not a function written in JavaScript, and for what has not been fetched. */
  inspectFunction(fn: object): FunctionView | null;
  /** `#name` fields as `name`; null when there are none, or they have not been fetched. */
  privateFields(object: object): Record<string, unknown> | null;
  /** Null for what is no bound function, and where it cannot be asked for. */
  boundParts(fn: object): BoundParts | null;
  /** This one is asked for next, and then likely the others: to look at several at once costs half. */
  prefetch(fn: object, others: () => readonly object[]): void;
  hasFunction(fn: object): boolean;
  hasFields(object: object): boolean;
  /** Fetches what was asked for; false when there was nothing. */
  fetchWanted(): Promise<boolean>;
  /** Learns where all scripts come from; it costs what it costs, however little is searched afterwards. */
  nameScripts(): void;
  /** Forgets what was fetched: it is of another moment, and must not keep objects of the app alive. */
  begin(): void;
  /** The work is done: what only it needs is switched off. */
  rest(): void;
  /** Must have come to its end before `allObjects`. */
  findFunctions(): Promise<void>;
  /** All functions of the process, and in-process all other objects. */
  allObjects(): object[];
  globalLexicals(): Record<string, unknown>;
  dispose(): void;
}
