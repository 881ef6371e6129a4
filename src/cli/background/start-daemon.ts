/** Starts `substrate serve` as a separate process, which outlives the command and its terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { printable } from '../terminal.ts';
import { openLog, readLog } from './daemon-log.ts';

const LOOK_MS = 40;
const LONGEST_START_MS = 30_000;
const LINES_SHOWN = 12;

export interface StartOptions {
  /** Node, and our own file. */
  readonly node: string;
  readonly script: string;
  /** Absolute. */
  readonly configFile: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
  /** It ends when no client has sent a request for this long; null for never. */
  readonly idleExitSecs: number | null;
}

/** Resolves to its pid when it listens; throws with its last output if it does not. */
export async function startDaemon(options: StartOptions): Promise<number> {
  const { node, script, configFile, env, log, idleExitSecs } = options;
  const { handle, size } = openLog(log);
  const { SUBSTRATE_KEY: _, ...inherited } = env;
  const args = [
    script,
    'serve',
    ...(configFile === null ? [] : ['--config', configFile]),
    ...(idleExitSecs === null ? [] : ['--exit-when-idle', String(idleExitSecs)]),
  ];
  let child: ChildProcess;
  try {
    child = spawn(node, args, { detached: true, stdio: ['ignore', handle, handle], cwd: '/', env: inherited });
  } finally {
    closeSync(handle);
  }
  let failure: string | null = null;
  child.once('error', (error) => {
    failure = `it cannot be started: ${error.message}`;
  });
  child.once('exit', (code, signal) => {
    failure = `it ended at once (${signal ?? `code ${code}`})`;
  });
  const deadline = performance.now() + LONGEST_START_MS;
  while (!/^substrate listening on /m.test(readLog(log, size))) {
    if (failure !== null) throw new Error(lastWords(failure, log, size));
    if (performance.now() > deadline) {
      child.kill();
      throw new Error(
        lastWords(`it did not listen within ${LONGEST_START_MS / 1000} s and was ended again`, log, size),
      );
    }
    await delay(LOOK_MS);
  }
  child.unref();
  if (child.pid === undefined) throw new Error(lastWords('it cannot be started', log, size));
  return child.pid;
}

function lastWords(failure: string, log: string, from: number): string {
  const lines = readLog(log, from).trim().split('\n').slice(-LINES_SHOWN);
  const said = lines.map((line) => `  ${printable(line)}`).join('\n');
  return `The daemon did not come up: ${failure}. The last lines of ${log}:\n${said.trim() === '' ? '  (nothing)' : said}`;
}
