/** Preact: nodes are attached to their container, under the short names that all its builds share. */

import { isMinified } from '../naming.ts';
import { dataOf, isFunction, isObject, nameOf, own } from '../safe.ts';
import type { ComponentSlot } from './component-registry.ts';
import { nameOfElement } from './dom-names.ts';
import { type ReactVisitor, slotsOfState, visitDocuments } from './react.ts';

const MAX_NODES = 20_000;

/** Names of the nodes' own fields. */
const CHILDREN = '__k';
const COMPONENT = '__c';
const ELEMENT = '__e';
const HOOKS = '__H';
const VALUE = '__';

const seen = new WeakSet<object>();

export function* visitPreact(element: object, visitor: ReactVisitor): Generator<void, void, void> {
  const pending: unknown[] = [own(element, CHILDREN)];
  for (let count = 0; pending.length > 0 && count < MAX_NODES; count++) {
    const node = pending.pop();
    if (!isObject(node)) continue;
    visitNode(node, visitor);
    const children = own(node, CHILDREN);
    if (Array.isArray(children)) for (let at = children.length - 1; at >= 0; at--) pending.push(children[at]);
    if (count % 32 === 0) yield;
  }
}

function visitNode(node: object, visitor: ReactVisitor): void {
  const props = own(node, 'props');
  for (const name of ['store', 'client', 'value']) visitor.recognise(own(props, name));
  const component = own(node, COMPONENT);
  if (!isObject(component)) return;
  const slots: ComponentSlot[] = [];
  const hooks = own(own(component, HOOKS), VALUE);
  if (Array.isArray(hooks)) {
    for (const hook of hooks as unknown[]) {
      const value = own(hook, VALUE);
      const dependencies = own(hook, HOOKS);
      if (Array.isArray(dependencies)) {
        visitor.dependencies(dependencies);
        for (const dependency of dependencies as unknown[]) visitor.recognise(dependency);
      }
      // A state hook keeps [value, setter] and its component.
      if (!Array.isArray(value) || value.length !== 2 || !isFunction(value[1]) || !own(hook, COMPONENT)) continue;
      if (isFunction(value[0]) || visitor.recognise(value[0])) continue;
      // A new one is named, or recognised as a store, at the next search.
      if (!visitor.isSettled(value[0], 1) && !seen.has(hook as object)) {
        seen.add(hook as object);
        continue;
      }
      slots.push({
        name: visitor.hookName(hook as object, value[0], own(node, ELEMENT)),
        isGuessed: true,
        read: () => (own(hook, VALUE) as unknown[])[0],
      });
    }
  }
  slots.push(...slotsOfState(component, visitor));
  visitDocuments(component, visitor);
  const given = displayName(own(node, 'type'));
  const name = isMinified(given) ? nameOfElement(own(node, ELEMENT)) : given;
  const key = own(node, 'key');
  visitor.components.add({
    identity: component,
    name,
    isGuessed: name !== given,
    listed: key !== undefined && key !== null,
    slots,
  });
}

function displayName(type: unknown): string {
  const name = dataOf(type, 'displayName');
  return typeof name === 'string' ? name : nameOf(type);
}
