/** `substrate up`: makes sure that a daemon runs, and prints the link to its dashboard. */

import { Substrate } from '../../client/node.ts';
import { loadConfig } from '../../config.ts';
import { messageOf } from '../../model/failure.ts';
import { connectionOf } from '../connection.ts';
import { Spinner } from '../spinner.ts';
import { printable, type Terminal } from '../terminal.ts';
import { logFile } from './daemon-log.ts';
import { liveRecord } from './daemon-record.ts';
import { ensureDaemon } from './ensure-daemon.ts';
import { openDashboard } from './open-dashboard.ts';

export interface UpOptions {
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly open: boolean;
}

export async function up(options: UpOptions): Promise<void> {
  const { terminal, env, homeDir, configFile } = options;
  const loaded = loadConfig({ configFile, env, homeDir });
  const connection = await connectionOf({ configFile, env, homeDir });
  const substrate = new Substrate(connection);
  const spinner = new Spinner(terminal);
  const started = await ensureDaemon(
    { configFile, env, homeDir, loaded, substrate, url: connection.baseUrl, idleExitSecs: null },
    () => spinner.say('starting the daemon'),
  ).finally(() => spinner.stop());
  const health = await substrate.health();
  const access = health.auth_enabled ? await askForCode(substrate) : { code: null, problem: null };
  const { baseUrl } = connection;
  const dashboard = access.code === null ? `${baseUrl}/` : `${baseUrl}/#code=${access.code}`;
  const { storageDir } = loaded.paths;
  const record = liveRecord(storageDir);
  const apps = health.tracked_processes;
  if (options.json) {
    const { version } = health;
    const pid = record?.pid ?? null;
    terminal.json({ url: baseUrl, dashboard, started, pid, apps, version, log: logFile(storageDir) });
  } else {
    const { paint, note } = terminal;
    const since = started ? 'started' : 'runs already';
    note(
      `${paint('green', '●')} substrate ${since} at ${paint('bold', baseUrl)} (version ${printable(health.version)})`,
    );
    note(`  apps       ${apps} tracked${started ? ' so far' : ''}; substrate apps lists them`);
    note(`  stop       ${record ? 'substrate down' : 'where it was started (not by substrate up)'}`);
    if (record) note(`  log        ${logFile(storageDir)}`);
    note(`  dashboard  the link below${access.code === null ? '' : ' lets one browser in, within two minutes'}`);
    terminal.out(dashboard);
  }
  if (access.problem !== null) terminal.note(access.problem);
  if (options.open) {
    const problem = await openDashboard(dashboard, { storageDir, platform: process.platform, env });
    if (problem !== null) terminal.note(`The browser was not opened: ${problem}. Open the link yourself.`);
  }
}

/** The link has a code instead of a key, because links stay in terminals and in the history of the browser. */
async function askForCode(substrate: Substrate): Promise<{ code: string | null; problem: string | null }> {
  try {
    const { code } = await substrate.dashboardCode();
    return { code: encodeURIComponent(code), problem: null };
  } catch (error) {
    const reason = messageOf(error);
    return {
      code: null,
      problem: `The link lets nobody in, for the daemon takes no key of this user: ${printable(reason)}`,
    };
  }
}
