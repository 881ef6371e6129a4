/**
 * What the search looks at next. To look at a function costs far more than to walk a field, and most functions of a
 * process tell nothing that one of their neighbours did not: of the functions of one object the shortest is looked at
 * first, and whose it is decides when the others have their turn.
 */

/** Smaller ones first. */
export const TURNS = { exports: 0, app: 1, library: 2, again: 3 } as const;
export type Turn = (typeof TURNS)[keyof typeof TURNS];

export interface Step {
  readonly value: unknown;
  readonly turn: Turn;
}

/** Up to so many functions of one object are all looked at. */
const FEW = 3;

const { apply } = Reflect;
const functionToString = Function.prototype.toString;

export class SearchQueue {
  private readonly lists: unknown[][] = [[], [], [], []];
  private readonly at = [0, 0, 0, 0];
  /** Behind the function that was put in for all of them. */
  private readonly others = new Map<object, readonly object[]>();

  push(value: unknown, turn: Turn): void {
    this.lists[turn]?.push(value);
  }

  pushAll(values: Iterable<unknown>, turn: Turn): void {
    for (const value of values) this.push(value, turn);
  }

  /** The functions of one object, in its order. */
  pushFunctions(functions: readonly object[], turn: Turn): void {
    const shortest = functions.length <= FEW ? undefined : shortestOf(functions);
    if (shortest === undefined || this.others.has(shortest)) this.pushAll(functions, turn);
    else {
      this.others.set(
        shortest,
        functions.filter((fn) => fn !== shortest),
      );
      this.push(shortest, turn);
    }
  }

  /** It is known whose this function is: so are those beside it, likely. */
  settle(fn: object, isApp: boolean): void {
    const others = this.others.get(fn);
    if (!others) return;
    this.others.delete(fn);
    this.pushAll(others, isApp ? TURNS.app : TURNS.library);
  }

  next(): Step | null {
    for (const turn of Object.values(TURNS)) {
      const list = this.lists[turn];
      const at = this.at[turn];
      if (list === undefined || at === undefined || at >= list.length) continue;
      this.at[turn] = at + 1;
      return { value: list[at], turn };
    }
    return null;
  }
}

function shortestOf(functions: readonly object[]): object | undefined {
  const lengths = functions.map(lengthOf);
  return functions[lengths.indexOf(Math.min(...lengths))];
}

/** V8 makes a text of it without copying any. */
function lengthOf(fn: object): number {
  try {
    return apply(functionToString, fn, []).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
