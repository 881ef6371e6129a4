/** The location in the page, as the fragment of the address: back, forward and reload work by themselves. */
import { useEffect, useState } from 'preact/hooks';
import type { AppSummary } from '../../client/index.ts';

export const TABS = ['state', 'actions', 'changes', 'verify', 'charts'] as const;
export type Tab = (typeof TABS)[number];

/** Null for the list only. */
export type Route = { readonly pid: number; readonly tab: Tab } | null;

/** A shared link names the app, which may have been restarted since, and its process at that time. */
interface SentRoute {
  readonly appId: string;
  readonly pid: number | null;
  readonly tab: Tab;
}

/** Before everything else: apps of another host of the fleet. */
const HOST = /^#\/host\/([0-9A-Za-z_-]{1,63})(?=\/)/;
export const HOSTS_LINK = '#/hosts';

/** The host whose apps are shown; null for the daemon's own. All links lead to apps of the same host. */
let shownHost: string | null = null;

export function hostOf(fragment: string): string | null {
  return HOST.exec(fragment)?.[1] ?? null;
}

/** The list of its apps. */
export function linkToHost(host: string | null): string {
  return host === null ? '#/' : `#/host/${host}/`;
}

/** The list of the apps of the host that is shown. */
export function linkToList(): string {
  return linkToHost(shownHost);
}

export function parseRoute(address: string): Route | SentRoute {
  const fragment = address.replace(HOST, '#');
  const sent = /^#\/id\/([\w.%-]{1,300})\/charts(?:\?|$)/.exec(fragment);
  if (sent) {
    const pid = givenBy(fragment, 'pid');
    return { appId: decoded(sent[1] ?? ''), pid: pid === null ? null : Number(pid), tab: 'charts' };
  }
  const match = /^#\/app\/(\d{1,10})(?:\/(\w+))?(?:\?|$)/.exec(fragment);
  if (!match) return null;
  return { pid: Number(match[1]), tab: TABS.find((tab) => tab === match[2]) ?? 'state' };
}

export function linkTo(pid: number, tab: Tab = 'state'): string {
  return `${linkToList()}app/${pid}/${tab}`;
}

/** The state, with the details of one key. */
export function linkToKey(pid: number, key: string): string {
  return `${linkTo(pid, 'state')}?${new URLSearchParams({ key })}`;
}

/** The predicate view, with an expression. */
export function linkToPredicate(pid: number, expression: string): string {
  return `${linkTo(pid, 'verify')}?${new URLSearchParams({ expression })}`;
}

/** The charts of these keys, for everybody with access: it contains no secret. */
export function linkToCharts(app: { readonly appId: string; readonly pid: number }, keys: readonly string[]): string {
  const query = new URLSearchParams([['pid', String(app.pid)], ...keys.map((key) => ['key', key])]);
  return `${linkToList()}id/${encodeURIComponent(app.appId)}/charts?${query}`;
}

/** The process of the link, or else the newest of its app. Undefined if there is none. */
export function routeAmong(
  route: Route | SentRoute,
  apps: readonly Pick<AppSummary, 'pid' | 'app_id' | 'aliases' | 'has_state'>[],
): Route | undefined {
  if (route === null || !('appId' in route)) return route;
  const own = apps.filter(({ app_id, aliases = [] }) => [app_id, ...aliases].includes(route.appId));
  const found = own.find(({ pid }) => pid === route.pid) ?? own.findLast(({ has_state }) => has_state) ?? own.at(-1);
  return found && { pid: found.pid, tab: route.tab };
}

/** A parameter of a link, or null. */
export function givenBy(fragment: string, name: 'key' | 'expression' | 'pid'): string | null {
  return allGivenBy(fragment, name)[0] ?? null;
}

export function allGivenBy(fragment: string, name: 'key' | 'expression' | 'pid'): string[] {
  const query = fragment.indexOf('?');
  return query < 0 ? [] : new URLSearchParams(fragment.slice(query + 1)).getAll(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not written by us: used unchanged.
    return text;
  }
}

/** Where the reader is: of which host, and what of it. */
export interface Place {
  readonly host: string | null;
  readonly isAtHosts: boolean;
  readonly address: Route | SentRoute;
}

export function usePlace(): Place {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setFragment(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  shownHost = hostOf(fragment);
  return { host: shownHost, isAtHosts: fragment === HOSTS_LINK, address: parseRoute(fragment) };
}
