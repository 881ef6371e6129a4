/**
 * The keys of a state as a tree. Holds no values, only their structure and number; adding or removing one costs its
 * depth, whatever the size of the state.
 */
import { indexOfStep, parentOf, stepName } from './key-path.ts';

export interface TreeNode {
  readonly path: string;
  readonly name: string;
  readonly depth: number;
  readonly parent: TreeNode | null;
  readonly children: TreeNode[];
  /** The key has a value of its own; it may have children, too. */
  hasValue: boolean;
  /** Number of values at or below it. */
  count: number;
  /** Time of the last change at or below it; 0 for never. */
  changedAtMs: number;
}

export class KeyTree {
  readonly root: TreeNode = node('', '', -1, null);
  private readonly byPath = new Map<string, TreeNode>();

  get(path: string): TreeNode | undefined {
    return this.byPath.get(path);
  }

  get size(): number {
    return this.root.count;
  }

  add(path: string): TreeNode {
    const found = this.ensure(path);
    if (found.hasValue) return found;
    found.hasValue = true;
    for (let at: TreeNode | null = found; at !== null; at = at.parent) at.count++;
    return found;
  }

  /** All at once: a list is traversed once, however many of its elements are removed. */
  remove(paths: Iterable<string>): void {
    const thinned = new Set<TreeNode>();
    for (const path of paths) {
      const found = this.byPath.get(path);
      if (!found?.hasValue) continue;
      found.hasValue = false;
      for (let at: TreeNode | null = found; at !== null; at = at.parent) {
        at.count--;
        if (at.count > 0 || at.parent === null) continue;
        this.byPath.delete(at.path);
        thinned.add(at.parent);
      }
    }
    for (const { children } of thinned) keepFilled(children);
  }

  /** Marks it and its ancestors. */
  touch(path: string, atMs: number): void {
    for (let at: TreeNode | null = this.byPath.get(path) ?? null; at !== null; at = at.parent) at.changedAtMs = atMs;
  }

  private ensure(path: string): TreeNode {
    const known = this.byPath.get(path);
    if (known) return known;
    const above = parentOf(path);
    const parent = above === '' ? this.root : this.ensure(above);
    const made = node(path, stepName(path, above), parent.depth + 1, parent);
    this.byPath.set(path, made);
    insert(parent.children, made);
    return made;
  }
}

function node(path: string, name: string, depth: number, parent: TreeNode | null): TreeNode {
  return { path, name, depth, parent, children: [], hasValue: false, count: 0, changedAtMs: 0 };
}

/** In the order of their arrival, which is the app's own, but elements of an array by index. */
function insert(siblings: TreeNode[], made: TreeNode): void {
  const index = indexOfStep(made.name);
  let place = siblings.length;
  for (let at = place - 1; index >= 0 && at >= 0; at--) {
    const other = indexOfStep(siblings[at]?.name ?? '');
    if (other > index) place = at;
    else if (other >= 0) break;
  }
  siblings.splice(place, 0, made);
}

function keepFilled(siblings: TreeNode[]): void {
  let kept = 0;
  for (const sibling of siblings) if (sibling.count > 0) siblings[kept++] = sibling;
  siblings.length = kept;
}
