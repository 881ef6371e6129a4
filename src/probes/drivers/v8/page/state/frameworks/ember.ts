/** Ember: the container of an application keeps its services and controllers. */

import type { Found, Method } from '../found.ts';
import { camelName } from '../naming.ts';
import { attempt, dataOf, isFunction, isObject, own } from '../safe.ts';
import { type AccessorViews, isTrackedGetter } from './accessor-views.ts';

/** Services of Ember itself. */
const OWN_PARTS = /^service:(-|router$|store$|title$|page-title)|^controller:basic|^(service|controller):-/;
/** Fields that Ember adds to all of them. */
const OWN_FIELDS = new Set(['target', 'namespace', 'store', 'router', 'queryParams', 'isDestroyed', 'isDestroying']);
const MAX_OWNERS = 4;

/** The container itself, or one that this object leads to through readable objects. */
export function containerOf(value: unknown, isOpen: (value: unknown) => boolean = () => true): object | null {
  // The list of all applications is short.
  if (Array.isArray(value)) {
    const last = value.length > 0 && value.length < 9 ? own(value, value.length - 1) : null;
    return isObject(last) && isOpen(last) && !Array.isArray(last) ? containerOf(last, isOpen) : null;
  }
  let at: unknown = value;
  for (let depth = 0; depth < MAX_OWNERS && isObject(at); depth++) {
    if (isContainer(at)) return at;
    const next: unknown =
      own(at, '__container__') ?? own(at, 'container') ?? own(at, 'owner') ?? own(at, '__deprecatedInstance__');
    if (next === at || (isObject(next) && !isOpen(next))) return null;
    at = next;
  }
  return null;
}

function isContainer(value: object): boolean {
  return ['registry', 'owner', 'cache', 'factoryManagerCache'].every((name) => isObject(own(value, name)));
}

export function* findEmber(container: object, views: AccessorViews): Generator<Found, void, void> {
  const cache = own(container, 'cache');
  if (!isObject(cache)) return;
  for (const fullName of Object.keys(cache)) {
    const part = own(cache, fullName);
    if (!/^(service|controller):/.test(fullName) || OWN_PARTS.test(fullName) || !isObject(part)) continue;
    const name = camelName(fullName.slice(fullName.indexOf(':') + 1)) ?? fullName;
    yield {
      kind: 'ember',
      id: fullName,
      wanted: name,
      origin: `Ember ${fullName.replace(':', ' ')}`,
      identity: part,
      stable: false,
      mangled: false,
      read: () => stateOf(part, views),
      methods: () => methodsOf(part),
    };
  }
}

function stateOf(part: object, views: AccessorViews): object | undefined {
  const view: Record<string, unknown> = Object.create(null);
  const all = views.viewOf(part, isTrackedGetter, true);
  for (const name of Object.keys(all)) {
    const value = all[name];
    if (!OWN_FIELDS.has(name) && !name.startsWith('_') && !isFunction(value) && !isOwner(value)) view[name] = value;
  }
  // Controllers that Ember creates by itself hold nothing of the app.
  return Object.keys(view).length > 0 ? view : undefined;
}

function isOwner(value: unknown): boolean {
  return isObject(value) && attempt(() => containerOf(value)) !== null;
}

function methodsOf(part: object): Method[] {
  const prototype: object | null = Object.getPrototypeOf(part);
  // Only methods of the app's own class: inherited ones are Ember's.
  return (prototype ? Object.getOwnPropertyNames(prototype) : []).flatMap((name) => {
    const fn = dataOf(prototype, name);
    return isFunction(fn) && name !== 'constructor' && name !== 'toString' && !name.startsWith('_')
      ? [{ name, holder: part, fn }]
      : [];
  });
}
