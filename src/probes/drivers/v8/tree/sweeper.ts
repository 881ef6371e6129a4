/** Visits the nodes of stable roots in turn, a few at each call, and starts anew at the end. */
import type { TreeNode } from './tree-node.ts';

interface Frame {
  readonly node: TreeNode;
  at: number;
}

/** The clock is read once in this many steps. */
const STEPS_PER_LOOK = 32;

export class Sweeper {
  private readonly visit: (node: TreeNode) => void;
  /** The path from a root to the end of the last call. */
  private frames: Frame[] = [];

  constructor(visit: (node: TreeNode) => void) {
    this.visit = visit;
  }

  run(root: TreeNode, deadline: number, now: () => number): void {
    if (this.frames.length === 0) this.frames.push({ node: root, at: 0 });
    for (let steps = 1; this.frames.length > 0; steps++) {
      this.step();
      if (steps % STEPS_PER_LOOK === 0 && now() > deadline) return;
    }
  }

  private step(): void {
    const frame = this.frames[this.frames.length - 1] as Frame;
    const { children } = frame.node;
    if (frame.node.dead || frame.at >= children.length) {
      this.frames.pop();
      return;
    }
    const child = children[frame.at++];
    if (typeof child !== 'object' || !child.stable) return;
    this.visit(child);
    this.frames.push({ node: child, at: 0 });
  }
}
