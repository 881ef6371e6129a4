/** Classifies an object inside a Node process: data to descend into, a value to show as text, or neither. */
import type * as UtilModule from 'node:util';
import { REDACTED } from '../../../../../model/secrets.ts';
import { isNoiseType, isSecretType, WALK_LIMITS } from '../../../../insight/walk-rules.ts';
import type { Classification, NodeKind } from '../../tree/classification.ts';
import { decodeImmutable } from '../../tree/immutable.ts';
import { DataHolders } from './rows.ts';
import type { Owner } from './scripts.ts';

/** The owner of a class; null if not known yet. */
export type ClassOwner = (maker: object) => Owner | null;

const ARRAY = { expand: 'array' } as const;
const FIELDS = { expand: 'fields' } as const;
const MAP = { expand: 'map' } as const;
const SET = { expand: 'set' } as const;
const PROXY = { text: '[Proxy]', live: false } as const;
const SECRET = { text: REDACTED, live: false } as const;

type Getter = (() => unknown) | undefined;

// Captured once, before the app can replace them again: nothing below calls code of the app.
const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const { apply } = Reflect;
const isArray = Array.isArray;
const dateToIso = Date.prototype.toISOString;
const dateGetTime = Date.prototype.getTime;
const regExpSource = getterOf(RegExp.prototype, 'source');
const lengthOfView = getterOf(getPrototypeOf(Uint8Array.prototype), 'byteLength');
const lengthOfDataView = getterOf(DataView.prototype, 'byteLength');
const lengthOfBuffer = getterOf(ArrayBuffer.prototype, 'byteLength');
const lengthOfShared = getterOf(SharedArrayBuffer.prototype, 'byteLength');
const { decode } = TextDecoder.prototype;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const SPACE = 32;
const DELETE = 127;
/** Tab and line ends: the control characters of normal texts. */
const BLANKS = [9, 10, 13] as const;
/** Decoded without a pause: more would block the app. */
const MAX_DECODED = 10_000;
/** Each throws on a boxed value of another type. */
const unboxers = [Number, String, Boolean, BigInt, Symbol].map((type) => type.prototype.valueOf);

export function createClassifier(
  types: typeof UtilModule.types,
  ownerOf: ClassOwner,
  holders = new DataHolders(types),
  views = new PersistentViews(types),
) {
  return function classify(value: object): Classification {
    // First of all: any other access to a Proxy could run code of the app.
    if (types.isProxy(value)) return PROXY;
    const prototype: object | null = getPrototypeOf(value);
    if (isArray(value) && prototype === Array.prototype) return ARRAY;
    if (prototype === Object.prototype && !isArray(value)) return FIELDS;
    for (let at = prototype; at !== null; at = getPrototypeOf(at)) if (types.isProxy(at)) return PROXY;
    if (isArray(value)) return ARRAY;
    if (prototype === null) return FIELDS;
    if (types.isMap(value)) return views.kindOf(value);
    if (types.isSet(value)) return SET;
    if (types.isDate(value)) return { text: dateText(value), live: true };
    if (types.isRegExp(value)) return { text: regExpText(value), live: false };
    if (types.isNativeError(value)) return { text: errorText(value), live: false };
    if (types.isBoxedPrimitive(value)) return { text: boxedText(value), live: false };
    const maker = constructorOf(value);
    if (maker !== null && types.isProxy(maker)) return PROXY;
    const bytes = byteGetter(value);
    if (bytes && types.isUint8Array(value)) return { text: textOfBytes(value) ?? sizeText(value, bytes), live: true };
    if (bytes) return { text: sizeText(value, bytes), live: false };
    // Deno has no `isExternal`.
    if (types.isModuleNamespaceObject(value) || types.isPromise(value) || types.isExternal?.(value)) return null;
    // Includes objects of another realm (node:vm), and objects that inherit from a plain object.
    if (maker === null || className(value) === 'Object') return FIELDS;
    const name = className(value) ?? 'object';
    if (isSecretType(name)) return SECRET;
    const owner = ownerOf(maker);
    if (owner === 'app' && isNoiseType(name)) return null;
    if (owner === 'app' || (owner === 'library' && holders.has(value))) return FIELDS;
    return { text: `[${name}]`, live: owner !== 'runtime' };
  };

  function byteGetter(value: object): Getter {
    if (types.isDataView(value)) return lengthOfDataView;
    if (types.isArrayBufferView(value)) return lengthOfView;
    if (types.isSharedArrayBuffer(value)) return lengthOfShared;
    return types.isAnyArrayBuffer(value) ? lengthOfBuffer : undefined;
  }
}

/** The readable views of persistent structures. These do not change, so each is decoded once. */
export class PersistentViews {
  private readonly types: Pick<typeof UtilModule.types, 'isProxy'>;
  private readonly views = new WeakMap<object, object>();
  private readonly kinds = new WeakMap<object, { expand: NodeKind }>();
  /** Classes whose objects are no such structures. */
  private readonly others = new WeakSet<object>();

  constructor(types: Pick<typeof UtilModule.types, 'isProxy'>) {
    this.types = types;
  }

  /** Returns the value itself if it is none. */
  readonly of = (value: object): object => {
    if (typeof value === 'function' || this.types.isProxy(value)) return value;
    const prototype: object | null = getPrototypeOf(value);
    if (prototype === null || prototype === Object.prototype || isArray(value)) return value;
    if (this.others.has(prototype)) return value;
    const known = this.views.get(value);
    if (known) return known;
    const decoded = decodeImmutable(value, { isProxy: this.types.isProxy, limit: MAX_DECODED });
    if (!decoded) {
      this.others.add(prototype);
      return value;
    }
    const { view, kind } = decoded;
    // All empty structures are one object: shown at each place, not as references to the first.
    if (isArray(view) ? view.length > 0 : view instanceof Map && view.size > 0) this.views.set(value, view);
    if (kind) this.kinds.set(view, { expand: kind });
    return view;
  };

  kindOf(map: object): Classification {
    return this.kinds.get(map) ?? MAP;
  }
}

/** The text in the bytes, if they are readable text; otherwise null. */
function textOfBytes(value: Uint8Array): string | null {
  const length: unknown = lengthOfView && apply(lengthOfView, value, []);
  if (typeof length !== 'number' || length === 0 || length > WALK_LIMITS.maxText) return null;
  let isBlank = true;
  for (let at = 0; at < length; at++) {
    const byte = value[at] ?? 0;
    const isControl = byte < SPACE && byte !== BLANKS[0] && byte !== BLANKS[1] && byte !== BLANKS[2];
    if (isControl || byte === DELETE) return null;
    isBlank &&= byte <= SPACE;
  }
  if (isBlank) return null;
  try {
    return apply(decode, decoder, [value]);
  } catch {
    // It is no UTF-8.
    return null;
  }
}

function sizeText(value: object, bytes: () => unknown): string {
  return `[${className(value) ?? 'bytes'} of ${apply(bytes, value, [])} bytes]`;
}

/** The constructor of this object, read without running a getter. */
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
  return regExpSource ? `/${apply(regExpSource, value, [])}/` : '[RegExp]';
}

function boxedText(value: object): string {
  for (const unbox of unboxers) {
    try {
      return String(apply(unbox, value, []));
    } catch {
      // It is of another type.
    }
  }
  return '[object]';
}

function getterOf(holder: object, name: string): Getter {
  return getOwnPropertyDescriptor(holder, name)?.get;
}

function errorText(value: object): string {
  const message: unknown = getOwnPropertyDescriptor(value, 'message')?.value;
  return `${className(value) ?? 'Error'}: ${typeof message === 'string' ? message : ''}`;
}
