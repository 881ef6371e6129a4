/** Real processes for tests: started here, awaited by condition, ended by their own handle. */

import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcFs } from '../../src/host/linux/proc-fs.ts';
import type { ProcessRef } from '../../src/model/process.ts';

/** The pause between two questions grows with the wait: a question may cost the daemon and the target more than the test. */
const PAUSE = { least: 5, most: 100, share: 0.1 };
/** Long enough for a machine that is busy with other tests. */
const TIMEOUT_MS = 45_000;

const children = new Set<ChildProcess>();
const proc = new ProcFs();

interface RealProcess {
  readonly pid: number;
  readonly child: ChildProcess;
}

export function start(file: string, args: readonly string[], options: SpawnOptions = {}): RealProcess {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'ignore'], ...options });
  const { pid } = child;
  if (pid === undefined) {
    // The reason follows as an event. Never `kill` such a child: it would end our own process group.
    child.once('error', () => {});
    throw new Error(`${file} cannot be started: is it installed?`);
  }
  children.add(child);
  return { pid, child };
}

/** The pid of a running child. */
export function pidOf({ pid, spawnfile }: ChildProcess): number {
  if (pid === undefined) throw new Error(`${spawnfile} did not start`);
  return pid;
}

export async function end({ child }: Pick<RealProcess, 'child'>): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exit;
}

/** For a process below one that tests started. Nothing happens if it has ended, or if another one has its pid by now. */
export function kill({ pid, startTime }: ProcessRef): void {
  const stat = proc.stat(pid);
  if (typeof stat !== 'string' && stat.startTime === startTime) process.kill(pid, 'SIGKILL');
}

export async function endAll(): Promise<void> {
  await Promise.all([...children].map((child) => end({ child })));
}

/** The first value that is neither null, undefined nor false. */
export async function until<T>(what: string, ask: () => T | Promise<T>): Promise<Exclude<T, null | undefined | false>> {
  const started = performance.now();
  for (;;) {
    const answer = await ask();
    if (isAnswer(answer)) return answer;
    const waited = performance.now() - started;
    if (waited > TIMEOUT_MS) throw new Error(`waited in vain for: ${what}`);
    await delay(Math.min(PAUSE.most, Math.max(PAUSE.least, waited * PAUSE.share)));
  }
}

function isAnswer<T>(answer: T): answer is Exclude<T, null | undefined | false> {
  return answer !== null && answer !== undefined && answer !== false;
}

/** Identifies the process, once it runs the expected program. */
export async function running(started: RealProcess, program: string): Promise<ProcessRef> {
  await until(`${program} to run`, () => proc.exe(started.pid)?.split('/').pop()?.startsWith(program));
  const stat = proc.stat(started.pid);
  if (typeof stat === 'string') throw new Error(`${program} is ${stat}`);
  return { pid: started.pid, startTime: stat.startTime };
}

/** True if it has ended, even if its exit code was not collected yet. */
export function hasEnded(pid: number): boolean {
  const stat = proc.stat(pid);
  return typeof stat === 'string' || stat.hasEnded;
}

/** True if this machine allows creating namespaces. */
export function canUnshare(): boolean {
  return spawnSync('unshare', ['-rmpf', 'true']).status === 0;
}
