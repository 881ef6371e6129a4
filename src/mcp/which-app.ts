/** Resolves the app of a call. While only one can be read, it need not be named. */
import type { App, AppSummary } from '../client/index.ts';
import { appsNamed, isAppId } from '../client/named-apps.ts';
import { appData, bounded, cut } from './app-data.ts';
import type { Apps } from './apps.ts';
import { ToolFailure } from './tool-failure.ts';

const ROOM = 600;

/** For a model that finds no app, and whose user may have a shell. */
export const HOW_TO_BEGIN =
  'To begin: open_browser opens a web page; or the person starts a program (Node.js, Electron, Deno, Java and .NET ' +
  'programs need nothing, their own browser: `npx substrated run -- chromium <url>`).';

export async function whichApp({ substrate }: Apps, named: App | undefined, signal: AbortSignal): Promise<App> {
  if (typeof named === 'number') return named;
  // Models sometimes write numbers as text.
  if (named !== undefined && /^\d{1,10}$/.test(named)) return Number(named);
  if (named !== undefined && isAppId(named)) return named;
  const running = (await substrate.apps({ signal })).filter(({ probe_status }) => probe_status !== 'detached');
  if (named !== undefined) return idOf(named, appsNamed(running, named));
  const readable = running.filter(({ has_state }) => has_state);
  const [only] = readable;
  if (only !== undefined && readable.length === 1) return only.pid;
  if (readable.length === 0) throw new ToolFailure(`No app can be read. list_apps lists what runs. ${HOW_TO_BEGIN}`);
  const { lines } = bounded(readable, ({ pid, app_name }) => `${pid}  ${cut(app_name, 80)}`, ROOM);
  throw new ToolFailure(['Say which app you mean:', appData(lines)].join('\n'));
}

/** An unknown name is left to the daemon, which reports it. */
function idOf(named: string, found: readonly AppSummary[]): string {
  const ids = new Set(found.map(({ app_id }) => app_id));
  const [only] = ids;
  if (ids.size <= 1) return only ?? named;
  const { lines } = bounded(found, ({ pid, app_id }) => `${pid}  ${app_id}`, ROOM);
  throw new ToolFailure(['Several apps may be meant. Say which, by pid:', appData(lines)].join('\n'));
}
