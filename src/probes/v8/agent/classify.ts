/** Decides what an object inside a Node process is: data to descend into, a value to show as text, or neither. */
import type * as UtilModule from 'node:util';

export type NodeKind = 'fields' | 'array' | 'map' | 'set';

/** `expand`: data with children; `text`: shown as one string (`live`: it can change while the object stays the same). */
export type Classification = { expand: NodeKind } | { text: string; live: boolean } | null;

/** Tells whether a class belongs to the app itself (true) or to Node or a library (false). */
export type OwnClassTest = (maker: object) => boolean;

const ARRAY = { expand: 'array' } as const;
const FIELDS = { expand: 'fields' } as const;
const MAP = { expand: 'map' } as const;
const SET = { expand: 'set' } as const;

// Taken once, before the app can have replaced them again: nothing below calls code of the app.
const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const { apply } = Reflect;
const isArray = Array.isArray;
const dateToIso = Date.prototype.toISOString;
const dateGetTime = Date.prototype.getTime;
const regExpSource = getOwnPropertyDescriptor(RegExp.prototype, 'source')?.get;
const regExpFlags = getOwnPropertyDescriptor(RegExp.prototype, 'flags')?.get;
const objectToString = Object.prototype.toString;

export function createClassifier(types: typeof UtilModule.types, isOwnClass: OwnClassTest) {
  return function classify(value: object): Classification {
    // Before anything else: every other look at a Proxy could run code of the app.
    if (types.isProxy(value)) return { text: '[Proxy]', live: false };
    if (isArray(value)) return ARRAY;
    const prototype: unknown = getPrototypeOf(value);
    if (prototype === null || prototype === Object.prototype) return FIELDS;
    if (types.isMap(value)) return MAP;
    if (types.isSet(value)) return SET;
    if (types.isDate(value)) return { text: dateText(value), live: true };
    if (types.isRegExp(value)) return { text: regExpText(value), live: false };
    if (types.isNativeError(value)) return { text: errorText(value), live: false };
    if (types.isBoxedPrimitive(value)) return { text: apply(objectToString, value, []), live: false };
    if (types.isArrayBufferView(value) || types.isAnyArrayBuffer(value)) {
      return { text: `[${className(value) ?? 'bytes'} of ${value.byteLength} bytes]`, live: false };
    }
    if (types.isModuleNamespaceObject(value) || types.isPromise(value) || types.isExternal(value)) return null;
    const maker = constructorOf(value);
    // Also those of another realm (node:vm), and those that inherit from a plain object.
    if (maker === null || className(value) === 'Object') return FIELDS;
    return isOwnClass(maker) ? FIELDS : { text: `[${className(value) ?? 'object'}]`, live: false };
  };
}

/** The function that made this object, read without running a getter. */
export function constructorOf(value: object): object | null {
  let holder: object | null = getPrototypeOf(value);
  for (let depth = 0; holder !== null && depth < 8; depth++) {
    const descriptor = getOwnPropertyDescriptor(holder, 'constructor');
    if (descriptor) return typeof descriptor.value === 'function' ? descriptor.value : null;
    holder = getPrototypeOf(holder);
  }
  return null;
}

export function className(value: object): string | null {
  const maker = constructorOf(value);
  const name: unknown = maker && getOwnPropertyDescriptor(maker, 'name')?.value;
  return typeof name === 'string' && name !== '' ? name : null;
}

function dateText(value: Date): string {
  return Number.isNaN(apply(dateGetTime, value, [])) ? 'Invalid Date' : apply(dateToIso, value, []);
}

function regExpText(value: RegExp): string {
  if (!regExpSource || !regExpFlags) return '[RegExp]';
  return `/${apply(regExpSource, value, [])}/`;
}

function errorText(value: object): string {
  const message: unknown = getOwnPropertyDescriptor(value, 'message')?.value;
  return `${className(value) ?? 'Error'}: ${typeof message === 'string' ? message : ''}`;
}
