/** Compares variables one by one, so that the caller can pause between two of them; also retries refused ones. */
import { ownValue } from './own-data.ts';
import { type Child, segmentAt, type TreeNode } from './tree-node.ts';

/** Objects with a part that must not be read yet; further ones are found by the next full comparison. */
const MAX_REFUSED = 20_000;
const LOOKED_AT_ONCE = 16;
/** A longer object is compared in parts of its own. */
const LONG = 512;

interface Comparing {
  /** Creates a place for each child. */
  layOut(node: TreeNode): void;
  compareNode(node: TreeNode): void;
  compareChildren(node: TreeNode, from: number, to: number): void;
  /** True for objects that represent variables. */
  isScope(value: object): boolean;
}

export class ScopeSteps {
  private readonly work: Comparing;
  /** Places of objects that must not be read yet, since the last full comparison. */
  private readonly refused = new Map<TreeNode, Set<number>>();

  constructor(work: Comparing) {
    this.work = work;
  }

  beginPass(): void {
    this.refused.clear();
  }

  noteRefused(node: TreeNode, index: number): void {
    const known = this.refused.get(node);
    if (known) known.add(index);
    else if (this.refused.size < MAX_REFUSED) this.refused.set(node, new Set([index]));
  }

  *compare(node: TreeNode): Generator<void, void, void> {
    this.work.layOut(node);
    for (let index = 0; index < node.children.length; index++) {
      const child = node.children[index] as Child;
      if (typeof child === 'object' && this.isScopeOf(node, index, child)) yield* this.compare(child);
      else this.work.compareChildren(node, index, index + 1);
      yield;
    }
  }

  /** Retries places of objects that must not be read yet, and variables with a new value. */
  *lookAgain(root: TreeNode): Generator<void, void, void> {
    const refused = [...this.refused];
    this.refused.clear();
    this.compareVariables(root);
    yield;
    for (const [at, [node, indices]] of refused.entries()) {
      if (!node.dead && !node.unread) this.compareSome(node, indices);
      if (at % LOOKED_AT_ONCE === 0) yield;
    }
  }

  private isScopeOf(node: TreeNode, index: number, child: TreeNode): boolean {
    const { unread, kind, target, children, source } = child;
    if (unread || children.length > LONG || (kind !== 'fields' && kind !== 'array')) return false;
    return this.work.isScope(target) && source === ownValue(node.target, segmentAt(node, index));
  }

  private compareVariables(node: TreeNode): void {
    if (node.unread) return;
    this.work.layOut(node);
    for (const [index, child] of node.children.entries()) {
      if (typeof child === 'object' && this.work.isScope(child.target)) this.compareVariables(child);
      const isSame = typeof child === 'object' && child.source === ownValue(node.target, segmentAt(node, index));
      if (!isSame) this.work.compareChildren(node, index, index + 1);
    }
  }

  private compareSome(node: TreeNode, indices: ReadonlySet<number>): void {
    // The values of other kinds cannot be read one by one.
    if (node.kind !== 'fields' && node.kind !== 'array') this.work.compareNode(node);
    else
      for (const index of indices) if (index < node.children.length) this.work.compareChildren(node, index, index + 1);
  }
}
