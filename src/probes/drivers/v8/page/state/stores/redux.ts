/** Redux and Redux Toolkit: the store is a prop of the Provider that React renders. */
import type { Found, Method } from '../found.ts';
import { ask, hasMethods, isFunction, isObject, own } from '../safe.ts';

export function asRedux(value: unknown): Found | null {
  if (!isObject(value) || !hasMethods(value, ['getState', 'dispatch', 'subscribe'])) return null;
  // MobX-State-Tree and others borrow the names; a store of Redux can also replace its reducer.
  if (!isFunction(own(value, 'replaceReducer')) && isFunction(own(value, 'setState'))) return null;
  return {
    kind: 'redux',
    id: '',
    wanted: '',
    origin: 'Redux store',
    identity: value,
    stable: true,
    mangled: false,
    read: () => ask(value, 'getState'),
    methods: () => dispatchOf(value),
    subscribe: (notify) => unsubscriber(ask(value, 'subscribe', [notify])),
  };
}

/** The possible actions are hidden in closures, so there is one action that takes the type. */
function dispatchOf(store: object): Method[] {
  const target = own(store, 'dispatch');
  return [
    {
      ...(isFunction(target) ? { target } : {}),
      name: 'dispatch',
      holder: store,
      fn: (type: unknown, payload: unknown) => dispatch(store, payload === undefined ? { type } : { type, payload }),
      parameters: [
        { name: 'type', required: true },
        { name: 'payload', required: false },
      ],
    },
  ];
}

function dispatch(store: object, action: object): unknown {
  const method = own(store, 'dispatch');
  return isFunction(method) ? Reflect.apply(method, store, [action]) : undefined;
}

export function unsubscriber(result: unknown): () => void {
  return () => {
    if (isFunction(result)) result();
  };
}
