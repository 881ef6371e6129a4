/** Classifies an object inside a page: data to descend into, a value to show as text, or neither. */
import { REDACTED } from '../../../../../model/secrets.ts';
import { isNoiseType, isSecretType } from '../../../../insight/walk-rules.ts';
import type { Classification, NodeKind } from '../../tree/classification.ts';
import { attempt, dataOf, isFunction, isNative, isObject, makerOf, nameOf, own } from './safe.ts';

const ARRAY = { expand: 'array' } as const;
const FIELDS = { expand: 'fields' } as const;
const PROXY = { text: '[Proxy]', live: false } as const;
const SECRET = { text: REDACTED, live: false } as const;

const { getPrototypeOf, getOwnPropertyDescriptor, prototype: OBJECT } = Object;
const { apply } = Reflect;
const { isArray } = Array;
const { toISOString, getTime } = Date.prototype;
const mapSize = getterOf(Map.prototype, 'size');
const setSize = getterOf(Set.prototype, 'size');
const regExpSource = getterOf(RegExp.prototype, 'source');
const byteLengths = [getPrototypeOf(Uint8Array.prototype), DataView.prototype, ArrayBuffer.prototype].map((holder) =>
  getterOf(holder, 'byteLength'),
);
const unboxers = new Map<string, () => unknown>(
  [Number, String, Boolean, BigInt, Symbol].map((type) => [type.name, type.prototype.valueOf]),
);
const MAX_CLASSES = 16;

/** Names that only internal objects of frameworks have. */
const INNER_NAMES = [
  // Elements and fragments of React.
  '$$typeof',
  // Nodes of Vue, and objects that it must leave alone.
  '__v_isVNode',
  '__v_skip',
  // Nodes of Preact.
  '__v',
  // Angular: references to views.
  '_lView',
  // Selections of jQuery.
  'jquery',
];
/** Combinations of names that only such objects have. */
const INNER_PAIRS = [
  // Fibers and hooks of React.
  ['memoizedProps', 'stateNode'],
  ['memoizedState', 'baseQueue'],
  // Components and effects of Vue.
  ['subTree', 'vnode'],
  ['deps', 'depsTail'],
  ['optionsCache', 'propsCache'],
  // Effects of Svelte 5.
  ['reactions', 'wv'],
  // Selections of D3.
  ['_groups', '_parents'],
  // Services that Angular itself provides; its templates, their places and their parts.
  ['records', 'injectorDefTypes'],
  ['_declarationLView', '_declarationTContainer'],
  ['_hostLView', '_hostTNode'],
  ['bindingStartIndex', 'blueprint'],
  ['directiveStart', 'directiveEnd'],
] as const;

export class PageClassifier {
  /** Proxies of the app: any access to one runs its code. */
  readonly blocked = new WeakSet<object>();
  /** Objects in which a library keeps the data of another one, and how to read them. */
  readonly views = new WeakMap<object, NodeKind>();
  /** Objects that are never state: the frameworks' own, and those of this agent. */
  readonly excluded = new WeakSet<object>();
  /** Objects that are shown as one text, because their content is useless. */
  readonly closed = new WeakMap<object, string>();
  private readonly nativeMakers = new WeakMap<object, boolean>();

  readonly classify = (value: object): Classification => {
    if (this.blocked.has(value)) return PROXY;
    const text = this.closed.get(value);
    if (text !== undefined) return { text, live: false };
    // A Proxy may throw at any access.
    return attempt(() => this.look(value), 'PageClassifier.look') ?? null;
  };

  private look(value: object): Classification {
    const view = this.views.get(value);
    if (view) return { expand: view };
    if (this.excluded.has(value)) return null;
    const classified = this.lookCloser(value);
    // It never changes its kind, and is met again at each comparison.
    if (!classified) this.excluded.add(value);
    return classified;
  }

  private lookCloser(value: object): Classification {
    const prototype: object | null = getPrototypeOf(value);
    if (isArray(value)) return ARRAY;
    if (isInner(value)) return null;
    if (prototype === OBJECT || prototype === null) return FIELDS;
    const maker = makerOf(value);
    if (maker === null || maker === Object) return FIELDS;
    if (this.blocked.has(maker)) return PROXY;
    const name = nameOf(maker);
    if (isSecretType(name)) return SECRET;
    if (isNoiseType(name)) return null;
    const ancestor = this.nativeAncestor(value);
    return ancestor ? nativeKind(value, ancestor) : FIELDS;
  }

  /** The built-in class of an object, also by inheritance; null for classes of the app or a library. */
  private nativeAncestor(value: object): object | null {
    let at: object | null = getPrototypeOf(value);
    for (let depth = 0; at !== null && at !== OBJECT && depth < MAX_CLASSES; depth++, at = getPrototypeOf(at)) {
      const maker = own(at, 'constructor');
      if (isFunction(maker) && this.isNativeMaker(maker)) return maker;
    }
    return null;
  }

  private isNativeMaker(maker: object): boolean {
    let known = this.nativeMakers.get(maker);
    if (known === undefined) {
      known = isNative(maker);
      this.nativeMakers.set(maker, known);
    }
    return known;
  }
}

/** By `in`, which is much faster than reading descriptors: new objects come by the thousand. */
function isInner(value: object): boolean {
  for (let at = 0; at < INNER_NAMES.length; at++) if ((INNER_NAMES[at] as string) in value) return true;
  for (let at = 0; at < INNER_PAIRS.length; at++) {
    const [first, second] = INNER_PAIRS[at] as readonly [string, string];
    if (first in value && second in value) return true;
  }
  return false;
}

/** By the name of the class: trying each getter would throw for all but one. */
function nativeKind(value: object, maker: object): Classification {
  const name = nameOf(maker);
  if (name === 'Map' || name === 'Set')
    return answers(value, name === 'Map' ? mapSize : setSize) ? { expand: name === 'Map' ? 'map' : 'set' } : null;
  if (name === 'Object') return FIELDS;
  if (name === 'Array') return ARRAY;
  if (name === 'Date') {
    const time = attempt(() => apply(getTime, value, []) as number);
    if (time === undefined) return null;
    return { text: Number.isNaN(time) ? 'Invalid Date' : apply(toISOString, value, []), live: true };
  }
  if (name === 'RegExp' && regExpSource) {
    const source: unknown = attempt(() => apply(regExpSource, value, []));
    return typeof source === 'string' ? { text: `/${source}/`, live: false } : null;
  }
  if (name.endsWith('Error')) {
    const message = own(value, 'message');
    return { text: `${name}: ${typeof message === 'string' ? message : ''}`, live: false };
  }
  if (/(Array|ArrayBuffer|DataView)$/.test(name)) return bytesOf(value, name);
  const unbox = unboxers.get(name);
  const inner: unknown = unbox && attempt(() => apply(unbox, value, []));
  return inner === undefined ? fileText(value, name) : { text: String(inner), live: false };
}

function bytesOf(value: object, name: string): Classification {
  for (const getter of byteLengths) {
    const bytes: unknown = getter && attempt(() => apply(getter, value, []));
    if (typeof bytes === 'number') return { text: `[${name} of ${bytes} bytes]`, live: false };
  }
  return null;
}

/** A file that a person chose in a form is worth its name; other objects of the browser are no state. */
function fileText(value: object, name: string): { text: string; live: boolean } | null {
  if (name !== 'File' && name !== 'URL') return null;
  const maker = dataOf(getPrototypeOf(value), 'constructor');
  const holder = own(maker, 'prototype');
  const getter = isObject(holder) ? getterOf(holder, name === 'File' ? 'name' : 'href') : undefined;
  const text: unknown = getter && attempt(() => apply(getter, value, []));
  return typeof text === 'string' ? { text: name === 'File' ? `[File ${text}]` : text, live: name === 'URL' } : null;
}

function answers(value: object, getter: (() => unknown) | undefined): boolean {
  if (!getter) return false;
  try {
    apply(getter, value, []);
    return true;
  } catch {
    // It is of another type, which answers the question.
    return false;
  }
}

function getterOf(holder: object | null, name: string): (() => unknown) | undefined {
  return holder ? getOwnPropertyDescriptor(holder, name)?.get : undefined;
}
