/** `substrate run -- <command>`: starts an app so that it can be attached to, and represents it towards its parent. */

import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { loadConfig } from '../../config.ts';
import { messageOf } from '../../model/failure.ts';
import { createDrivers } from '../../probes/registry.ts';
import { EXIT } from '../failures.ts';
import { printable, type Terminal } from '../terminal.ts';
import { findCommand } from './find-command.ts';
import { type LaunchPlan, planLaunch } from './launch-plan.ts';

export interface RunOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly quiet: boolean;
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly cwd: string;
  readonly terminal: Terminal;
  /** A keyboard can signal the whole foreground group. */
  readonly hasKeyboard: boolean;
}

/** Includes SIGUSR1: Node would open an inspector of our own for it. */
const SIGNALS = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;
/** Signals that keys send. */
const FROM_KEYBOARD: readonly string[] = ['SIGINT', 'SIGQUIT'];
/** Shells add this to the number of the signal that ended a program. */
const ENDED_BY_SIGNAL = 128;
/**
 * The exit code of shells if the command exists but something it needs does not, such as the interpreter of a script.
 */
const CANNOT_RUN = 126;
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** Resolves to the exit code of the command. */
export async function run(options: RunOptions): Promise<number> {
  const { command, args, env, homeDir, cwd, terminal, quiet } = options;
  const found = findCommand(command, env.PATH ?? DEFAULT_PATH, cwd);
  if (!('file' in found)) {
    terminal.note(`${terminal.paint('red', 'substrate:')} ${printable(found.message)}`);
    return found.code;
  }
  const { config, paths } = loadConfig({ configFile: options.configFile, env, homeDir });
  const { storageDir } = paths;
  const launch = { command, file: found.file, args, env, cwd, homeDir, storageDir };
  const plan = planLaunch(launch, await createDrivers(config.probe));
  const say = (line: string) => {
    if (!quiet) terminal.note(`${terminal.paint('dim', 'substrate:')} ${printable(line)}`);
  };
  for (const remark of plan.remarks) say(remark);
  const child = spawn(found.file, plan.args, { argv0: command, env: plan.env, cwd, stdio: 'inherit' });
  const ended = endOf(child);
  if (child.pid !== undefined) say(introduction(child.pid, plan));
  const stop = forwardSignals(child, options.hasKeyboard);
  try {
    return await ended;
  } catch (error) {
    const why = messageOf(error);
    terminal.note(`${terminal.paint('red', 'substrate:')} ${printable(`${command} could not be started: ${why}`)}`);
    return CANNOT_RUN;
  } finally {
    stop();
  }
}

function introduction(pid: number, { summary, isScript, hasProbe }: LaunchPlan): string {
  if (hasProbe === false) return `pid ${pid}: ${summary}.`;
  if (hasProbe === null) return `pid ${pid}: ${summary}. What can be seen of it: substrate doctor ${pid}`;
  const doubt = isScript ? ' (a script: if it starts another process, substrate apps shows its pid)' : '';
  return `pid ${pid}${doubt}: ${summary}. Look at it with: substrate state ${pid}`;
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve(signal === null ? (code ?? EXIT.failed) : ENDED_BY_SIGNAL + (os.constants.signals[signal] ?? 0));
    });
  });
}

/** Returns a function that ends it. */
function forwardSignals(child: ChildProcess, hasKeyboard: boolean): () => void {
  const handlers = SIGNALS.map((signal) => {
    // Ctrl-C reaches the app by itself: a second signal would make many apps end without saving.
    const handler = () => {
      // Signalling a child that did not start would signal our own process group.
      if (child.pid !== undefined && (!hasKeyboard || !FROM_KEYBOARD.includes(signal))) child.kill(signal);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const end of handlers) end();
  };
}
