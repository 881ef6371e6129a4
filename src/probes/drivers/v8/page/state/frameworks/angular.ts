/**
 * Angular (Ivy). Production builds lead from an element to its component only by a number; the views themselves are
 * found in closures. One view leads to all others, and each knows its component.
 */

import { isFunction, isObject, own } from '../safe.ts';
import type { ComponentRegistry, ComponentSlot } from './component-registry.ts';
import { shortName } from './dom-names.ts';

const HOST = 0;
const TEMPLATE = 1;
const PARENT = 3;
const CONTEXT = 8;
const COMPONENT_TYPE = 1;
const MAX_VIEWS = 2000;
/** Every view has at least this many parts. */
export const VIEW_LENGTH = 20;

type View = readonly unknown[];

/** An LView: an array that begins with its host and its template. */
export function isView(value: unknown): value is View {
  if (!Array.isArray(value) || value.length < VIEW_LENGTH) return false;
  const template: unknown = value[TEMPLATE];
  return isObject(template) && 'blueprint' in template && 'bindingStartIndex' in template;
}

export function topView(view: View): View {
  let at = view;
  for (let depth = 0; depth < 200; depth++) {
    const parent: unknown = at[PARENT];
    if (isView(parent)) at = parent;
    // A container of views is between two views.
    else if (Array.isArray(parent) && isView(parent[PARENT])) at = parent[PARENT];
    else return at;
  }
  return at;
}

export function* visitAngular(top: View, components: ComponentRegistry): Generator<void, void, void> {
  const pending: unknown[] = [top];
  const seen = new Set<unknown>();
  while (pending.length > 0 && seen.size < MAX_VIEWS) {
    const view = pending.pop();
    if (!Array.isArray(view) || seen.has(view)) continue;
    seen.add(view);
    if (isView(view)) visitComponent(view, components);
    for (let at = view.length - 1; at > CONTEXT; at--) {
      const child: unknown = view[at];
      if (Array.isArray(child) && (isView(child) || isContainer(child))) pending.push(child);
    }
    if (seen.size % 16 === 0) yield;
  }
}

function isContainer(value: readonly unknown[]): boolean {
  return value[TEMPLATE] === true && (value[HOST] instanceof Node || Array.isArray(value[HOST]));
}

function visitComponent(view: View, components: ComponentRegistry): void {
  // Other types are the root, and parts of a component that come and go.
  if (own(view[TEMPLATE], 'type') !== COMPONENT_TYPE) return;
  const component: unknown = view[CONTEXT];
  const host: unknown = view[HOST];
  if (!isObject(component) || !(host instanceof Element)) return;
  const slots: ComponentSlot[] = Object.keys(component)
    .filter((name) => !name.startsWith('__ng') && !name.startsWith('ɵ'))
    .map((name) => ({ name, read: () => own(component, name) }));
  components.add({
    identity: component,
    name: shortName(host.localName) ?? '',
    listed:
      host.previousElementSibling?.localName === host.localName ||
      host.nextElementSibling?.localName === host.localName,
    slots,
    methods: () => methodsOf(component),
  });
}

function methodsOf(component: object) {
  const prototype: object | null = Object.getPrototypeOf(component);
  if (!prototype) return [];
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const fn = own(prototype, name);
    return isFunction(fn) && name !== 'constructor' && !/^(ng|_)/.test(name) ? [{ name, holder: component, fn }] : [];
  });
}
