/** Zustand: components hold the store in the dependencies of their hooks. */
import type { Found } from '../found.ts';
import { type AnyFunction, ask, attempt, dataOf, isFunction, isObject, own, sourceText } from '../safe.ts';
import { unsubscriber } from './redux.ts';

export function asZustand(value: unknown): Found | null {
  if (!isObject(value) && !isFunction(value)) return null;
  if (!isFunction(own(value, 'getState')) || !isFunction(own(value, 'setState'))) return null;
  if (!isFunction(own(value, 'subscribe'))) return null;
  const name = persistName(value);
  const state = ask(value, 'getState');
  return {
    kind: 'zustand',
    id: name,
    wanted: name,
    origin: name === '' ? 'Zustand store' : `Zustand store ${name}`,
    // The hook and the store behind it are two objects with one function.
    identity: own(value, 'getState') as AnyFunction,
    stable: true,
    mangled: false,
    read: () => (isObject(state) || state === undefined ? ask(value, 'getState') : { value: ask(value, 'getState') }),
    subscribe: (notify) => unsubscriber(ask(value, 'subscribe', [notify])),
  };
}

/** Older versions leave only the function that returns the state (`()=>e`) in a dependency array, beside a selector. */
export function asZustandReader(dependencies: readonly unknown[]): Found | null {
  const [read, initial] = dependencies;
  if (dependencies.length < 3 || !isFunction(read) || !isFunction(dependencies[2])) return null;
  if (!isFunction(initial) && initial !== null && initial !== undefined) return null;
  if (!/^\(\) ?=> ?[\w$]+$/.test(sourceText(read))) return null;
  const state = attempt(() => read(), 'Zustand.read');
  if (!isObject(state)) return null;
  return {
    kind: 'zustand',
    id: '',
    wanted: '',
    origin: 'Zustand store',
    identity: read,
    stable: true,
    mangled: false,
    read: () => read(),
  };
}

function persistName(store: object): string {
  const options = ask(own(store, 'persist'), 'getOptions');
  const name = dataOf(options, 'name');
  return typeof name === 'string' ? name : '';
}
