/** Where the reader is, as the fragment of the address: back, forward and reload work by themselves. */
import { useEffect, useState } from 'preact/hooks';

export const TABS = ['state', 'actions', 'changes', 'verify'] as const;
export type Tab = (typeof TABS)[number];

/** Null: the list alone. */
export type Route = { readonly pid: number; readonly tab: Tab } | null;

export function parseRoute(fragment: string): Route {
  const match = /^#\/app\/(\d{1,10})(?:\/(\w+))?(?:\?|$)/.exec(fragment);
  if (!match) return null;
  return { pid: Number(match[1]), tab: TABS.find((tab) => tab === match[2]) ?? 'state' };
}

export function linkTo(pid: number, tab: Tab = 'state'): string {
  return `#/app/${pid}/${tab}`;
}

/** The state, with one key in detail. */
export function linkToKey(pid: number, key: string): string {
  return `${linkTo(pid, 'state')}?${new URLSearchParams({ key })}`;
}

/** The view of predicates, with one to begin with. */
export function linkToPredicate(pid: number, expression: string): string {
  return `${linkTo(pid, 'verify')}?${new URLSearchParams({ expression })}`;
}

/** What a link brought along; null where it is not there. */
export function givenBy(fragment: string, name: 'key' | 'expression'): string | null {
  const query = fragment.indexOf('?');
  return query < 0 ? null : new URLSearchParams(fragment.slice(query + 1)).get(name);
}

export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setFragment(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return parseRoute(fragment);
}
