/** Finds the value to read in place of a wrapper of a library: refs, signals, observables, Proxies, persistent maps. */

import { decodeImmutable } from '../../tree/immutable.ts';
import type { PageClassifier } from './classify.ts';
import { AccessorViews, isTrackedGetter, isVue2Getter } from './frameworks/accessor-views.ts';
import { SvelteReader, sourceValue } from './frameworks/svelte.ts';
import { rawOf, refValue } from './frameworks/vue-raw.ts';
import { attempt, dataOf, isObject, own } from './safe.ts';
import { MobxReader } from './stores/mobx.ts';

const { getPrototypeOf, getOwnPropertyDescriptor, getOwnPropertySymbols, prototype: OBJECT } = Object;
const ARRAY = Array.prototype;
const MAX_LAYERS = 4;

/** The frameworks on the page: others need not be checked for each object. */
export interface Presence {
  vue: boolean;
  mobx: boolean;
  angular: boolean;
  svelte: boolean;
  vue2: boolean;
  ember: boolean;
}

export class Unwrapper {
  readonly presence: Presence = { vue: false, mobx: false, angular: false, svelte: false, vue2: false, ember: false };
  readonly accessors = new AccessorViews();
  readonly svelte = new SvelteReader();
  private readonly classifier: PageClassifier;
  private readonly mobx: MobxReader;
  /** Persistent structures do not change: each is decoded once. */
  private readonly decoded = new WeakMap<object, object>();

  constructor(classifier: PageClassifier) {
    this.classifier = classifier;
    this.mobx = new MobxReader(classifier.views);
  }

  readonly resolve = (value: object): unknown => {
    let at: unknown = value;
    for (let layer = 0; layer < MAX_LAYERS; layer++) {
      if (typeof at === 'function') return this.presence.angular ? (signalValue(at) ?? at) : at;
      if (!isObject(at)) return at;
      const target: object = at;
      const inner = attempt(() =>
        this.classifier.blocked.has(target) ? this.behindProxy(target) : this.unwrap(target),
      );
      if (inner === target) return at;
      at = inner;
    }
    return at;
  };

  /** A Proxy is read only through its framework; another one stays closed. */
  private behindProxy(proxy: object): unknown {
    const { vue, mobx, svelte } = this.presence;
    const raw = vue ? rawOf(proxy) : proxy;
    if (raw !== proxy) return raw;
    const inner = mobx ? this.mobx.unwrap(proxy) : proxy;
    if (inner !== proxy) return inner;
    return (svelte && this.svelte.viewOf(proxy)) || proxy;
  }

  /** One layer; the value itself if there is none. */
  private unwrap(value: object): unknown {
    if (this.presence.vue) {
      const raw = rawOf(value);
      if (raw !== value) return raw;
    }
    if (this.presence.mobx) {
      const inner = this.mobx.unwrap(value);
      if (inner !== value) return inner;
    }
    if (this.presence.vue2 && !Array.isArray(value) && isObject(own(value, '__ob__')))
      return this.accessors.viewOf(value, isVue2Getter, false);
    const prototype: object | null = getPrototypeOf(value);
    if (prototype === OBJECT || prototype === null) return this.presence.svelte ? sourceValue(value) : value;
    if (prototype === ARRAY) return value;
    if (dataOf(value, '__v_isRef') === true) return refValue(value);
    const known = this.decoded.get(value);
    if (known) return known;
    const decoded = decodeImmutable(value);
    if (decoded) {
      // Libraries share one empty structure: a cached view would show all but the first as references to it.
      if (!isEmpty(decoded.view)) this.decoded.set(value, decoded.view);
      if (decoded.kind) this.classifier.views.set(decoded.view, decoded.kind);
      return decoded.view;
    }
    if (this.presence.ember && hasAccessors(prototype)) return this.accessors.viewOf(value, isTrackedGetter, true);
    if (this.presence.angular) {
      const control = formValue(value);
      if (control !== value) return control;
    }
    return subjectValue(value);
  }
}

function isEmpty(view: object): boolean {
  return view instanceof Map ? view.size === 0 : Array.isArray(view) && view.length === 0;
}

function hasAccessors(prototype: object): boolean {
  return Object.getOwnPropertyNames(prototype).some(
    (name) => !('value' in (getOwnPropertyDescriptor(prototype, name) ?? {})),
  );
}

export function isSignal(fn: object): boolean {
  return getOwnPropertySymbols(fn).some(({ description }) => description === 'SIGNAL');
}

/** Angular keeps the node of a signal under a symbol of the function that reads it. */
function signalValue(fn: object): unknown {
  for (const symbol of getOwnPropertySymbols(fn)) {
    if (symbol.description !== 'SIGNAL') continue;
    const node = own(fn, symbol);
    // A computed signal has no current value if it is dirty, or was never read.
    if (dataOf(node, 'dirty') === true || typeof dataOf(node, 'value') === 'symbol') return undefined;
    return dataOf(node, 'value');
  }
  return undefined;
}

/** The typed value of a control of an Angular form. */
function formValue(value: object): unknown {
  return own(value, '_rawValidators') !== undefined && own(value, 'valueChanges') !== undefined
    ? own(value, 'value')
    : value;
}

/** A BehaviorSubject of RxJS knows its last value; other streams have none. */
function subjectValue(value: object): unknown {
  if (!Array.isArray(own(value, 'observers')) && own(value, 'source') === undefined) return value;
  if (typeof dataOf(value, 'subscribe') !== 'function' || typeof dataOf(value, 'pipe') !== 'function') return value;
  return own(value, '_value');
}
