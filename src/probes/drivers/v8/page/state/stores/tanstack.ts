/** TanStack Query: the answers of the server, by the keys of the queries. */
import type { Found } from '../found.ts';
import { freeName } from '../naming.ts';
import { ask, dataOf, isFunction, isObject, own } from '../safe.ts';
import { unsubscriber } from './redux.ts';

const MAX_QUERIES = 500;

export function asQueryClient(value: unknown): Found | null {
  if (!isObject(value) || !isFunction(dataOf(value, 'getQueryCache')) || !isFunction(dataOf(value, 'fetchQuery')))
    return null;
  return {
    kind: 'queries',
    id: '',
    wanted: 'queries',
    origin: 'TanStack Query cache',
    identity: value,
    stable: false,
    mangled: false,
    read: () => stateOf(value),
    subscribe: (notify) => unsubscriber(ask(ask(value, 'getQueryCache'), 'subscribe', [notify])),
  };
}

function stateOf(client: object): object {
  const view: Record<string, unknown> = Object.create(null);
  const queries = ask(ask(client, 'getQueryCache'), 'getAll');
  const taken = new Set<string>();
  for (const query of Array.isArray(queries) ? (queries.slice(0, MAX_QUERIES) as unknown[]) : []) {
    const name = freeName(nameOfKey(own(query, 'queryKey')), taken);
    taken.add(name);
    const state = own(query, 'state');
    const shown: Record<string, unknown> = Object.create(null);
    for (const field of ['status', 'fetchStatus', 'data', 'error', 'isInvalidated']) shown[field] = own(state, field);
    view[name] = shown;
  }
  return view;
}

/** `['team', 3]` -> `team_3`. */
function nameOfKey(key: unknown): string {
  const parts: unknown[] = Array.isArray(key) ? key : [key];
  const words = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return words.length === 0 ? 'query' : words.join('_').slice(0, 100);
}
