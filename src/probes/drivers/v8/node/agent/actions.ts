/** Finds callable methods: those of the app's own classes, and functions in objects of its state. */
import { joinPath, type Segment } from '../../../../../model/path.ts';
import { SOURCE_LIMIT } from '../../js/source-limit.ts';
import { accessorsUsed, hasAccessors } from '../../tree/accessors.ts';
import type { ShadowTree, TreeNode } from '../../tree/shadow-tree.ts';
import { className } from './classify.ts';
import type { AgentAction } from './protocol.ts';
import { quietDescriptor } from './quiet.ts';
import type { Owner } from './scripts.ts';

const MAX_ACTIONS = 300;
const MAX_HOLDERS = 5000;

const { getOwnPropertyNames, getPrototypeOf } = Object;
const { apply } = Reflect;
const functionToString = Function.prototype.toString;

export function collectActions(tree: ShadowTree, ownerOf: (fn: object) => Owner): AgentAction[] {
  const actions = new Map<string, AgentAction>();
  const seen = new Map<string, Set<object | null>>();
  let holders = 0;
  for (const node of tree.holders) {
    if (++holders > MAX_HOLDERS || actions.size >= MAX_ACTIONS) break;
    if (node.dead) continue;
    // All elements of a list share one action that takes the index, so one element of each class is enough.
    const pattern = patternOf(tree.segmentsOf(node));
    const prototype: object | null = getPrototypeOf(node.target);
    const known = seen.get(pattern) ?? new Set();
    if (pattern.includes('[*]') && known.has(prototype)) continue;
    seen.set(pattern, known.add(prototype));
    const isPlain = !hasAccessors(node.target, quietDescriptor);
    for (const [name, fn] of methodsOf(node.target, ownerOf)) {
      const binding = `${pattern}#${name}`;
      if (actions.has(binding) || actions.size >= MAX_ACTIONS) continue;
      const judged = judgedOf(isPlain ? null : node.target, fn);
      actions.set(binding, { binding, ...judged, className: className(node.target), given: 0 });
    }
  }
  return [...actions.values()];
}

/** The current object and function of a binding. */
export function resolveAction(
  tree: ShadowTree,
  binding: string,
  indices: readonly number[],
): { holder: object; fn: (...args: unknown[]) => unknown } | null {
  const hash = binding.lastIndexOf('#');
  const node = findByPattern(tree, binding.slice(0, hash), indices);
  if (!node) return null;
  const fn = findMethod(node.target, binding.slice(hash + 1));
  return fn ? { holder: node.target, fn } : null;
}

function patternOf(segments: readonly Segment[]): string {
  return segments.reduce<string>(
    (path, segment) => (typeof segment === 'number' ? `${path}[*]` : joinPath(path, segment)),
    '',
  );
}

function findByPattern(tree: ShadowTree, pattern: string, indices: readonly number[]): TreeNode | null {
  for (const node of tree.holders) {
    const segments = tree.segmentsOf(node);
    if (patternOf(segments) !== pattern) continue;
    if (indices.length === 0) return node;
    let next = 0;
    return tree.find(segments.map((segment) => (typeof segment === 'number' ? (indices[next++] ?? -1) : segment)));
  }
  return null;
}

function* methodsOf(holder: object, ownerOf: (fn: object) => Owner): Generator<[string, object]> {
  for (let at: object | null = holder; at !== null && at !== Object.prototype; at = getPrototypeOf(at)) {
    // The methods of a class belong to its file: one query instead of one for each.
    const maker: unknown = at === holder ? null : quietDescriptor(at, 'constructor')?.value;
    const ofClass = typeof maker === 'function' ? ownerOf(maker) : null;
    if (ofClass !== null && ofClass !== 'app') continue;
    for (const name of getOwnPropertyNames(at)) {
      if (name === 'constructor' || name.startsWith('_')) continue;
      const value: unknown = quietDescriptor(at, name)?.value;
      if (typeof value !== 'function' || isClass(value) || (ofClass ?? ownerOf(value)) !== 'app') continue;
      yield [name, value];
    }
  }
}

function findMethod(holder: object, name: string): ((...args: unknown[]) => unknown) | null {
  for (let at: object | null = holder; at !== null; at = getPrototypeOf(at)) {
    const descriptor = quietDescriptor(at, name);
    if (descriptor) return typeof descriptor.value === 'function' ? descriptor.value : null;
  }
  return null;
}

function isClass(fn: object): boolean {
  return sourceOf(fn).startsWith('class');
}

/** The facts by which the daemon judges a method. `holder` is null if it has none. */
export function judgedOf(holder: object | null, fn: object): Pick<AgentAction, 'source' | 'accessors'> {
  const source = sourceOf(fn);
  return { source, accessors: holder === null ? [] : accessorsUsed(holder, source, quietDescriptor) };
}

function sourceOf(fn: object): string {
  return apply(functionToString, fn, []).slice(0, SOURCE_LIMIT);
}
