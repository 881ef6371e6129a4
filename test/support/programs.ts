/** Starts programs of any runtime, also as other users and in containers. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { kill, start, until } from './real-processes.ts';
import { processInfo, type Target } from './targets.ts';

export interface ProgramLaunch {
  readonly env?: Record<string, string | undefined>;
  readonly uid?: number;
  readonly cwd?: string;
  /** A command that starts it: `['unshare', '-rmpf', '--kill-child']`. */
  readonly by?: readonly string[];
  /** Written to its standard input at once. */
  readonly input?: string;
  /** Resolves when this is in its output; by default at the first line. */
  readonly ready?: RegExp;
}

export async function startProgram(
  program: string,
  args: readonly string[],
  launch: ProgramLaunch = {},
): Promise<Target> {
  const [file = program, ...before] = [...(launch.by ?? []), program];
  const { pid, child } = start(file, [...before, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...launch.env },
    ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
    ...(launch.uid === undefined ? {} : { uid: launch.uid, gid: launch.uid }),
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  if (launch.input !== undefined) child.stdin?.write(launch.input);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = launch.ready ?? /\n/;
  await until(`${path.basename(program)} to be ready`, () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended at once: ${output}`);
    return ready.test(output);
  });
  const name = path.basename(fs.realpathSync(program));
  const itself = launch.by === undefined ? pid : await until(`${name} below it`, () => findBelow(pid, name));
  const info = await processInfo(itself);
  // A container survives the command that made it if its program has changed its user: the kernel drops the signal then.
  if (itself !== pid) child.once('exit', () => kill(info));
  return {
    pid: itself,
    info,
    output: () => output,
    exited,
    exitCode: () => child.exitCode,
    write: (text) => void child.stdin?.write(text),
  };
}

/**
 * Another user may not be able to read the folder of this project: it gets a copy, without files that `isNeeded`
 * rejects.
 */
export function readableBy(uid: number | undefined, folder: string, isNeeded = (_file: string) => true): string {
  if (uid === undefined || canLookInto(uid, folder)) return folder;
  const copy = fs.mkdtempSync('/tmp/substrate-test-copy-');
  fs.cpSync(folder, copy, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  fs.chmodSync(copy, 0o755);
  copies.push(copy);
  return copy;
}

function canLookInto(uid: number, folder: string): boolean {
  const user = [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  return spawnSync('setpriv', [...user, 'ls', folder], { stdio: 'ignore' }).status === 0;
}

const copies: string[] = [];

/** After `endAll`. */
export function removeCopies(): void {
  for (const copy of copies.splice(0)) fs.rmSync(copy, { recursive: true, force: true });
}

/** The process itself, once it runs this program, or a child of it that does. */
function findBelow(pid: number, program: string): number | null {
  const stack = [pid];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (nameOf(next) === program) return next;
    stack.push(...childrenOf(next));
  }
  return null;
}

function nameOf(pid: number): string {
  try {
    return path.basename(fs.readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
