/** Trees: each node with its level, and whether it is open or selected. */
import { toValue } from '../../../../../insight/screen/words.ts';
import { attributeOf, tagOf } from '../nodes.ts';
import type { Data } from '../screen.ts';
import type { SemanticNode } from '../semantic-node.ts';
import { textOf } from '../text.ts';
import { isButtonLike } from './row-cells.ts';

const NODE_TEXT = 300;

export interface TreeItem {
  readonly node: SemanticNode;
  readonly record: Data;
}

export function isTree({ element }: SemanticNode, items: readonly SemanticNode[]): boolean {
  return attributeOf(element, 'role') === 'tree' || items.some((item) => isTreeItem(item.element));
}

/** In the order of the page, the children of a node after it. */
export function treeItems(items: readonly SemanticNode[], level = 1): TreeItem[] {
  return items.flatMap((node) => [
    { node, record: recordOf(node.element, level) },
    ...treeItems(inner(node), level + 1),
  ]);
}

/** The direct children. */
function inner(node: SemanticNode): SemanticNode[] {
  return node.parts.flatMap((part) => (part.role === 'item' ? [part] : inner(part)));
}

function recordOf(element: Element, level: number): Data {
  const marked = isTreeItem(element) ? element : (element.querySelector(':scope > [role=treeitem]') ?? element);
  const flag = (name: string): Data => {
    const value = attributeOf(marked, `aria-${name}`);
    return value === 'true' || value === 'false' ? { [name]: value === 'true' } : {};
  };
  const said = Number(attributeOf(marked, 'aria-level'));
  return {
    text: toValue(nodeText(element)),
    level: said > 0 ? said : level,
    ...flag('selected'),
    ...flag('expanded'),
    ...flag('checked'),
  };
}

const isTreeItem = (element: Element) => attributeOf(element, 'role') === 'treeitem';

/** Without its buttons, which open it or act on it, unless one of them is what the rest announces: `pier: [west-1]`. */
function nodeText(element: Element): string {
  const text = textOf(element, NODE_TEXT, (part) => isBelow(part) || isButtonLike(part));
  return text.endsWith(':') ? textOf(element, NODE_TEXT, isBelow) : text;
}

/** The children of a node are in a box of their own. */
function isBelow(element: Element): boolean {
  const tag = tagOf(element);
  return tag === 'ul' || tag === 'ol' || attributeOf(element, 'role') === 'group' || isTreeItemInside(element);
}

const isTreeItemInside = (element: Element) =>
  isTreeItem(element) && element.parentElement?.closest('[role=treeitem]') != null;
