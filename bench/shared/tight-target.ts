/** A program that never pauses by itself, and records the longest time for which it was kept from running. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Target } from '../../test/support/targets.ts';

export interface TightTarget extends Target {
  /** Changes one value of the state; resolves when the program has received the request. */
  change(): void;
  /** The longest pause, in milliseconds, during some work. */
  pauseDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; pauseMs: number }>;
  /** The longest pause without a capture: the machine's own noise. */
  longestPause(ms: number): Promise<number>;
  rssMb(): number;
  /** After a collection. */
  liveHeapMb(): Promise<number>;
}

/** The first 8 bytes of the file hold the longest gap in ns, the next 8 the program's own figure for its heap. */
export async function startTightTarget(
  start: (file: string) => Promise<Target>,
  liveHeapMb: (target: Target, saidBytes: () => number) => Promise<number>,
): Promise<TightTarget> {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-bench-')), 'longest');
  fs.writeFileSync(file, Buffer.alloc(16));
  const target = await start(file);
  const fd = fs.openSync(file, 'r+');
  const read = (at: number) => {
    const bytes = Buffer.alloc(8);
    fs.readSync(fd, bytes, 0, 8, at);
    return Number(bytes.readBigInt64LE());
  };
  const pauseDuring = async <Result>(work: () => Promise<Result>) => {
    fs.writeSync(fd, Buffer.alloc(8), 0, 8, 0);
    const result = await work();
    return { result, pauseMs: read(0) / 1e6 };
  };
  return {
    ...target,
    change: () => target.write('\n'),
    pauseDuring,
    longestPause: async (ms) => (await pauseDuring(() => delay(ms))).pauseMs,
    liveHeapMb: () => liveHeapMb(target, () => read(8)),
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${target.pid}/status`, 'utf8'))?.[1]) / 1024,
  };
}
