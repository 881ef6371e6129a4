/**
 * The order of the search. Inspecting a function costs far more than walking a field, and most functions of a process
 * reveal nothing that a neighbour did not: the shortest function of an object is inspected first, and its owner decides
 * about the turn of the others.
 */
import { quietValue } from './quiet.ts';

/**
 * The objects that keep the process alive and, from time to time, exports of the app's modules; then the variables of
 * the app's functions, those of libraries, and expensive or repeated work. A large program has hundreds of modules, and
 * most of them export no state.
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

/** One of this many inspected functions is an export of a module, while there are others. */
const EXPORTS_EVERY = 8;
/** Up to this many functions of one object are all inspected. */
const FEW = 3;
/** One export of a module reveals the variables of that module. */
const FEW_EXPORTS = 1;
/** The inspector writes out the source of a function, and those of its function properties. */
const COSTLY_SOURCE = 64 * 1024;
const MAX_PROPERTIES = 400;

const { apply, ownKeys } = Reflect;
const functionToString = Function.prototype.toString;

export class SearchQueue {
  private readonly lists: unknown[][] = [[], [], [], [], []];
  private readonly at = [0, 0, 0, 0, 0];
  private settled = 0;
  private steps = 0;
  /** The functions that another one represents. */
  private readonly others = new Map<object, readonly object[]>();

  push(value: unknown, turn: Turn): void {
    this.lists[turn]?.push(value);
  }

  pushAll(values: Iterable<unknown>, turn: Turn): void {
    for (const value of values) this.push(value, turn);
  }

  /**
   * Adds the functions of one object. Their properties are walked in any case: routers and servers may be functions.
   */
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

  /** True if an object that keeps the process alive is left. */
  get hasAlive(): boolean {
    return this.hasLeft(TURNS.alive);
  }

  /** True if one of those is left, or a variable of the app's functions. */
  get hasOwn(): boolean {
    return this.hasAlive || this.hasLeft(TURNS.app);
  }

  private hasLeft(turn: Turn): boolean {
    return (this.at[turn] ?? 0) < (this.lists[turn]?.length ?? 0);
  }

  /** The next ones of this turn, as far as known. */
  upcoming(turn: Turn, count: number): unknown[] {
    const at = this.at[turn] ?? 0;
    return this.lists[turn]?.slice(at, at + count) ?? [];
  }

  /** The owner of this function is known, and is probably that of its neighbours, too. */
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

  /**
   * The objects that keep a large program alive lead through thousands of objects of libraries, so the app's own take
   * turns with them.
   */
  private order(): readonly Turn[] {
    if (this.settled % EXPORTS_EVERY === 0) return EXPORTS_FIRST;
    return this.steps++ % 2 === 0 ? ALIVE_FIRST : APP_FIRST;
  }
}

/** True for functions with a very long description. */
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
  // A function without a text counts as the longest.
  return textOf(fn).length || Number.POSITIVE_INFINITY;
}

/** V8 creates this text without copying; empty if there is none. */
export function textOf(fn: object): string {
  try {
    return apply(functionToString, fn, []);
  } catch {
    // It looks like a function, but is a prototype of some.
    return '';
  }
}
