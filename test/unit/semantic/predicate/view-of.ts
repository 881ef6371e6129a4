import { joinPath } from '../../../../src/model/path.ts';
import type { Scalar } from '../../../../src/model/scalar.ts';
import type { AppContext } from '../../../../src/model/wire.ts';
import type { StateView } from '../../../../src/semantic/predicate/predicate.ts';

export const context: AppContext = {
  url: 'https://mail.example/inbox',
  location: '/inbox',
  view: 'inbox',
  window_title: 'Mail',
  window_id: null,
};

export interface TestView extends StateView {
  readonly map: Map<string, Scalar>;
  keySetVersion: number;
  /** The number of key listings. */
  keyListings: number;
}

export function viewOfKeys(keys: Record<string, Scalar> | Map<string, Scalar>): TestView {
  const map = keys instanceof Map ? keys : new Map(Object.entries(keys));
  return {
    map,
    context,
    keySetVersion: 1,
    keyListings: 0,
    get: (key) => map.get(key),
    keys() {
      this.keyListings += 1;
      return map.keys();
    },
  };
}

/** The keys that a probe makes of an object. */
function flatten(value: unknown, lengths: boolean, path = '', into = new Map<string, Scalar>()) {
  if (Array.isArray(value)) {
    if (lengths || value.length === 0) into.set(joinPath(path, 'length'), value.length);
    value.forEach((element, index) => {
      flatten(element, lengths, joinPath(path, index), into);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, child] of Object.entries(value)) flatten(child, lengths, joinPath(path, name), into);
  } else if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    into.set(path, value);
  }
  return into;
}

export function viewOf(state: unknown, { lengths = true } = {}): TestView {
  return viewOfKeys(flatten(state, lengths));
}
