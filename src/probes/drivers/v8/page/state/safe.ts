/** Reads foreign objects without running a getter. */
import { discarded } from '../../tree/discarded.ts';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply } = Reflect;
const functionToString = Function.prototype.toString;

/** Longer chains do not occur; a Proxy could pretend an endless one. */
const MAX_PROTOTYPES = 16;

export type AnyFunction = (...args: unknown[]) => unknown;

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** The value of an own data property. */
export function own(target: unknown, name: PropertyKey): unknown {
  if (!isObject(target) && !isFunction(target)) return undefined;
  return getOwnPropertyDescriptor(target, name)?.value;
}

/** The value of an own or inherited data property. */
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

/** The result of a store's method that only reads; undefined if it throws. */
export function ask(target: unknown, name: string, args: unknown[] = []): unknown {
  const method = dataOf(target, name);
  return isFunction(method) ? attempt(() => apply(method, target, args), 'Safe.ask') : undefined;
}

/** `place`: counts the failure, by which something of the app is lost. Without it a failure is a normal result. */
export function attempt<Result>(work: () => Result, place?: string): Result | undefined {
  try {
    return work();
  } catch {
    // Counted, and reported with the state, if something is lost.
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

/** The constructor of this object. */
export function makerOf(value: object): object | null {
  const prototype: object | null = getPrototypeOf(value);
  const maker = prototype && dataOf(prototype, 'constructor');
  return isFunction(maker) ? maker : null;
}

export function nameOf(fn: unknown): string {
  const name = own(fn, 'name');
  return typeof name === 'string' ? name : '';
}
