/**
 * Starts browsers for clients without a shell, like `substrate run`: with a debugging port, and a profile of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browsers, OpenedBrowser } from '../../daemon/open-browser.ts';
import type { Config } from '../../model/config.ts';
import { SubstrateError } from '../../model/errors.ts';
import type { DriverRegistry } from '../../probes/registry.ts';
import { FILE_MODE, preparePrivateTarget } from '../../store/private-path.ts';
import { printable } from '../terminal.ts';
import { findCommand } from './find-command.ts';
import { type LaunchPlan, planLaunch } from './launch-plan.ts';

/** Nobody could answer the questions of a new profile. */
const QUIET = ['--no-first-run', '--no-default-browser-check'];
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
const END_MS = 3000;
const LAST_LINES = 3;
const MAX_WORDS = 400;

export interface StarterOptions {
  readonly settings: Config['browser'];
  readonly loadDrivers: () => Promise<DriverRegistry>;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly storageDir: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly headless: boolean;
}

export class BrowserStarter implements Browsers {
  private readonly options: StarterOptions;
  private readonly log: string;
  private drivers: Promise<DriverRegistry> | null = null;
  private started: Started | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(options: StarterOptions) {
    this.options = options;
    this.log = path.join(options.storageDir, 'browser.log');
  }

  /** One after the other, so that the second finds the browser of the first. */
  open(url: string): Promise<OpenedBrowser> {
    const turn = this.last.then(() => this.openNow(url));
    // The caller gets the error; the next one only waits for the end.
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /**
   * Ends the browser that it started if it has no window, so that nobody could end it; `all` includes one with a
   * window.
   */
  async close(all: boolean): Promise<void> {
    if (this.started === null || !isRunning(this.started.child)) return;
    const { child, headless } = this.started;
    if (!all && !headless) return;
    const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const timer = setTimeout(() => signal(child, 'SIGKILL'), END_MS);
    signal(child, 'SIGTERM');
    await exit;
    clearTimeout(timer);
  }

  private async openNow(url: string): Promise<OpenedBrowser> {
    const { env, platform, settings } = this.options;
    const { command, file } = this.findBrowser();
    const headless = platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
    const args = [...(headless ? ['--headless'] : []), ...QUIET, ...settings.args, url];
    const plan = () => this.plan(command, file, args);
    const first = await plan();
    if (!first.args.some((word) => word.startsWith('--remote-debugging-port')))
      throw new SubstrateError(
        'browser_failed',
        `${command} of [browser] programs is no browser that can be attached to.`,
      );
    if (first.runningPid !== undefined) {
      const { runningPid } = first;
      const own = this.started?.child.pid === runningPid ? this.started.headless : null;
      return { started: false, headless: own, pids: () => [runningPid], failure: () => null };
    }
    const child = this.spawn(command, file, first);
    this.started = { child, headless };
    let [running, ending] = [child.pid, null as string | null];
    child.once('error', (error) => {
      ending = `${command} could not be started: ${error.message}`;
    });
    child.once('exit', (code, by) => {
      // Another browser may have taken over meanwhile.
      if (code === 0)
        void plan().then(
          ({ runningPid }) => (running = runningPid),
          () => (running = undefined),
        );
      else ending = `${command} ended at once (${by ?? `code ${code}`}). ${this.lastWords()}`;
    });
    return { started: true, headless, pids: () => (running === undefined ? [] : [running]), failure: () => ending };
  }

  private findBrowser(): { readonly command: string; readonly file: string } {
    const { programs } = this.options.settings;
    if (programs.length === 0)
      throw new SubstrateError('browser_failed', 'No browser is opened here: [browser] programs is empty.');
    for (const command of programs) {
      const found = findCommand(command, this.options.env.PATH ?? DEFAULT_PATH, '/');
      if ('file' in found) return { command, file: found.file };
    }
    throw new SubstrateError(
      'browser_failed',
      `None of these browsers is installed: ${programs.join(', ')}. Install one, or name yours in [browser] programs of the configuration.`,
    );
  }

  private async plan(command: string, file: string, args: readonly string[]): Promise<LaunchPlan> {
    const { homeDir, storageDir } = this.options;
    const { SUBSTRATE_KEY: _, ...env } = this.options.env;
    this.drivers ??= this.options.loadDrivers();
    return planLaunch({ command, file, args, env, cwd: '/', homeDir, storageDir }, await this.drivers);
  }

  private spawn(command: string, file: string, { args, env }: LaunchPlan): ChildProcess {
    preparePrivateTarget(this.log);
    const handle = openSync(this.log, 'w', FILE_MODE);
    try {
      // A session of its own: a signal that ends the daemon, such as Ctrl-C, does not end a browser in use.
      return spawn(file, args, { argv0: command, env, cwd: '/', detached: true, stdio: ['ignore', handle, handle] });
    } finally {
      closeSync(handle);
    }
  }

  private lastWords(): string {
    const lines = readFileSync(this.log, 'utf8').trim().split('\n').slice(-LAST_LINES);
    const words = printable(lines.join(' ')).slice(-MAX_WORDS);
    const remedy = /no-sandbox/.test(words)
      ? ' Run the daemon as a user other than root, or set args = ["--no-sandbox"] in [browser] of the configuration.'
      : '';
    return `It said: ${words.replace(/\.+$/, '') || 'nothing'}.${remedy}`;
  }
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null;

/** Signals all of its processes: it may be a script that waits for the browser. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined && isRunning(child)) process.kill(-child.pid, name);
  } catch {
    // It has just ended.
  }
}
