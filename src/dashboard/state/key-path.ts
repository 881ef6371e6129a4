/** The nesting of keys: `cart.items[0].name` is below `cart.items[0]`, which is below `cart.items`. */

/** The key without its last step; empty for a single step. */
export function parentOf(path: string): string {
  if (path.endsWith('"]')) return path.slice(0, startOfQuoted(path));
  const cut = path.endsWith(']') ? path.lastIndexOf('[') : path.lastIndexOf('.');
  return cut <= 0 ? '' : path.slice(0, cut);
}

/** A quoted step may contain anything, even brackets, so its start can only be found from the front. */
function startOfQuoted(path: string): number {
  let start = 0;
  for (const match of path.matchAll(/\["(?:[^"\\]|\\.)*"\]/g)) start = match.index;
  return start;
}

/** The displayed text of a step: `items`, `[0]`, `["odd name"]`. */
export function stepName(path: string, parent: string): string {
  const step = path.slice(parent.length);
  return parent !== '' && step.startsWith('.') ? step.slice(1) : step;
}

/** The index of a step of an array, or -1. */
export function indexOfStep(name: string): number {
  return name.startsWith('[') && name[1] !== '"' ? Number(name.slice(1, -1)) : -1;
}
