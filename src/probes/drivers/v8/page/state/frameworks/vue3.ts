/** Vue 3: the state of its components, and the stores of an application. */

import type { Found, Method } from '../found.ts';
import { attempt, dataOf, isFunction, isObject, own } from '../safe.ts';
import { asVuex } from '../stores/vuex.ts';
import type { ComponentRegistry, ComponentSlot } from './component-registry.ts';
import { nameOfElement } from './dom-names.ts';
import { rawOf } from './vue-raw.ts';
import { asRoute } from './vue-router.ts';

const { keys } = Object;
const MAX_INSTANCES = 5000;

export interface VueVisitor {
  add(found: Found): void;
  recognise(value: unknown): boolean;
  isOpen(value: unknown): boolean;
  isSettled(value: unknown, depth?: number): boolean;
  components: ComponentRegistry;
  /** Functions whose closures hold the variables of a compiled template. */
  addFunction(fn: unknown, origin: string): void;
  addPinia(pinia: unknown): void;
  /** A field of an object that Vue 2 observes. */
  readObserved(target: unknown, name: string): unknown;
}

export function* visitVue3(element: object, visitor: VueVisitor): Generator<void, void, void> {
  const app = own(element, '__vue_app__');
  const globals = dataOf(dataOf(app, 'config'), 'globalProperties');
  visitor.addPinia(dataOf(globals, '$pinia'));
  const route = asRoute(dataOf(globals, '$router'));
  if (route) visitor.add(route);
  const vuex = asVuex(dataOf(globals, '$store'));
  if (vuex) visitor.add(vuex);
  const provided = dataOf(dataOf(app, '_context'), 'provides');
  if (isObject(provided)) {
    for (const key of Reflect.ownKeys(provided)) {
      const value = own(provided, key);
      if (!visitor.recognise(value)) visitor.addPinia(value);
    }
  }
  const root = dataOf(own(element, '_vnode'), 'component');
  let steps = 0;
  for (const instance of walkInstances(root)) {
    visitInstance(instance, visitor);
    if (++steps % 8 === 0) yield;
  }
}

function visitInstance(instance: object, visitor: VueVisitor): void {
  const type = dataOf(instance, 'type');
  const name = vueName(type) || nameOfElement(dataOf(dataOf(instance, 'subTree'), 'el'));
  const slots: ComponentSlot[] = [];
  for (const holder of ['data', 'setupState'] as const) {
    const state = rawOf(dataOf(instance, holder));
    if (!isObject(state)) continue;
    for (const field of attempt(() => keys(state), 'Vue3.keys') ?? []) {
      const value = own(state, field);
      if (value === undefined || isFunction(value) || field.startsWith('$')) continue;
      if (isNew(rawOf(value), instance, field, visitor) || isStore(value, visitor)) continue;
      if (visitor.recognise(rawOf(value))) continue;
      slots.push({ name: field, read: () => own(rawOf(dataOf(instance, holder)), field) });
    }
  }
  const key = dataOf(dataOf(instance, 'vnode'), 'key');
  visitor.components.add({
    identity: instance,
    name,
    listed: key !== null && key !== undefined,
    slots,
    methods: () => {
      const context = dataOf(instance, 'ctx');
      return vueMethods(dataOf(type, 'methods'), (method) => dataOf(context, method), dataOf(instance, 'proxy'));
    },
  });
  const render = dataOf(instance, 'render');
  if (slots.length === 0 && isFunction(render)) visitor.addFunction(render, `Vue component ${name}`.trim());
}

/** Methods that the app declared; called on the instance, described by the app's own function. */
export function vueMethods(declared: unknown, bound: (name: string) => unknown, holder: unknown): Method[] {
  if (!isObject(declared) || !isObject(holder)) return [];
  return keys(declared).flatMap((name) => {
    const original = own(declared, name);
    const fn = bound(name);
    return isFunction(original) && isFunction(fn) ? [{ name, holder, fn, original }] : [];
  });
}

const seen = new WeakMap<object, Set<string>>();

/** True if it is not known yet whether it is a Proxy of the app, and it is new. The next search knows more. */
function isNew(raw: unknown, instance: object, field: string, visitor: VueVisitor): boolean {
  const known = seen.get(instance) ?? new Set();
  seen.set(instance, known);
  if (visitor.isSettled(raw, 1) || known.has(field)) {
    known.add(field);
    return false;
  }
  known.add(field);
  return true;
}

/** Stores of Pinia that a component uses are shown as stores. */
function isStore(value: unknown, visitor: VueVisitor): boolean {
  const raw = rawOf(value);
  return (
    isObject(raw) && visitor.isOpen(raw) && typeof dataOf(raw, '$id') === 'string' && isFunction(dataOf(raw, '$patch'))
  );
}

export function vueName(type: unknown): string {
  for (const key of ['name', '__name', '_componentTag']) {
    const name = dataOf(type, key);
    if (typeof name === 'string' && name !== '' && !isFunction(type)) return name;
  }
  const file = dataOf(type, '__file');
  return typeof file === 'string' ? (/([^/]+)\.vue$/.exec(file)?.[1] ?? '') : '';
}

function* walkInstances(root: unknown): Generator<object, void, void> {
  const pending: unknown[] = [root];
  for (let count = 0; pending.length > 0 && count < MAX_INSTANCES; ) {
    const instance = pending.pop();
    if (!isObject(instance)) continue;
    count++;
    yield instance;
    const found: unknown[] = [];
    collectComponents(dataOf(instance, 'subTree'), found);
    for (let at = found.length - 1; at >= 0; at--) pending.push(found[at]);
  }
}

function collectComponents(top: unknown, found: unknown[]): void {
  const pending: unknown[] = [top];
  for (let count = 0; pending.length > 0 && count < 20_000; count++) {
    const vnode = pending.pop();
    if (!isObject(vnode)) continue;
    const component = own(vnode, 'component');
    if (isObject(component)) {
      found.push(component);
      continue;
    }
    const branch = dataOf(own(vnode, 'suspense'), 'activeBranch');
    if (isObject(branch)) pending.push(branch);
    const children = own(vnode, 'children');
    if (Array.isArray(children)) for (let at = children.length - 1; at >= 0; at--) pending.push(children[at]);
  }
}
