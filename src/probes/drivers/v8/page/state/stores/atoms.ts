/** Jotai and Recoil: single values, which components hold in their hooks. */
import type { Found } from '../found.ts';
import { ask, attempt, dataOf, hasMethods, isFunction, isObject, own } from '../safe.ts';
import { unsubscriber } from './redux.ts';

/** A hook of Jotai keeps [value, store, atom]; `name` is the text beside the value. */
export function asJotai(held: readonly unknown[], name: () => string | null): Found | null {
  const [, store, atom] = held;
  if (held.length < 3 || !isObject(store) || !isObject(atom)) return null;
  if (!isFunction(dataOf(store, 'get')) || !isFunction(dataOf(store, 'sub')) || !isFunction(own(atom, 'read')))
    return null;
  // Reading a derived one runs the app.
  if (!('init' in atom)) return null;
  const label = own(atom, 'debugLabel');
  const wanted = typeof label === 'string' ? label : name();
  return {
    kind: 'jotai',
    id: wanted ?? '',
    wanted: wanted ?? '',
    origin: 'Jotai atom',
    identity: atom,
    stable: true,
    mangled: wanted === null,
    read: () => ask(store, 'get', [atom]),
    subscribe: (notify) => unsubscriber(ask(store, 'sub', [atom, notify])),
  };
}

export function asRecoil(value: unknown): Found | null {
  if (!isObject(value) || !hasMethods(value, ['getState', 'replaceState', 'subscribeToTransactions'])) return null;
  return {
    kind: 'recoil',
    id: '',
    wanted: '',
    origin: 'Recoil atoms',
    identity: value,
    stable: false,
    mangled: false,
    read: () => recoilState(value),
  };
}

function recoilState(store: object): object {
  const view: Record<string, unknown> = Object.create(null);
  const values = dataOf(dataOf(ask(store, 'getState'), 'currentTree'), 'atomValues');
  const keys = ask(values, 'keys');
  for (const key of attempt(() => [...(keys as Iterable<unknown>)], 'Atoms.keys') ?? []) {
    const loadable = ask(values, 'get', [key]);
    if (typeof key === 'string' && dataOf(loadable, 'state') === 'hasValue') view[key] = dataOf(loadable, 'contents');
  }
  return view;
}
