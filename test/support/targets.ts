/** Starts the small real programs of test/targets and waits until they run. */
import path from 'node:path';
import { createHost } from '../../src/host/host.ts';
import type { Host, ProcessInfo } from '../../src/model/process.ts';
import { start, until } from './real-processes.ts';

const FOLDER = path.resolve(import.meta.dirname, '../targets');

/** The Node of the targets; the variable selects another one than the tests' own. */
export const TARGET_NODE = process.env.SUBSTRATE_TEST_NODE ?? process.execPath;

export interface Target {
  readonly pid: number;
  readonly info: ProcessInfo;
  /** Its whole output to stdout and stderr. */
  readonly output: () => string;
  readonly exited: Promise<number | null>;
  readonly exitCode: () => number | null;
  readonly write: (text: string) => void;
}

function targetPath(file: string): string {
  return path.join(FOLDER, file);
}

/** Resolves at the first line that the target prints. */
export async function startTarget(
  file: string,
  options: { args?: string[]; node?: string; nodeArgs?: string[]; host?: Host; env?: Record<string, string> } = {},
): Promise<Target> {
  const { pid, child } = start(
    options.node ?? TARGET_NODE,
    [...(options.nodeArgs ?? []), targetPath(file), ...(options.args ?? [])],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      cwd: FOLDER,
      env: { ...process.env, ...options.env },
    },
  );
  let output = '';
  let ready = false;
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stdout?.once('data', () => {
    ready = true;
  });
  child.stderr?.on('data', collect);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until(`${file} to be ready`, () => {
    if (child.exitCode !== null) throw new Error(`${file} ended at once: ${output}`);
    return ready;
  });
  const info = await processInfo(pid, options.host);
  return {
    pid,
    info,
    output: () => output,
    exited,
    exitCode: () => child.exitCode,
    write: (text) => void child.stdin?.write(text),
  };
}

export async function processInfo(pid: number, host = createHost()): Promise<ProcessInfo> {
  return until(`process ${pid}`, async () => (await host.scanner.scan()).appeared.find((info) => info.pid === pid));
}
