/** Queries of V8 beyond plain JavaScript: variables of closures, and private fields. */

export interface ScopeView {
  /** `Module`, `Closure (name)`, `Script`, `Global`, … as V8 names it. */
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
  /** Its lines are so long that a minifier must have made its variable names. */
  minified: boolean;
}

/** The parts of a bound function. */
export interface BoundParts {
  target: unknown;
  receiver: unknown;
  args: unknown[];
}

export interface CallWatcher {
  readonly canWatchCalls: boolean;
  /**
   * Calls `take` with the `this` of the function's next call. Returns a function that ends the wait; null if it cannot
   * be watched.
   */
  watchCall(fn: object, take: (receiver: unknown) => void): (() => void) | null;
}

/**
 * The agent's queries of the inspector. In-process it answers at once. If only the daemon's own connection leads to it
 * (Deno), facts have to be fetched first: `has…` is false until then, and records the query.
 */
export interface Reflecting extends CallWatcher {
  /** True if answers have to be fetched. */
  readonly isRemote: boolean;
  /** Null for a value that is no function written in JavaScript, or has not been fetched. */
  inspectFunction(fn: object): FunctionView | null;
  /** `#name` fields as `name`; null if there are none, or if they have not been fetched. */
  privateFields(object: object): Record<string, unknown> | null;
  /** Null if it is no bound function, or if the runtime cannot be queried. */
  boundParts(fn: object): BoundParts | null;
  /** This one is queried next, and then probably the others: inspecting several at once costs half. */
  prefetch(fn: object, others: () => readonly object[]): void;
  hasFunction(fn: object): boolean;
  hasFields(object: object): boolean;
  /** Fetches the recorded queries; returns false if there were none. */
  fetchWanted(): Promise<boolean>;
  /** Learns the origins of all scripts; its cost does not depend on the search after it. */
  nameScripts(): void;
  /** Drops fetched facts: they are of another moment, and must not keep objects of the app alive. */
  begin(): void;
  /** The work is done: switches off what only it needs. */
  rest(): void;
  /** Must have finished before `allObjects`. */
  findFunctions(): Promise<void>;
  /** All functions of the process, and in-process all other objects. */
  allObjects(): object[];
  globalLexicals(): Record<string, unknown>;
  dispose(): void;
}
