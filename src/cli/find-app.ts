/** Resolves an app by pid, by app_id, or by its name, a word of it or the beginning of one. */
import { appsNamed } from '../client/named-apps.ts';
import type { AppSummary, Substrate } from '../client/node.ts';
import { nearestNames } from '../model/nearest.ts';
import { inTime, LIST_MS } from './connection.ts';
import { NotFoundError, UsageError } from './failures.ts';
import { printable } from './terminal.ts';

const MAX_LISTED = 20;

/** Throws `NotFoundError` with similar names. */
export async function findApp(
  substrate: Substrate,
  wanted: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<AppSummary> {
  const { signal: limit } = inTime(LIST_MS);
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit]);
  const everything = await substrate.apps({ signal });
  const byPid = /^\d+$/.test(wanted) ? everything.find(({ pid }) => pid === Number(wanted)) : undefined;
  const ended = await endedAmong(everything, substrate, signal);
  if (byPid && ended.has(byPid.pid))
    throw new NotFoundError(`${printable(byPid.app_name)} (pid ${byPid.pid}) has ended.`);
  if (byPid) return byPid;
  const all = everything.filter(({ pid }) => !ended.has(pid));
  const found = appsNamed(all, wanted);
  // Several processes of one app: the newest that can be read.
  if (new Set(found.map(({ app_id }) => app_id)).size === 1)
    return found.findLast(({ has_state }) => has_state) ?? found[found.length - 1] ?? unknownApp(wanted, all);
  if (found.length > 1)
    throw new UsageError(
      `"${wanted}" may be any of ${found.map(({ pid, app_id }) => `${app_id} (pid ${pid})`).join(', ')}. Name it by its pid.`,
    );
  return unknownApp(wanted, all);
}

/** Some detached apps are still running: they were detached by hand, and the daemon still has their reason. */
async function endedAmong(
  apps: readonly AppSummary[],
  substrate: Substrate,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  const detached = apps.filter(({ probe_status }) => probe_status === 'detached');
  if (detached.length === 0) return new Set();
  const running = new Set((await substrate.attachments({ signal })).map(({ pid }) => pid));
  return new Set(detached.flatMap(({ pid }) => (running.has(pid) ? [] : [pid])));
}

function unknownApp(wanted: string, all: readonly AppSummary[]): never {
  const near = nearestNames(wanted, new Set(all.flatMap(({ app_name, app_id }) => [app_name, app_id])));
  const every = [...new Set(all.map(({ app_id }) => app_id))];
  const ids = every.slice(0, MAX_LISTED);
  const tracked = `Tracked are: ${ids.join(', ') || 'none'}${every.length > ids.length ? ', …' : ''}.`;
  const meant = near.length > 0 ? `Did you mean ${near.map(printable).join(' or ')}?` : tracked;
  throw new NotFoundError(`There is no app "${printable(wanted)}". ${meant}`);
}
