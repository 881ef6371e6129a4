/** The target of a path in the state: a key, an object, or only the nearest object above it. */
import { parsePath } from '../../model/path.ts';
import { keyIndexOf } from './key-index.ts';
import { isContextField } from './state-objects.ts';
import type { StateView } from './state-view.ts';

const MAX_KEYS = 100;
const NO_KEYS: readonly string[] = [];

export interface Holder {
  readonly path: string;
  /** The key itself, or the first ones below the holder. Empty for the context, which is always known. */
  readonly keys: readonly string[];
}

/** Null if not even the first step of the path is in the state. */
export function holderOf(view: StateView, path: string): Holder | null {
  if (view.get(path) !== undefined) return { path, keys: [path] };
  const { root } = keyIndexOf(view);
  if (path === 'state') return { path, keys: root.firstKeys(MAX_KEYS) };
  const [first, ...rest] = parsePath(path) ?? [path];
  const [field] = rest;
  if (first === 'context' && (field === undefined || isContextField(String(field)))) return { path, keys: NO_KEYS };
  const start = root.child(String(first));
  if (start === undefined) return null;
  let holder: typeof start = start;
  for (const segment of rest) {
    const next: typeof start | undefined = holder.child(String(segment));
    if (next === undefined) break;
    holder = next;
  }
  return { path: holder.path, keys: holder.firstKeys(MAX_KEYS) };
}
