/** Makes sure that a daemon runs in the background, for `substrate up` and `substrate mcp`. */
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
  /** The daemon ends when no client has sent a request for this long. Null keeps it, even one that was meant to end. */
  readonly idleExitSecs: number | null;
}

/** Returns true if it was started now. One of several commands starts it, and the others wait. */
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
    // A daemon that cannot be reached could not be stopped later either.
    process.kill(pid);
    throw error;
  }
  return true;
}

/** A program at its address need not be the daemon: the link would lead to somebody else's page. */
async function runsAlready({ substrate, loaded, url, env, homeDir }: DaemonRequest): Promise<boolean> {
  if (!(await answers(substrate))) return false;
  // Where the system reveals the peer, the client has only talked to this user or root.
  if (
    canTellPeers() ||
    liveRecord(loaded.paths.storageDir) !== null ||
    isServiceActive(createServiceHost(env, homeDir))
  )
    return true;
  throw new RefusedError(
    `Something answers at ${url} that neither substrate up nor its service has started, and this system does not show which program it is. If it is your daemon, end it where it was started.`,
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
