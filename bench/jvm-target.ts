/** The program of test/targets/java/tight: it notes the longest time for which somebody kept it from running. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { javaOf, MAIN_JDK, startJava } from '../test/support/java.ts';
import type { Target } from '../test/support/targets.ts';

const run = promisify(execFile);
const MAX_OUTPUT = 64 * 1024 * 1024;

/** The JDK's own tool. */
export async function jcmd(pid: number, ...command: readonly string[]): Promise<string> {
  const tool = path.join(path.dirname(javaOf(MAIN_JDK)), 'jcmd');
  return (await run(tool, [String(pid), ...command], { maxBuffer: MAX_OUTPUT })).stdout;
}

export interface TightTarget extends Target {
  /** One value of the state changes; resolves when the program has been told. */
  change(): void;
  /** The longest pause, in milliseconds, while something else went on. */
  pauseDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; pauseMs: number }>;
  /** The longest pause when nobody looks at it: the machine's own noise. */
  longestPause(ms: number): Promise<number>;
  rssMb(): number;
  /** After a collection. */
  liveHeapMb(): Promise<number>;
}

export async function startTight(leaves: number, heapMb: number): Promise<TightTarget> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-bench-')), 'longest');
  fs.writeFileSync(file, Buffer.alloc(8));
  const target = await startJava(
    { target: 'tight', main: 'com.example.tight.Tight' },
    { args: [String(leaves), String(heapMb), file], options: ['-Xmx3g'] },
  );
  const fd = fs.openSync(file, 'r+');
  const read = () => {
    const bytes = Buffer.alloc(8);
    fs.readSync(fd, bytes, 0, 8, 0);
    return Number(bytes.readBigInt64LE()) / 1e6;
  };
  const pauseDuring = async <Result>(work: () => Promise<Result>) => {
    fs.writeSync(fd, Buffer.alloc(8), 0, 8, 0);
    const result = await work();
    return { result, pauseMs: read() };
  };
  return {
    ...target,
    change: () => target.write('\n'),
    pauseDuring,
    longestPause: async (ms) => (await pauseDuring(() => delay(ms))).pauseMs,
    liveHeapMb: async () => {
      await jcmd(target.pid, 'GC.run');
      return Number(/used (\d+)K/.exec(await jcmd(target.pid, 'GC.heap_info'))?.[1]) / 1024;
    },
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${target.pid}/status`, 'utf8'))?.[1]) / 1024,
  };
}
