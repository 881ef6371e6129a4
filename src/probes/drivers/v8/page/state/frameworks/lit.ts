/** Lit: the class of an element lists its properties. */

import { dataOf, makerOf } from '../safe.ts';
import { type AccessorViews, isLitGetter } from './accessor-views.ts';
import type { ComponentRegistry } from './component-registry.ts';
import { shortName } from './dom-names.ts';

export function visitLit(element: Element, components: ComponentRegistry, views: AccessorViews): void {
  const properties = dataOf(makerOf(element), 'elementProperties');
  if (!(properties instanceof Map)) return;
  const names = [...properties.keys()].filter(
    (name): name is string => typeof name === 'string' && !name.startsWith('_'),
  );
  components.add({
    identity: element,
    name: shortName(element.localName) ?? '',
    listed: isOneOfMany(element),
    slots: names.map((name) => ({ name, read: () => views.read(element, name, isLitGetter) })),
  });
}

function isOneOfMany({ previousElementSibling, nextElementSibling, localName }: Element): boolean {
  return previousElementSibling?.localName === localName || nextElementSibling?.localName === localName;
}
