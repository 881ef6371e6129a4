/**
 * Reads nodes through the browser's own accessors. A form exposes its fields by name instead: with an `<input
 * name="id">` in it `form.id` is that input, and a hostile page could name one `parentNode`.
 */

export function getter<T extends Node, K extends keyof T>(prototype: T, name: K): (node: T) => T[K] {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  if (!get) throw new Error(`there is no accessor ${String(name)}`);
  return (node) => Reflect.apply(get, node, NOTHING);
}
const NOTHING: readonly unknown[] = [];

export const nodeType = getter(Node.prototype, 'nodeType');
export const firstChild = getter(Node.prototype, 'firstChild');
export const nextSibling = getter(Node.prototype, 'nextSibling');
export const previousSibling = getter(Node.prototype, 'previousSibling');
export const parentNode = getter(Node.prototype, 'parentNode');
export const textContent = getter(Node.prototype, 'textContent');
export const tagOf = getter(Element.prototype, 'localName');
export const shadowRootOf = getter(Element.prototype, 'shadowRoot');
/** The browser caches its length, but not `childElementCount`. */
export const childrenOf = getter(Element.prototype, 'children');
export const firstElementChild = getter(Element.prototype, 'firstElementChild');
export const previousElement = getter(Element.prototype, 'previousElementSibling');

// A document exposes its forms and pictures by name.
const rootElementOf = getter(Document.prototype, 'documentElement');
const titleOf = getter(Document.prototype, 'title');
export const rootElement = (): Element | null => rootElementOf(document);
export const documentTitle = (): string => titleOf(document);
export const documentHasFocus = (): boolean => Reflect.apply(Document.prototype.hasFocus, document, NOTHING);

const methods = Element.prototype;
export const attributeOf = (element: Element, name: string): string | null =>
  Reflect.apply(methods.getAttribute, element, [name]);
export const hasAttribute = (element: Element, name: string): boolean =>
  Reflect.apply(methods.hasAttribute, element, [name]);
export const hasAnyAttribute = (element: Element): boolean => Reflect.apply(methods.hasAttributes, element, NOTHING);
export const findInside = (element: Element, selector: string): Element | null =>
  Reflect.apply(methods.querySelector, element, [selector]);
/** It, or an ancestor, cannot be used. */
export const isInert = (element: Element): boolean => Reflect.apply(methods.closest, element, ['[inert]']) !== null;
export const idOf = (element: Element): string => attributeOf(element, 'id') ?? '';
