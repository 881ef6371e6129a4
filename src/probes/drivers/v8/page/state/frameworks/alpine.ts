/** Alpine: each element with `x-data` has its scopes, the innermost first. */

import { isFunction, isObject, own } from '../safe.ts';
import type { ComponentRegistry, ComponentSlot } from './component-registry.ts';
import { nameOfElement } from './dom-names.ts';
import { rawOf } from './vue-raw.ts';

export function visitAlpine(element: Element, components: ComponentRegistry): void {
  const stack = own(element, '_x_dataStack');
  const data = Array.isArray(stack) && element.hasAttribute('x-data') ? rawOf(stack[0]) : null;
  if (!isObject(data)) return;
  const slots: ComponentSlot[] = [];
  for (const name of Object.keys(data)) {
    if (isFunction(own(data, name)) || name.startsWith('$')) continue;
    slots.push({ name, read: () => own(data, name) });
  }
  const source = element.getAttribute('x-data') ?? '';
  const name = /^\s*([A-Za-z_$][\w$]*)\s*(?:\(.*)?$/s.exec(source)?.[1] ?? nameOfElement(element);
  components.add({
    identity: data,
    name,
    listed: false,
    slots,
    methods: () => methodsOf(stack as unknown[], data),
  });
}

function methodsOf(stack: readonly unknown[], data: object) {
  const holder = isObject(stack[0]) ? stack[0] : data;
  return Object.keys(data).flatMap((name) => {
    const fn = own(data, name);
    return isFunction(fn) && name !== 'init' && name !== 'destroy' ? [{ name, holder, fn }] : [];
  });
}
