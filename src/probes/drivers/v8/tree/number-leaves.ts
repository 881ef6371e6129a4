import { NOTHING } from './leaf-log.ts';
import { type Child, childPath, countName, segmentAt, type TreeNode } from './tree-node.ts';

const LEAVES_PER_PIECE = 2048;

interface Frame {
  readonly node: TreeNode;
  readonly path: string;
  at: number;
}

/** Moves every leaf below a node to a new slot, in the order of the tree; yields from time to time. */
export function* numberLeaves(
  root: TreeNode,
  move: (slot: number, path: string) => number,
): Generator<void, void, void> {
  const frames: Frame[] = [];
  let moved = 0;
  const enter = (node: TreeNode, path: string): void => {
    if (node.countSlot >= 0) node.countSlot = move(node.countSlot, childPath(path, countName(node)));
    frames.push({ node, path, at: 0 });
  };
  enter(root, '');
  while (frames.length > 0) {
    const frame = frames[frames.length - 1] as Frame;
    const { node, path } = frame;
    const { children } = node;
    let child: Child = NOTHING;
    while (frame.at < children.length) {
      child = children[frame.at] as Child;
      if (typeof child === 'object') break;
      if (child !== NOTHING) {
        children[frame.at] = move(child, childPath(path, segmentAt(node, frame.at)));
        if (++moved % LEAVES_PER_PIECE === 0) yield;
      }
      frame.at++;
    }
    if (frame.at < children.length && typeof child === 'object')
      enter(child, childPath(path, segmentAt(node, frame.at++)));
    else {
      frames.pop();
      if (node.overlay) enter(node.overlay, path);
    }
  }
}
