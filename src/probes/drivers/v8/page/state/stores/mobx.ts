/** MobX: every observable keeps its values in an administration, which is read in its place. */
import type { NodeKind } from '../../../tree/classification.ts';
import { type Found, type Method, UNKNOWN_PARAMETERS } from '../found.ts';
import {
  type AnyFunction,
  ask,
  attempt,
  dataOf,
  isFunction,
  isObject,
  makerOf,
  nameOf,
  own,
  sourceText,
} from '../safe.ts';
import { unsubscriber } from './redux.ts';

const { getOwnPropertySymbols, getOwnPropertyNames, getPrototypeOf } = Object;
const ADMINISTRATION = 'mobx administration';

/** The state of a derivation that need not be computed again. */
const UP_TO_DATE = 0;

export class MobxReader {
  private symbol: symbol | null = null;
  private readonly views: WeakMap<object, NodeKind>;

  constructor(views: WeakMap<object, NodeKind>) {
    this.views = views;
  }

  /** The value of an observable; the value itself if it is none. */
  unwrap(value: object): unknown {
    const administration = this.administration(value);
    if (isObject(administration)) {
      const values = own(administration, 'values_') ?? own(administration, 'values');
      if (values instanceof Map) {
        this.views.set(values, 'record');
        return values;
      }
      if (Array.isArray(values)) return values;
    }
    const data = own(value, 'data_');
    if (data instanceof Map || data instanceof Set) return data;
    if (!('value_' in value)) return value;
    const state = own(value, 'dependenciesState_');
    return state === undefined || state === UP_TO_DATE ? own(value, 'value_') : undefined;
  }

  administration(value: object): unknown {
    if (this.symbol) return own(value, this.symbol);
    for (const symbol of getOwnPropertySymbols(value)) {
      if (symbol.description !== ADMINISTRATION) continue;
      this.symbol = symbol;
      return own(value, symbol);
    }
    return undefined;
  }
}

/** A store: an object of a class with observable fields. */
export function asMobx(value: unknown, reader: MobxReader): Found | null {
  if (!isObject(value) || !isObject(attempt(() => reader.administration(value)))) return null;
  if (!(own(reader.administration(value), 'values_') instanceof Map)) return null;
  const className = nameOf(makerOf(value));
  const name =
    className === 'Object' || className.length <= 2 ? '' : (className[0] ?? '').toLowerCase() + className.slice(1);
  return {
    kind: 'mobx',
    id: name,
    wanted: name,
    origin: name === '' ? 'MobX store' : `MobX store ${className}`,
    identity: value,
    stable: false,
    mangled: false,
    read: () => value,
    methods: () => methodsOf(value),
    subscribe: (notify) => unsubscriber(ask(reader.administration(value), 'observe_', [notify])),
  };
}

/** Stores behind a component that observes them: they own the values that it computes from. */
export function storesOf(value: object, reader: MobxReader): Found[] {
  const reaction = own(value, 'reaction') ?? value;
  const observing = own(reaction, 'observing_');
  if (!Array.isArray(observing)) return [];
  const found = new Map<object, Found>();
  for (const dependency of observing as unknown[]) {
    const scope = own(dependency, 'scope_');
    const store = isObject(scope) ? asMobx(scope, reader) : null;
    if (store) found.set(store.identity, store);
  }
  return [...found.values()];
}

function methodsOf(store: object): Method[] {
  const methods: Method[] = [];
  for (let at: object | null = store; at !== null && at !== Object.prototype; at = getPrototypeOf(at)) {
    for (const name of getOwnPropertyNames(at)) {
      const fn = own(at, name);
      if (!isFunction(fn) || name === 'constructor' || name.startsWith('_')) continue;
      methods.push({ name, holder: store, fn, ...describeAction(fn) });
    }
  }
  return methods.filter(({ name }, at) => methods.findIndex((other) => other.name === name) === at);
}

/** MobX wraps an action, and reports the text of the app's own function instead of its own. */
function describeAction(fn: AnyFunction): Pick<Method, 'text' | 'parameters'> {
  if (own(fn, 'isMobxAction') !== true) return {};
  const text = ask(fn, 'toString');
  return typeof text === 'string' && text !== sourceText(fn) ? { text } : { parameters: UNKNOWN_PARAMETERS };
}

/** MobX counts itself in the page. */
export function hasMobx(): boolean {
  return dataOf(globalThis, '__mobxGlobals') !== undefined || dataOf(globalThis, '__mobxInstanceCount') !== undefined;
}
