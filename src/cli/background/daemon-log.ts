/** The log of a daemon in the background: a file for its user only, renamed once when it has become large. */
import { closeSync, fstatSync, lstatSync, openSync, readSync, renameSync } from 'node:fs';
import path from 'node:path';
import { FILE_MODE, preparePrivateTarget } from '../../store/private-path.ts';
import { isAbsent } from '../../store/store-error.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

export function logFile(storageDir: string): string {
  return path.join(storageDir, 'daemon.log');
}

/** The handle is for the daemon; its output begins at `size`. */
export function openLog(file: string): { handle: number; size: number } {
  preparePrivateTarget(file);
  if (sizeOf(file) > MAX_BYTES) renameSync(file, `${file}.1`);
  const handle = openSync(file, 'a', FILE_MODE);
  return { handle, size: fstatSync(handle).size };
}

/** The output since this size; only the end if it is long. */
export function readLog(file: string, from: number): string {
  const start = Math.max(from, sizeOf(file) - TAIL_BYTES);
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(TAIL_BYTES);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, TAIL_BYTES, start));
  } finally {
    closeSync(handle);
  }
}

function sizeOf(file: string): number {
  try {
    return lstatSync(file).size;
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
}
