/** Vue Router: the location of the app. */
import type { Found } from '../found.ts';
import { dataOf, isObject } from '../safe.ts';
import { rawOf, refValue } from './vue-raw.ts';

const FIELDS = ['name', 'path', 'hash', 'params', 'query'];

export function asRoute(router: unknown): Found | null {
  const current = dataOf(router, 'currentRoute');
  if (!isObject(router) || !isObject(current)) return null;
  return {
    kind: 'route',
    id: '',
    wanted: 'route',
    origin: 'Vue Router',
    identity: router,
    stable: false,
    mangled: false,
    read: () => {
      // A ref in version 4, the route itself in version 3.
      const route = dataOf(current, '__v_isRef') === true ? refValue(current) : rawOf(dataOf(router, 'currentRoute'));
      const view: Record<string, unknown> = Object.create(null);
      for (const field of FIELDS) view[field] = dataOf(route, field);
      return view;
    },
  };
}
