/** Runtimes that are fetched when a test first needs them, and programs of Electron, NW.js and Deno. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { installRuntime, missingRuntimes, type RuntimeName } from '../../scripts/runtimes.mjs';
import { readableBy } from './programs.ts';
import { canUnshare, start, until } from './real-processes.ts';
import { processInfo, type Target } from './targets.ts';

const FETCHED = path.resolve(import.meta.dirname, '../../.cache/runtimes');
export const RUNTIME_TARGETS = path.resolve(import.meta.dirname, '../targets');
/** These programs are made by others, so they do not run as root. */
const UNPRIVILEGED = 65534;

const missing = new Set(missingRuntimes().map(({ name }) => name));

/** True if npm has it for this CPU. */
export function hasRuntime(name: RuntimeName): boolean {
  return !missing.has(name);
}

/** The path of its executable. */
export function runtime(name: RuntimeName): string {
  const executable = installRuntime(name);
  if (executable === null) throw new Error(`there is no ${name} for this CPU`);
  return executable;
}

/** Files for developers only. */
const COMPILERS = /\/dotnet-sdk-[^/]*\/(?:sdk|packs)$/;

/** An executable of ours or of the system, at a place where this user can run it. */
export function executableFor(uid: number | undefined, executable: string): string {
  const root = path.join(FETCHED, path.relative(FETCHED, executable).split(path.sep)[0] ?? '');
  if (uid === undefined || !executable.startsWith(`${FETCHED}${path.sep}`)) return executable;
  const seen = readableBy(uid, root, (file) => !COMPILERS.test(file));
  return path.join(seen, path.relative(root, executable));
}

interface Launch {
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
  /** Resolves when this is in its output; by default at the first line. */
  readonly ready?: RegExp;
}

/** An Electron app; `executable`: instead of the one from npm. */
export function startElectron(launch: Launch, executable = runtime('electron')): Promise<Target> {
  return startGraphical(executable, launch);
}

/** NW.js prints nothing when it is ready: resolves as soon as it runs. */
export async function startNw(launch: Launch): Promise<Target> {
  const target = await startGraphical(runtime('nw'), { ...launch, ready: /^/ });
  const info = await until('NW.js to run', async () => {
    const seen = await processInfo(target.pid);
    // In the middle of its exec it has no arguments.
    return path.basename(seen.exe ?? '') === 'nw' && seen.argv.length > 0 && seen;
  });
  return { ...target, info };
}

export function startDeno(launch: Launch): Promise<Target> {
  const home = makeHome();
  return launchProgram(runtime('deno'), launch.args, launch, {
    DENO_DIR: path.join(home, 'deno'),
    NO_COLOR: '1',
    DENO_NO_UPDATE_CHECK: '1',
    ...launch.env,
  });
}

async function startGraphical(executable: string, launch: Launch): Promise<Target> {
  const display = await startScreen();
  const home = makeHome();
  const args = [...launch.args, `--user-data-dir=${path.join(home, 'profile')}`];
  if (!canUnshare()) args.push('--no-sandbox');
  const env = { HOME: home, DISPLAY: `:${display}`, XDG_CONFIG_HOME: home, XDG_RUNTIME_DIR: home, ...launch.env };
  if (process.getuid?.() !== 0) return launchProgram(executable, args, launch, env);
  const user = [`--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'];
  return launchProgram('setpriv', [...user, executable, ...args], launch, env);
}

/**
 * One for each program, so that none sees the windows of another. `-noreset`: otherwise the server restarts after its
 * last client, and drops clients that come at that moment; Mono comes twice.
 */
export async function startScreen(): Promise<number> {
  const { child } = start(
    runtime('xvfb'),
    ['-displayfd', '3', '-screen', '0', '800x600x24', '-nolisten', 'tcp', '-noreset'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  let number = '';
  // The fourth stream is a pipe, as requested above.
  (child.stdio[3] as Readable).on('data', (chunk: Buffer) => {
    number += chunk.toString();
  });
  await until('a screen', () => number.endsWith('\n'));
  return Number(number);
}

const homes: string[] = [];

function makeHome(): string {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'runtime-home-'));
  if (process.getuid?.() === 0) fs.chownSync(home, UNPRIVILEGED, UNPRIVILEGED);
  homes.push(home);
  return home;
}

/** Call it after `endAll`. The last processes of a killed program may still write. */
export function removeHomes(): void {
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}

async function launchProgram(
  file: string,
  args: readonly string[],
  { ready = /\n/ }: Launch,
  env: Record<string, string>,
): Promise<Target> {
  const { pid, child } = start(file, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let stdout = '';
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(`${path.basename(file)} to be ready`, () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended at once: ${output}`);
    return ready.test(stdout);
  });
  return {
    pid,
    info: await processInfo(pid),
    output: () => output,
    exited,
    exitCode: () => child.exitCode,
    write: (text) => void child.stdin?.write(text),
  };
}
