/** The meaning of keys in the tree: the usual pattern for trees, with j and k in addition to the arrows. */
import type { StateBrowser } from './state-browser.ts';
import type { TreeNode } from './tree.ts';

export interface Place {
  readonly rows: readonly TreeNode[];
  /** The current row. */
  readonly at: number;
  readonly browser: Pick<StateBrowser, 'isOpen' | 'setOpen' | 'openBelow' | 'select' | 'selected'>;
  /** Number of visible rows. */
  readonly page: number;
}

/** The row to go to, `done` if something else was done, null if the key has no meaning here. */
export function keyMove(key: string, { rows, at, browser, page }: Place): number | 'done' | null {
  const node = rows[at];
  if (!node) return null;
  const last = rows.length - 1;
  const hasBranch = node.children.length > 0;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(last, at + 1);
    case 'ArrowUp':
    case 'k':
      return Math.max(0, at - 1);
    case 'PageDown':
      return Math.min(last, at + page);
    case 'PageUp':
      return Math.max(0, at - page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
      if (!hasBranch) return 'done';
      if (browser.isOpen(node)) return at + 1;
      browser.setOpen(node, true);
      return 'done';
    case 'ArrowLeft':
      if (hasBranch && browser.isOpen(node)) {
        browser.setOpen(node, false);
        return 'done';
      }
      return node.parent && node.depth > 0 ? rows.lastIndexOf(node.parent, at) : 'done';
    case '*':
      browser.openBelow(node);
      return 'done';
    case 'Enter':
    case ' ':
      if (node.hasValue) browser.select(node.path);
      else browser.setOpen(node, !browser.isOpen(node));
      return 'done';
    case 'Escape':
      if (browser.selected === null) return null;
      browser.select(null);
      return 'done';
    default:
      return null;
  }
}
