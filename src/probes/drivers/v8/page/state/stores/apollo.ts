/** Apollo Client: the normalised cache, by the ids of its entities. */
import type { Found } from '../found.ts';
import { dataOf, isFunction, isObject } from '../safe.ts';

export function asApollo(value: unknown): Found | null {
  if (!isObject(value) || !isObject(dataOf(value, 'queryManager')) || !isFunction(dataOf(value, 'query'))) return null;
  return {
    kind: 'apollo',
    id: '',
    wanted: 'apollo',
    origin: 'Apollo cache',
    identity: value,
    stable: false,
    mangled: false,
    read: () => dataOf(dataOf(dataOf(value, 'cache'), 'data'), 'data'),
  };
}
