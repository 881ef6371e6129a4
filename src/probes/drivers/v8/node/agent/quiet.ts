/**
 * Decides whether V8 can describe a value without running code of the app. Its inspector describes every queried value
 * and everything in it. For an error it reads the stack, the message and the name; older versions also look for
 * `splice`, and if it is found for `length`, to recognise lists. Any of these may be a getter of the app.
 */
import type * as UtilModule from 'node:util';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const isArray = Array.isArray;
const { propertyIsEnumerable: isEnumerable, hasOwnProperty: hasOwn } = Object.prototype;
const functionToString = Function.prototype.toString;
/** As a function of the object: applying a list of arguments would allocate that list. */
const { bind, call } = Function.prototype;
const lookUpGetter = apply(bind, call, [Reflect.get(Object.prototype, '__lookupGetter__')]) as (
  object: object,
  key: PropertyKey,
) => unknown;
const NATIVE = '{ [native code] }';
/** Longer chains do not occur in apps. */
const MAX_CHAIN = 100;

type Types = Pick<typeof UtilModule.types, 'isProxy' | 'isNativeError' | 'isPromise' | 'isArgumentsObject'>;

export interface QuietOptions {
  readonly types: Types;
  /** The inspector of this version reads `splice` and `length`. */
  readonly readsLength: boolean;
  /** Functions of Node or Deno are no code of the app. */
  isRuntimeFunction(fn: object): boolean;
}

export class Quiet {
  private readonly options: QuietOptions;

  constructor(options: QuietOptions) {
    this.options = options;
  }

  /** Listing its properties describes it, its prototype, and the values of its own properties. */
  canList(object: object): boolean {
    // The result of a promise is not visible beforehand.
    if (!this.canDescribe(object) || this.options.types.isPromise(object)) return false;
    if (!this.canDescribe(getPrototypeOf(object)) || (hasStack(object) && !this.isPlainError(object))) return false;
    return ownKeys(object).every((key) => this.canDescribe(quietDescriptor(object, key)?.value));
  }

  canDescribe(value: unknown): boolean {
    const { types, readsLength } = this.options;
    // A function is described by its source, a Proxy by its class.
    if (typeof value !== 'object' || value === null || types.isProxy(value)) return true;
    if (types.isNativeError(value)) return this.isPlainError(value);
    return !readsLength || isArray(value) || !this.hasLengthGetter(value);
  }

  private isPlainError(error: object): boolean {
    const handler = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
    if (handler?.get || (typeof handler?.value === 'function' && !this.options.isRuntimeFunction(handler.value)))
      return false;
    // In this order: the stack may only be read if message and name are plain.
    return ['message', 'name', 'stack'].every((name) => {
      const found = this.lookUp(error, name);
      return found !== 'proxy' && (found?.get === undefined || isNative(found.get));
    });
  }

  private hasLengthGetter(object: object): boolean {
    const splice = this.lookUp(object, 'splice');
    if (splice === 'proxy' || splice?.get) return true;
    if (typeof splice?.value !== 'function' && !this.options.types.isArgumentsObject(object)) return false;
    return getOwnPropertyDescriptor(object, 'length')?.get !== undefined;
  }

  private lookUp(object: object, name: string): PropertyDescriptor | 'proxy' | undefined {
    let holder: object | null = object;
    for (let depth = 0; holder !== null; depth++) {
      if (this.options.types.isProxy(holder) || depth > MAX_CHAIN) return 'proxy';
      const found = getOwnPropertyDescriptor(holder, name);
      if (found) return found;
      holder = getPrototypeOf(holder);
    }
    return undefined;
  }
}

/** Also undefined for the stack of an error, which some versions create when its descriptor is read. */
export function quietDescriptor(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  return key === 'stack' && hasStack(object) ? undefined : getOwnPropertyDescriptor(object, key);
}

/** The value of an own data property. Allocates nothing: a search reads the fields of thousands of objects. */
export function quietValue(object: object, key: PropertyKey): unknown {
  if (key === 'stack') return quietDescriptor(object, key)?.value;
  return lookUpGetter(object, key) === undefined ? Reflect.get(object, key) : undefined;
}

/** True for an error, or an object that `captureStackTrace` turned into one. */
function hasStack(object: object): boolean {
  return apply(hasOwn, object, ['stack']) && !apply(isEnumerable, object, ['stack']);
}

/** Made by `bind`: recognised by its name, which hardly anybody changes. */
export function isBound(fn: object): boolean {
  const name: unknown = getOwnPropertyDescriptor(fn, 'name')?.value;
  return typeof name === 'string' && name.startsWith('bound ') && isNative(fn);
}

/** Not written in JavaScript, or bound: it has no visible scopes. */
export function isNative(fn: object): boolean {
  try {
    return apply(functionToString, fn, []).endsWith(NATIVE);
  } catch {
    // It looks like a function, but is a prototype of some.
    return true;
  }
}
