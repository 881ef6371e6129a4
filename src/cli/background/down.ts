/** `substrate down`: ends the daemon that `substrate up` started, and no other. */
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Substrate } from '../../client/node.ts';
import { loadConfig } from '../../config.ts';
import { inTime, urlOfConfig } from '../connection.ts';
import { RefusedError, TimeoutError } from '../failures.ts';
import { isServiceActive, type ServiceHost, stopCommand } from '../service/service-host.ts';
import { Spinner } from '../spinner.ts';
import type { Terminal } from '../terminal.ts';
import { forgetRecord, isAlive, liveRecord } from './daemon-record.ts';
import { redirectFile } from './open-dashboard.ts';

const LOOK_MS = 30;
/** The daemon gives its probes some seconds to leave the apps as they were. */
const LONGEST_STOP_MS = 15_000;

export interface DownOptions {
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly service: ServiceHost;
}

export async function down(options: DownOptions): Promise<void> {
  const { terminal, json, configFile, env, homeDir } = options;
  const { storageDir } = loadConfig({ configFile, env, homeDir }).paths;
  const record = liveRecord(storageDir);
  if (record === null) {
    forgetRecord(storageDir);
    await refuseForeign(options);
    terminal.out(json ? JSON.stringify({ stopped: false, pid: null }) : 'No daemon is running.');
    return;
  }
  const spinner = new Spinner(terminal);
  spinner.say('waiting for the daemon to leave the apps as they were');
  try {
    process.kill(record.pid, 'SIGTERM');
    const deadline = performance.now() + LONGEST_STOP_MS;
    while (isAlive(record)) {
      if (performance.now() > deadline)
        throw new TimeoutError(
          `The daemon (pid ${record.pid}) has not ended after ${LONGEST_STOP_MS / 1000} s. If it hangs: kill -9 ${record.pid}`,
        );
      await delay(LOOK_MS);
    }
  } finally {
    spinner.stop();
  }
  forgetRecord(storageDir);
  rmSync(redirectFile(storageDir), { force: true });
  terminal.out(json ? JSON.stringify({ stopped: true, pid: record.pid }) : `The daemon (pid ${record.pid}) has ended.`);
}

/** A daemon runs, but this command must not stop it. */
async function refuseForeign(options: DownOptions): Promise<void> {
  if (isServiceActive(options.service))
    throw new RefusedError(`The daemon is run by a service. Stop it with: ${stopCommand(options.service)}`);
  const url = urlOfConfig(options);
  // No daemon answers, so there is nothing to stop.
  const runs = await new Substrate({ baseUrl: url }).health(inTime()).catch(() => null);
  if (runs !== null)
    throw new RefusedError(
      `A daemon answers at ${url}, but substrate up did not start it: end it where it was started.`,
    );
}
