/** Prints flat keys as a tree, with shared parts once. */
import type { Scalar } from '../client/node.ts';
import { type Paint, printable } from './terminal.ts';
import { showValue } from './values.ts';

/** The steps of a key: `cart.items[0].name` has `cart`, `.items`, `[0]`, `.name`. */
function stepsOf(key: string): string[] {
  return key.match(/^[^.[]+|\.[^.[]+|\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|.+/g) ?? [key];
}

interface Branch {
  /** Undefined for a step that only has children. */
  value: Scalar | undefined;
  readonly below: Map<string, Branch>;
}

/** One line per step. Keys of one branch are together, although later ones are last in a state. */
export function keyTree(objects: Readonly<Record<string, Scalar>>, paint: Paint): string[] {
  const root: Branch = { value: undefined, below: new Map() };
  for (const [key, value] of Object.entries(objects)) {
    let branch = root;
    for (const step of stepsOf(key)) branch = branchBelow(branch, step);
    branch.value = value;
  }
  return linesBelow(root, 0, paint);
}

function branchBelow({ below }: Branch, step: string): Branch {
  const known = below.get(step);
  if (known) return known;
  const made: Branch = { value: undefined, below: new Map() };
  below.set(step, made);
  return made;
}

function linesBelow({ below }: Branch, depth: number, paint: Paint): string[] {
  return [...below].flatMap(([step, branch]) => {
    const name = nameOf(step, depth);
    const text = branch.value === undefined ? paint('bold', name) : `${name}  ${showValue(branch.value, paint)}`;
    return [`${'  '.repeat(depth)}${text}`, ...linesBelow(branch, depth + 1, paint)];
  });
}

function nameOf(step: string, depth: number): string {
  return printable(depth > 0 && step.startsWith('.') ? step.slice(1) : step);
}
