/**
 * An advisory lock between processes: `<file>.lock`, made with O_EXCL, holds the pid and the start time of its holder.
 * The lock of a dead process is broken at once; that of a live one is never broken, only waited for.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { codeOf } from '../model/failure.ts';
import { FILE_MODE } from './private-path.ts';
import { processStart } from './process-identity.ts';
import { isAbsent, StoreError } from './store-error.ts';

const holderSchema = z.object({ pid: z.int().positive(), start: z.string() });
type Holder = z.infer<typeof holderSchema>;

// A process can be killed between making the lock and writing its name into it, which takes microseconds.
const NAMELESS_STALE_MS = 2000;

/** The folder must exist. */
export async function withFileLock<T>(file: string, work: () => Promise<T>, waitMs = 10_000): Promise<T> {
  const lock = `${file}.lock`;
  const deadline = performance.now() + waitMs;
  while (!tryCreate(lock)) {
    if (isStale(lock)) {
      breakStale(lock);
    } else if (performance.now() > deadline) {
      const holder = readHolder(lock);
      const who = holder === null ? 'another process' : `process ${holder.pid}`;
      throw new StoreError(`${file} is being changed by ${who} (lock file ${lock}); gave up after ${waitMs} ms`);
    }
    // Random, so that two waiters do not retry at the same times.
    await delay(1 + Math.random() * 4);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryCreate(lock: string): boolean {
  let handle: number;
  try {
    handle = openSync(lock, 'wx', FILE_MODE);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    const self: Holder = { pid: process.pid, start: processStart(process.pid) ?? '' };
    writeSync(handle, JSON.stringify(self));
    return true;
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

function readHolder(lock: string): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(lock, 'utf8')));
  } catch {
    // The file is gone meanwhile, or half written by a process that died: in both cases nobody holds the lock.
    return null;
  }
}

function isStale(lock: string): boolean {
  const holder = readHolder(lock);
  if (holder === null) return isOlderThan(lock, NAMELESS_STALE_MS);
  const start = processStart(holder.pid);
  if (start === null) return true;
  return start !== '' && holder.start !== '' && start !== holder.start;
}

function isOlderThan(file: string, ageMs: number): boolean {
  try {
    // The absolute difference: the clock may have been set back since.
    return Math.abs(Date.now() - statSync(file).mtimeMs) > ageMs;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/**
 * Two processes may find the same stale lock. If each simply removed it, the slower would remove the lock that the
 * faster has taken since. So only the holder of a guard removes it, after a second check.
 */
function breakStale(lock: string): void {
  const guard = `${lock}.break`;
  if (!tryCreate(guard)) {
    // The guard is held for microseconds: an old one belongs to a process that died in between.
    if (isOlderThan(guard, NAMELESS_STALE_MS)) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}
