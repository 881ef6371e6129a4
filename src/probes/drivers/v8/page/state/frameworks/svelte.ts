/**
 * Svelte 5: sources hold single values; deep state is a Proxy of Svelte, which keeps the values private and returns
 * them through its traps. It is recognised by a symbol beside the code of Svelte.
 */
import { own } from '../safe.ts';

const MARK = '$state';
const MAX_FIELDS = 100_000;

export class SvelteReader {
  private mark: symbol | null = null;
  private readonly views = new WeakMap<object, Record<string, unknown> | unknown[]>();

  /** A variable of the bundle may be the mark. */
  learn(value: unknown): void {
    if (typeof value === 'symbol' && value.description === MARK) this.mark = value;
  }

  /** A plain copy of the content of a Svelte Proxy, the same object each time; null if it is another Proxy. */
  viewOf(proxy: object): object | null {
    if (!this.mark || !(this.mark in proxy)) return null;
    const known = this.views.get(proxy);
    if (Array.isArray(proxy)) {
      const view = Array.isArray(known) ? known : [];
      view.length = Math.min(proxy.length, MAX_FIELDS);
      for (let at = 0; at < view.length; at++) view[at] = proxy[at];
      this.views.set(proxy, view);
      return view;
    }
    const view = known && !Array.isArray(known) ? known : (Object.create(null) as Record<string, unknown>);
    const names = Object.keys(proxy).slice(0, MAX_FIELDS);
    for (const name of names) view[name] = (proxy as Record<string, unknown>)[name];
    for (const name of Object.keys(view)) if (!names.includes(name)) delete view[name];
    this.views.set(proxy, view);
    return view;
  }
}

/** A source: `{ f, v, reactions, equals, rv, wv }`. Returns the value itself if it is none. */
export function sourceValue(value: object): unknown {
  const isSource = typeof own(value, 'f') === 'number' && 'v' in value && 'reactions' in value && 'equals' in value;
  return isSource ? own(value, 'v') : value;
}
