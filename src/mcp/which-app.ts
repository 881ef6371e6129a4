/** Which app is meant. While one alone can be read, nobody has to name it. */
import type { App } from '../client/index.ts';
import { appData, bounded, cut } from './app-data.ts';
import type { Apps } from './apps.ts';
import { ToolFailure } from './tool-failure.ts';

const ROOM = 600;

/** For a model that finds nothing, and whose person may have a shell. */
export const HOW_TO_BEGIN =
  'To begin: open_browser opens a web page; or the person starts a program (Node.js, Electron, Deno, Java and .NET ' +
  'programs need nothing, their own browser: `npx substrated run -- chromium <url>`).';

export async function whichApp({ substrate }: Apps, named: App | undefined, signal: AbortSignal): Promise<App> {
  // Models write numbers as text at times.
  if (named !== undefined) return typeof named === 'string' && /^\d{1,10}$/.test(named) ? Number(named) : named;
  const readable = (await substrate.apps({ signal })).filter(
    ({ probe_status, has_state }) => has_state && probe_status !== 'detached',
  );
  const [only] = readable;
  if (only !== undefined && readable.length === 1) return only.pid;
  if (readable.length === 0) throw new ToolFailure(`No app can be read. list_apps tells what runs. ${HOW_TO_BEGIN}`);
  const { lines } = bounded(readable, ({ pid, app_name }) => `${pid}  ${cut(app_name, 80)}`, ROOM);
  throw new ToolFailure(['Say which app you mean:', appData(lines)].join('\n'));
}
