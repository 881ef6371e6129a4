/** A node of the shadow tree: one object of the app at one place. */
import { joinPath, type Segment } from '../../../../model/path.ts';
import type { NodeKind } from './classification.ts';
import { EntryViews } from './own-data.ts';

/** An object with children, or the slot of a leaf (or NOTHING). */
export type Child = TreeNode | number;

export interface TreeNode {
  readonly parent: TreeNode | null;
  /** Null if it represents its parent (variables of a closure, shown as if they were fields). */
  readonly key: Segment | null;
  readonly kind: NodeKind;
  readonly depth: number;
  target: object;
  /** The app's value at this place: the target itself, or its wrapper (a ref, a Proxy of a library). */
  source: unknown;
  /** Part of a store whose objects are never changed, only replaced. */
  readonly stable: boolean;
  /** Its content is read only if `mayRead` allows it. */
  readonly guarded: boolean;
  /** The number of its children that are read: no list takes the room of the others before they were read. */
  limit: number;
  /** True until the object was read completely. */
  unread: boolean;
  /** The pass until which it is not compared again, because that takes long. */
  restUntil: number;
  /** Leaves of this node itself that a cap omitted. */
  leftOut: number;
  /** Names of the children; in a Map, an entry whose key is an object has an index instead. */
  keys: Segment[];
  children: Child[];
  /** For a Map whose keys are all texts: its size when they were listed. -1 if they are listed at each pass. */
  size: number;
  /** Slot of `.length` or `.size`. */
  countSlot: number;
  /** Only in a Map: the objects that represent entries whose keys are objects. */
  views: EntryViews | null;
  overlay: TreeNode | null;
  dead: boolean;
  /** The object whose fields were found to be data, not accessors. */
  checked: object | null;
  /** The turn in which its fields are checked again. */
  readonly turn: number;
}

export function segmentAt(node: TreeNode, index: number): Segment {
  return isList(node) ? index : (node.keys[index] as Segment);
}

/** The index of a segment among the children, or -1. */
export function indexOf(node: TreeNode, segment: Segment): number {
  if (!isList(node)) return node.keys.indexOf(segment);
  return typeof segment === 'number' && segment < node.children.length ? segment : -1;
}

export function countName(node: TreeNode): string {
  return node.kind === 'array' ? 'length' : 'size';
}

export function segmentsOf(node: TreeNode): Segment[] {
  const segments: Segment[] = [];
  for (let at: TreeNode | null = node; at; at = at.parent) if (at.key !== null) segments.unshift(at.key);
  return segments;
}

/** Names repeat, so the text of each is computed once. */
const suffixes = new Map<string, string>();
const MAX_SUFFIXES = 10_000;

/** Like `joinPath`, for the many paths of a full report. */
export function childPath(path: string, segment: Segment): string {
  if (typeof segment === 'number') return `${path}[${segment}]`;
  if (path === '') return joinPath(path, segment);
  let suffix = suffixes.get(segment);
  if (suffix === undefined) {
    suffix = joinPath('x', segment).slice(1);
    if (suffixes.size < MAX_SUFFIXES) suffixes.set(segment, suffix);
  }
  return path + suffix;
}

/** Paths of nodes; each is built once. */
export function createPaths(): (node: TreeNode) => string {
  const paths = new Map<TreeNode, string>();
  const pathOf = (node: TreeNode): string => {
    if (!node.parent) return '';
    let path = paths.get(node);
    if (path === undefined) {
      path = node.key === null ? pathOf(node.parent) : joinPath(pathOf(node.parent), node.key);
      paths.set(node, path);
    }
    return path;
  };
  return pathOf;
}

/** The object that represents an entry of a Map whose key is an object. */
export function viewOf(map: TreeNode, key: object, value: unknown): object {
  map.views ??= new EntryViews();
  return map.views.of(key, value);
}

export function isAncestor(node: TreeNode, value: object): boolean {
  for (let at: TreeNode | null = node; at; at = at.parent) if (at.target === value) return true;
  return false;
}

function isList({ kind }: TreeNode): boolean {
  return kind === 'array' || kind === 'set';
}
