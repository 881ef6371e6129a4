/**
 * Whether V8 describes a value without running code of the app. Its inspector does that for every value it is asked about
 * and for all that the value holds. Of an error it reads the stack, the message and the name; older versions also look for
 * `splice`, and where it is found for `length`, to tell lists. Any of these may be a getter of the app.
 */
import type * as UtilModule from 'node:util';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;
const isArray = Array.isArray;
const { propertyIsEnumerable: isEnumerable, hasOwnProperty: hasOwn } = Object.prototype;
const functionToString = Function.prototype.toString;
/** As a function of the object: to apply a list of arguments would make that list. */
const { bind, call } = Function.prototype;
const lookUpGetter = apply(bind, call, [Reflect.get(Object.prototype, '__lookupGetter__')]) as (
  object: object,
  key: PropertyKey,
) => unknown;
const NATIVE = '{ [native code] }';
/** Longer chains are no app's own. */
const MAX_CHAIN = 100;

type Types = Pick<typeof UtilModule.types, 'isProxy' | 'isNativeError' | 'isPromise' | 'isArgumentsObject'>;

export interface QuietOptions {
  readonly types: Types;
  /** The inspector of this version reads `splice` and `length`. */
  readonly readsLength: boolean;
  /** Of Node or Deno, and so no code of the app. */
  isRuntimeFunction(fn: object): boolean;
}

export class Quiet {
  private readonly options: QuietOptions;

  constructor(options: QuietOptions) {
    this.options = options;
  }

  /** When its properties are listed: it is described, its prototype is, and what its own properties hold. */
  canList(object: object): boolean {
    // What a promise has come to cannot be seen beforehand.
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
    // In this order: only of an error whose message and name are plain may the stack be looked at.
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

/** Undefined also for the stack of an error, which some versions write when they are asked for its descriptor. */
export function quietDescriptor(object: object, key: PropertyKey): PropertyDescriptor | undefined {
  return key === 'stack' && hasStack(object) ? undefined : getOwnPropertyDescriptor(object, key);
}

/** What an own data property holds. Makes nothing: a search asks for the fields of thousands of objects. */
export function quietValue(object: object, key: PropertyKey): unknown {
  if (key === 'stack') return quietDescriptor(object, key)?.value;
  return lookUpGetter(object, key) === undefined ? Reflect.get(object, key) : undefined;
}

/** Of an error, or of what was made one by `captureStackTrace`. */
function hasStack(object: object): boolean {
  return apply(hasOwn, object, ['stack']) && !apply(isEnumerable, object, ['stack']);
}

/** Made by `bind`, by its name, which hardly anybody changes. */
export function isBound(fn: object): boolean {
  const name: unknown = getOwnPropertyDescriptor(fn, 'name')?.value;
  return typeof name === 'string' && name.startsWith('bound ') && isNative(fn);
}

/** Written in another language, or bound: it has no scopes that could be shown. */
export function isNative(fn: object): boolean {
  try {
    return apply(functionToString, fn, []).endsWith(NATIVE);
  } catch {
    // It looks like a function, and is a prototype of some.
    return true;
  }
}
