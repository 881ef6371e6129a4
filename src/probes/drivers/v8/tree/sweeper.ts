/** Visits the nodes of stable roots in turn, a few at each call, and begins anew when it is through. */
import type { TreeNode } from './tree-node.ts';

interface Frame {
  readonly node: TreeNode;
  at: number;
}

/** The clock is asked once in so many steps. */
const STEPS_PER_LOOK = 32;

export class Sweeper {
  private readonly visit: (node: TreeNode) => void;
  /** The way from a root down to where the last call ended. */
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
