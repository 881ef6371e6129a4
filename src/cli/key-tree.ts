/** Flat keys as a tree: what they share is said once. */
import type { Scalar } from '../client/node.ts';
import { type Paint, printable } from './terminal.ts';
import { showValue } from './values.ts';

/** The steps of a key: `cart.items[0].name` has `cart`, `.items`, `[0]`, `.name`. */
function stepsOf(key: string): string[] {
  return key.match(/^[^.[]+|\.[^.[]+|\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|.+/g) ?? [key];
}

/** One line for each value, and one for each step above it that has not been said yet. */
export function keyTree(objects: Readonly<Record<string, Scalar>>, paint: Paint): string[] {
  const lines: string[] = [];
  let before: readonly string[] = [];
  for (const [key, value] of Object.entries(objects)) {
    const steps = stepsOf(key);
    let shared = 0;
    while (shared < steps.length - 1 && shared < before.length && steps[shared] === before[shared]) shared++;
    for (let depth = shared; depth < steps.length - 1; depth++)
      lines.push(`${'  '.repeat(depth)}${paint('bold', nameOf(steps[depth] ?? '', depth))}`);
    const depth = steps.length - 1;
    lines.push(`${'  '.repeat(depth)}${nameOf(steps[depth] ?? '', depth)}  ${showValue(value, paint)}`);
    before = steps;
  }
  return lines;
}

function nameOf(step: string, depth: number): string {
  return printable(depth > 0 && step.startsWith('.') ? step.slice(1) : step);
}
