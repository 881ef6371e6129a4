/** Facts of /proc about a process, and programs that are started to be measured. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;
const POLL_MS = 25;

/** Seconds of CPU time of the process itself. */
export function ownCpu(pid: number): number {
  return ticks(pid, 11);
}

/** The CPU time of all its children that it waited for, and theirs. */
export function childrenCpu(pid: number): number {
  return ticks(pid, 13);
}

/** `at`: the index of the first of two fields, user and system, after the name. */
function ticks(pid: number, at: number): number {
  const fields = fs
    .readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
}

export function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Without the user's own settings. */
export function cleanEnv(home: string, extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, TMPDIR: os.tmpdir(), ...extra };
}

/** The first answer that is neither null, undefined nor false. */
export async function waitFor<T>(
  what: string,
  seconds: number,
  ask: () => T | Promise<T>,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) {
      return answer as Exclude<T, null | undefined | false>;
    }
    if (performance.now() > deadline) throw new Error(`waited ${seconds} s in vain for ${what}`);
    await delay(POLL_MS);
  }
}

export interface Program {
  readonly pid: number;
  readonly child: ChildProcess;
  /** In ms of `performance.now()`. */
  readonly startedAt: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<void>;
  end(): Promise<void>;
}

/** Runs until `end`. */
export function startProgram(file: string, args: readonly string[], options: SpawnOptions = {}): Program {
  const startedAt = performance.now();
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${file} cannot be started`);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  };
  return { pid, child, startedAt, stdout, stderr, ended, end };
}

export function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
