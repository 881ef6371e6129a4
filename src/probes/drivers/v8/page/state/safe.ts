/** Looks at foreign objects without running a getter. */
import { discarded } from '../../tree/discarded.ts';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply } = Reflect;
const functionToString = Function.prototype.toString;

/** Longer chains do not occur; a Proxy could pretend one without end. */
const MAX_PROTOTYPES = 16;

export type AnyFunction = (...args: unknown[]) => unknown;

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** What an own data property holds. */
export function own(target: unknown, name: PropertyKey): unknown {
  if (!isObject(target) && !isFunction(target)) return undefined;
  return getOwnPropertyDescriptor(target, name)?.value;
}

/** What an own or inherited data property holds. */
export function dataOf(target: unknown, name: PropertyKey): unknown {
  if (!isObject(target) && !isFunction(target)) return undefined;
  let at: object | null = target;
  for (let depth = 0; at !== null && depth < MAX_PROTOTYPES; depth++) {
    const descriptor = getOwnPropertyDescriptor(at, name);
    if (descriptor) return descriptor.value;
    at = getPrototypeOf(at);
  }
  return undefined;
}

export function hasMethods(target: unknown, names: readonly string[]): boolean {
  return names.every((name) => isFunction(own(target, name)));
}

/** What a method of a store that only reads gives; undefined when it throws. */
export function ask(target: unknown, name: string, args: unknown[] = []): unknown {
  const method = dataOf(target, name);
  return isFunction(method) ? attempt(() => apply(method, target, args), 'Safe.ask') : undefined;
}

/** `place`: where something of the app is lost when it fails, which is counted. Without: a failure is the answer. */
export function attempt<Result>(work: () => Result, place?: string): Result | undefined {
  try {
    return work();
  } catch {
    // Counted, and reported with the state, where something is lost by it.
    if (place !== undefined) discarded(place);
    return undefined;
  }
}

export function sourceText(fn: object): string {
  return attempt(() => apply(functionToString, fn, []) as string) ?? '';
}

export function isNative(fn: object): boolean {
  return sourceText(fn).endsWith('{ [native code] }');
}

/** The function that made this object. */
export function makerOf(value: object): object | null {
  const prototype: object | null = getPrototypeOf(value);
  const maker = prototype && dataOf(prototype, 'constructor');
  return isFunction(maker) ? maker : null;
}

export function nameOf(fn: unknown): string {
  const name = own(fn, 'name');
  return typeof name === 'string' ? name : '';
}
