/** Vue 2: every component is attached to its element, with its children. */

import { attempt, dataOf, isFunction, isObject, own } from '../safe.ts';
import { asVuex } from '../stores/vuex.ts';
import type { ComponentSlot } from './component-registry.ts';
import { nameOfElement } from './dom-names.ts';
import { type VueVisitor, vueMethods, vueName } from './vue3.ts';

const MAX_INSTANCES = 5000;

export function* visitVue2(element: object, visitor: VueVisitor, visited: Set<object>): Generator<void, void, void> {
  const instance = own(element, '__vue__');
  const root = dataOf(instance, '$root') ?? instance;
  const pending: unknown[] = [root];
  for (let count = 0; pending.length > 0 && count < MAX_INSTANCES; count++) {
    const at = pending.pop();
    if (!isObject(at) || visited.has(at)) continue;
    visited.add(at);
    visitInstance(at, visitor);
    const children = dataOf(at, '$children');
    if (Array.isArray(children))
      for (let child = children.length - 1; child >= 0; child--) pending.push(children[child]);
    if (count % 8 === 0) yield;
  }
}

function visitInstance(instance: object, visitor: VueVisitor): void {
  const store = asVuex(dataOf(instance, '$store'));
  if (store) visitor.add(store);
  const data = dataOf(instance, '_data');
  const options = dataOf(instance, '$options');
  const slots: ComponentSlot[] = [];
  for (const name of (isObject(data) && attempt(() => Object.keys(data), 'Vue2.keys')) || []) {
    if (name.startsWith('$') || name.startsWith('_')) continue;
    slots.push({ name, read: () => visitor.readObserved(dataOf(instance, '_data'), name) });
  }
  const vnode = dataOf(instance, '$vnode');
  const name = vueName(options) || nameOfElement(dataOf(instance, '$el'));
  const isListed = dataOf(vnode, 'key') !== undefined && dataOf(vnode, 'key') !== null;
  visitor.components.add({
    identity: instance,
    name: name || (instance === dataOf(instance, '$root') ? 'root' : ''),
    listed: isListed,
    slots,
    methods: () => vueMethods(dataOf(options, 'methods'), (method) => dataOf(instance, method), instance),
  });
  if (slots.length === 0) visitor.addFunction(dataOf(options, 'render'), 'Vue component');
  const injected = dataOf(options, 'pinia');
  if (isObject(injected) && !isFunction(injected)) visitor.addPinia(injected);
}
