/**
 * What the search looks at next. To look at a function costs far more than to walk a field, and most functions of a
 * process tell nothing that one of their neighbours did not: of the functions of one object the shortest is looked at
 * first, and whose it is decides when the others have their turn.
 */
import { quietValue } from './quiet.ts';

/**
 * What keeps the process alive and, now and then, what the app's modules export; what the app's functions close over, what
 * those of libraries do, and what costs much or was looked at before. A large program has hundreds of modules, and most of
 * them export no state.
 */
export const TURNS = { exports: 0, alive: 1, app: 2, library: 3, late: 4 } as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

const EXPORTS_FIRST: readonly Turn[] = [TURNS.exports, TURNS.alive, TURNS.app, TURNS.library, TURNS.late];
const ALIVE_FIRST: readonly Turn[] = [TURNS.alive, TURNS.exports, TURNS.app, TURNS.library, TURNS.late];
const APP_FIRST: readonly Turn[] = [TURNS.app, TURNS.alive, TURNS.exports, TURNS.library, TURNS.late];

export interface Step {
  readonly value: unknown;
  readonly turn: Turn;
}

/** Of so many functions that are looked at, one is of those that modules export, while there are others. */
const EXPORTS_EVERY = 8;
/** Up to so many functions of one object are all looked at. */
const FEW = 3;
/** Of what a module exports one shows the variables of that module. */
const FEW_EXPORTS = 1;
/** The inspector writes out the source of a function, and those of the functions that hang on it. */
const COSTLY_SOURCE = 64 * 1024;
const MAX_PROPERTIES = 400;

const { apply, ownKeys } = Reflect;
const functionToString = Function.prototype.toString;

export class SearchQueue {
  private readonly lists: unknown[][] = [[], [], [], [], []];
  private readonly at = [0, 0, 0, 0, 0];
  private settled = 0;
  private steps = 0;
  /** Behind the function that was put in for all of them. */
  private readonly others = new Map<object, readonly object[]>();

  push(value: unknown, turn: Turn): void {
    this.lists[turn]?.push(value);
  }

  pushAll(values: Iterable<unknown>, turn: Turn): void {
    for (const value of values) this.push(value, turn);
  }

  /** The functions of one object. What hangs on them is walked in any case: routers and servers may be functions. */
  pushFunctions(functions: readonly object[], turn: Turn): void {
    const few = turn === TURNS.exports ? FEW_EXPORTS : FEW;
    const shortest = functions.length <= few ? undefined : shortestOf(functions);
    if (shortest === undefined) {
      this.pushAll(functions, turn);
      return;
    }
    const known = this.others.get(shortest) ?? [];
    const more = functions.filter((fn) => fn !== shortest && !known.includes(fn));
    if (known.length === 0) this.push(shortest, turn);
    this.others.set(shortest, [...known, ...more]);
    for (const fn of known.length === 0 ? functions : more) this.pushAll(objectsOn(fn), turn);
  }

  /** Something is left of what keeps the process alive. */
  get hasAlive(): boolean {
    return this.hasLeft(TURNS.alive);
  }

  /** Of that, or of what the app's functions close over. */
  get hasOwn(): boolean {
    return this.hasAlive || this.hasLeft(TURNS.app);
  }

  private hasLeft(turn: Turn): boolean {
    return (this.at[turn] ?? 0) < (this.lists[turn]?.length ?? 0);
  }

  /** Those that come next in this turn, as far as can be seen. */
  upcoming(turn: Turn, count: number): unknown[] {
    const at = this.at[turn] ?? 0;
    return this.lists[turn]?.slice(at, at + count) ?? [];
  }

  /** It is known whose this function is: so are those beside it, likely. */
  settle(fn: object, isApp: boolean): void {
    this.settled++;
    const others = this.others.get(fn);
    if (!others) return;
    this.others.delete(fn);
    this.pushAll(others, isApp ? TURNS.app : TURNS.library);
  }

  next(): Step | null {
    for (const turn of this.order()) {
      const list = this.lists[turn];
      const at = this.at[turn];
      if (list === undefined || at === undefined || at >= list.length) continue;
      this.at[turn] = at + 1;
      return { value: list[at], turn };
    }
    return null;
  }

  /** What keeps a large program alive leads through thousands of objects of libraries: what is the app's own takes turns. */
  private order(): readonly Turn[] {
    if (this.settled % EXPORTS_EVERY === 0) return EXPORTS_FIRST;
    return this.steps++ % 2 === 0 ? ALIVE_FIRST : APP_FIRST;
  }
}

/** True for functions whose description would be as long as a book. */
export function isCostly(fn: object): boolean {
  let length = lengthOf(fn);
  for (const key of propertiesOf(fn)) {
    if (length > COSTLY_SOURCE) break;
    const value = quietValue(fn, key);
    if (typeof value === 'function') length += lengthOf(value);
  }
  return length > COSTLY_SOURCE;
}

function* objectsOn(fn: object): Generator<object> {
  for (const key of propertiesOf(fn)) {
    const value: unknown = key === 'prototype' ? null : quietValue(fn, key);
    if (typeof value === 'object' && value !== null) yield value;
  }
}

const propertiesOf = (fn: object) => ownKeys(fn).slice(0, MAX_PROPERTIES);

function shortestOf(functions: readonly object[]): object | undefined {
  const lengths = functions.map(lengthOf);
  return functions[lengths.indexOf(Math.min(...lengths))];
}

function lengthOf(fn: object): number {
  // One without a text is longer than any other.
  return textOf(fn).length || Number.POSITIVE_INFINITY;
}

/** V8 makes a text of it without copying any; empty: it has none. */
export function textOf(fn: object): string {
  try {
    return apply(functionToString, fn, []);
  } catch {
    // It looks like a function, and is a prototype of some.
    return '';
  }
}
