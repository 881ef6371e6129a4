/** `substrate up`: sees to it that a daemon runs, and gives the link to its dashboard. */

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { canTellPeers, ForeignListenerError, Substrate, SubstrateError } from '../../client/node.ts';
import { type LoadedConfig, loadConfig } from '../../config.ts';
import { messageOf } from '../../model/failure.ts';
import { withFileLock } from '../../store/file-lock.ts';
import { preparePrivateTarget } from '../../store/private-path.ts';
import { connectionOf, inTime } from '../connection.ts';
import { RefusedError, UsageError } from '../failures.ts';
import { createServiceHost, isServiceActive } from '../service/service-host.ts';
import { Spinner } from '../spinner.ts';
import { printable, type Terminal } from '../terminal.ts';
import { logFile } from './daemon-log.ts';
import { liveRecord, recordFile, writeRecord } from './daemon-record.ts';
import { openDashboard } from './open-dashboard.ts';
import { startDaemon } from './start-daemon.ts';

/** Longer than a start takes: whoever comes second waits for the first. */
const LOCK_WAIT_MS = 45_000;

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
  if (loaded.config.server.port === 0)
    throw new UsageError('With [server] port = 0 nobody would know where the daemon is: choose a port.');
  const connection = await connectionOf({ configFile, env, homeDir });
  const substrate = new Substrate(connection);
  const started = await ensureDaemon(substrate, loaded, connection.baseUrl, options);
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

/** True when it was started now. Of several commands at the same time one starts it, and the others wait for it. */
async function ensureDaemon(
  substrate: Substrate,
  { paths }: LoadedConfig,
  url: string,
  options: UpOptions,
): Promise<boolean> {
  if (await runsAlready(substrate, paths, url, options)) return false;
  const spinner = new Spinner(options.terminal);
  spinner.say('starting the daemon');
  try {
    preparePrivateTarget(recordFile(paths.storageDir));
    return await withFileLock(
      path.join(paths.storageDir, 'up'),
      async () => ((await runsAlready(substrate, paths, url, options)) ? false : start(substrate, paths, url, options)),
      LOCK_WAIT_MS,
    );
  } finally {
    spinner.stop();
  }
}

async function start(
  substrate: Substrate,
  { storageDir }: LoadedConfig['paths'],
  url: string,
  { configFile, env }: UpOptions,
): Promise<true> {
  const other = liveRecord(storageDir);
  if (other !== null)
    throw new RefusedError(
      `The daemon that was started before (pid ${other.pid}) is at ${other.url}. End it first: substrate down`,
    );
  const pid = await startDaemon({
    node: process.execPath,
    script: realpathSync(process.argv[1] ?? ''),
    configFile: configFile === undefined ? null : path.resolve(configFile),
    env,
    log: logFile(storageDir),
  });
  await writeRecord(storageDir, pid, url);
  try {
    await substrate.health();
  } catch (error) {
    // Whoever cannot reach it could not end it either.
    process.kill(pid);
    throw error;
  }
  return true;
}

/** Whoever answers at its address need not be the daemon: the link would lead to a page of somebody else. */
async function runsAlready(
  substrate: Substrate,
  { storageDir }: LoadedConfig['paths'],
  url: string,
  { env, homeDir }: UpOptions,
): Promise<boolean> {
  if (!(await answers(substrate))) return false;
  // Where the system tells who is at the other end, the client has spoken to nobody but this user and root.
  if (canTellPeers() || liveRecord(storageDir) !== null || isServiceActive(createServiceHost(env, homeDir)))
    return true;
  throw new RefusedError(
    `Something answers at ${url} that neither substrate up nor its service has started, and this system does not tell whose it is. If it is your daemon, end it where it was started.`,
  );
}

async function answers(substrate: Substrate): Promise<boolean> {
  try {
    await substrate.health(inTime());
    return true;
  } catch (error) {
    if (error instanceof SubstrateError || error instanceof ForeignListenerError) throw error;
    return false;
  }
}

/** What the link carries in place of a key, which would stay in terminals and in the history of the browser. */
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
