/** The content of a part of the page, in its order: for names of values that have none. */
import type { Shown } from './frameworks/react-names.ts';

const MAX_NODES = 300;

export function shownInDom(root: unknown): Shown[] {
  const shown: Shown[] = [];
  if (!(root instanceof Node)) return shown;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node: Node | null = walker.currentNode; node && shown.length < MAX_NODES; node = walker.nextNode()) {
    if (node instanceof Element)
      shown.push({ text: '', props: propsOf(node), element: node.localName, listLength: listLength(node) });
    else if (node.textContent?.trim()) shown.push({ text: node.textContent, props: null, element: '', listLength: -1 });
  }
  return shown;
}

function propsOf(element: Element): Record<string, unknown> {
  const props: Record<string, unknown> = Object.create(null);
  for (const name of ['name', 'aria-label', 'id', 'data-testid', 'placeholder'])
    props[name] = element.getAttribute(name);
  props.className = element.getAttribute('class');
  if (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
    props.value = element.value;
  if (element instanceof HTMLInputElement && /^(checkbox|radio)$/.test(element.type)) props.checked = element.checked;
  return props;
}

function listLength({ firstElementChild, childElementCount, lastElementChild }: Element): number {
  return firstElementChild && firstElementChild.localName === lastElementChild?.localName ? childElementCount : -1;
}
