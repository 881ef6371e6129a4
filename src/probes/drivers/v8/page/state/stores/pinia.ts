/** Pinia: all stores are in one map, by their ids. */
import { type Found, type Method, UNKNOWN_PARAMETERS } from '../found.ts';
import { rawOf } from '../frameworks/vue-raw.ts';
import { attempt, dataOf, isFunction, isObject } from '../safe.ts';

const { keys } = Object;
/** A subscription watches every value of the store, which costs the page time at each change. */
const MAX_WATCHED_FIELDS = 500;

export function* findPinia(pinia: unknown): Generator<Found, void, void> {
  const stores = dataOf(pinia, '_s');
  if (!(stores instanceof Map) || !isObject(pinia)) return;
  for (const [id, store] of stores as Map<unknown, unknown>)
    if (typeof id === 'string' && isObject(store)) yield asPiniaStore(pinia, id, store);
}

function asPiniaStore(pinia: object, id: string, store: object): Found {
  const raw = rawOf(store) as object;
  return {
    kind: 'pinia',
    id,
    wanted: id,
    origin: `Pinia store ${id}`,
    identity: raw,
    stable: false,
    mangled: false,
    read: () => stateOf(pinia, id, raw),
    methods: () => actionsOf(raw, store),
    subscribe: (notify) => {
      const subscribe = dataOf(store, '$subscribe');
      if (!isFunction(subscribe) || countFields(rawState(pinia, id)) > MAX_WATCHED_FIELDS) return () => undefined;
      const stop: unknown = Reflect.apply(subscribe, store, [notify, { detached: true, flush: 'sync' }]);
      return () => {
        if (isFunction(stop)) stop();
      };
    },
  };
}

function rawState(pinia: object, id: string): unknown {
  const all = rawOf(dataOf(rawOf(dataOf(pinia, 'state')), '_rawValue') ?? dataOf(dataOf(pinia, 'state'), '_value'));
  return rawOf(dataOf(rawOf(all), id));
}

/** The state itself, and the getters whose cached result is still valid. */
function stateOf(pinia: object, id: string, store: object): unknown {
  const state = rawState(pinia, id);
  if (!isObject(state)) return undefined;
  const view: Record<string, unknown> = Object.create(null);
  for (const name of keys(state)) view[name] = dataOf(state, name);
  for (const name of keys(store)) {
    if (name in view || name.startsWith('$') || name.startsWith('_')) continue;
    const value = dataOf(store, name);
    if (isObject(value) && dataOf(value, '__v_isRef') === true) view[name] = value;
  }
  return view;
}

function actionsOf(raw: object, store: object): Method[] {
  const methods: Method[] = [];
  for (const name of keys(raw)) {
    const fn = dataOf(raw, name);
    if (!isFunction(fn) || name.startsWith('$') || name.startsWith('_')) continue;
    // Pinia wraps every action, which hides the parameters of the app's own function.
    methods.push({ name, holder: store, fn, parameters: UNKNOWN_PARAMETERS });
  }
  return methods;
}

function countFields(root: unknown): number {
  let count = 0;
  const pending: unknown[] = [root];
  while (pending.length > 0 && count <= MAX_WATCHED_FIELDS) {
    const value = rawOf(pending.pop());
    if (!isObject(value)) continue;
    const fields = attempt(() => keys(value), 'Pinia.keys') ?? [];
    count += fields.length;
    if (count <= MAX_WATCHED_FIELDS) for (const name of fields) pending.push(dataOf(value, name));
  }
  return count;
}
