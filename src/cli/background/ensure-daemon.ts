/** Sees to it that a daemon runs in the background: for `substrate up`, and for `substrate mcp`. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { canTellPeers, ForeignListenerError, type Substrate, SubstrateError } from '../../client/node.ts';
import type { LoadedConfig } from '../../config.ts';
import { inTime } from '../connection.ts';
import { RefusedError, UsageError } from '../failures.ts';
import { createServiceHost, isServiceActive } from '../service/service-host.ts';
import { logFile } from './daemon-log.ts';
import { liveRecord, writeRecord } from './daemon-record.ts';
import { startDaemon } from './start-daemon.ts';
import { withStartLock } from './start-lock.ts';

export interface DaemonRequest {
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly loaded: LoadedConfig;
  readonly substrate: Substrate;
  readonly url: string;
  /** The daemon ends when no client has asked for this long; null: it stays, also one that was to end. */
  readonly idleExitSecs: number | null;
}

/** True when it was started now. Of several commands at the same time one starts it, and the others wait for it. */
export async function ensureDaemon(request: DaemonRequest, onStart: () => void): Promise<boolean> {
  const { loaded, idleExitSecs } = request;
  const { storageDir } = loaded.paths;
  if (loaded.config.server.port === 0)
    throw new UsageError('With [server] port = 0 nobody would know where the daemon is: choose a port.');
  const runs = await runsAlready(request);
  const record = runs ? liveRecord(storageDir) : null;
  const isToBeKept = idleExitSecs === null && record?.idle_exit === true;
  if (runs && !isToBeKept) return false;
  if (!runs) onStart();
  return withStartLock(storageDir, async () => {
    if (!(await runsAlready(request))) return start(request);
    const kept = idleExitSecs === null ? liveRecord(storageDir) : null;
    if (kept?.idle_exit) await writeRecord(storageDir, { ...kept, idle_exit: false });
    return false;
  });
}

async function start({ loaded, substrate, url, configFile, env, idleExitSecs }: DaemonRequest): Promise<true> {
  const { storageDir } = loaded.paths;
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
    idleExitSecs,
  });
  await writeRecord(storageDir, { pid, url, idle_exit: idleExitSecs !== null });
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
async function runsAlready({ substrate, loaded, url, env, homeDir }: DaemonRequest): Promise<boolean> {
  if (!(await answers(substrate))) return false;
  // Where the system tells who is at the other end, the client has spoken to nobody but this user and root.
  if (
    canTellPeers() ||
    liveRecord(loaded.paths.storageDir) !== null ||
    isServiceActive(createServiceHost(env, homeDir))
  )
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
