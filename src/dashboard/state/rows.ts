/** The visible lines of the tree. */
import type { KeyTree, TreeNode } from './tree.ts';

export interface RowsQuery {
  readonly tree: KeyTree;
  readonly isOpen: (node: TreeNode) => boolean;
  /** Only these with their ancestors; null for all. */
  readonly matches: ReadonlySet<TreeNode> | null;
}

export function rowsOf({ tree, isOpen, matches }: RowsQuery): TreeNode[] {
  const rows: TreeNode[] = [];
  const shown = matches === null ? null : withAncestors(matches);
  const visit = (node: TreeNode): void => {
    for (const child of node.children) {
      if (shown !== null && !shown.has(child)) continue;
      rows.push(child);
      if (child.children.length > 0 && isOpen(child)) visit(child);
    }
  };
  visit(tree.root);
  return rows;
}

function withAncestors(matches: ReadonlySet<TreeNode>): Set<TreeNode> {
  const shown = new Set<TreeNode>();
  for (const match of matches)
    for (let at: TreeNode | null = match; at !== null && !shown.has(at); at = at.parent) shown.add(at);
  return shown;
}
