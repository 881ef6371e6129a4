/** Vuex 3 and 4: state behind a hidden prefix, actions and mutations by their types. */
import type { Found, Method } from '../found.ts';
import { rawOf } from '../frameworks/vue-raw.ts';
import { ask, dataOf, isFunction, isObject } from '../safe.ts';
import { unsubscriber } from './redux.ts';

export function asVuex(value: unknown): Found | null {
  if (!isObject(value) || !isObject(dataOf(value, '_mutations')) || !isFunction(dataOf(value, 'commit'))) return null;
  return {
    kind: 'vuex',
    id: '',
    wanted: '',
    origin: 'Vuex store',
    identity: value,
    stable: false,
    mangled: false,
    read: () => stateOf(value),
    methods: () => [...methodsOf(value, 'dispatch', '_actions'), ...methodsOf(value, 'commit', '_mutations')],
    subscribe: (notify) => unsubscriber(ask(value, 'subscribe', [notify])),
  };
}

/** Version 4 keeps it in a reactive object, version 3 in a Vue instance of its own. */
function stateOf(store: object): unknown {
  const reactive = rawOf(dataOf(store, '_state'));
  if (isObject(reactive)) return dataOf(reactive, 'data');
  return dataOf(dataOf(dataOf(store, '_vm'), '_data'), '$$state');
}

function methodsOf(store: object, via: 'dispatch' | 'commit', table: string): Method[] {
  const entries = dataOf(store, table);
  const call = dataOf(store, via);
  if (!isObject(entries) || !isFunction(call)) return [];
  return Object.keys(entries).map((type) => ({
    name: type.split('/').join('.'),
    holder: store,
    target: call,
    fn: (payload: unknown) => Reflect.apply(call, store, [type, payload]),
    parameters: [{ name: 'payload', required: false }],
  }));
}
