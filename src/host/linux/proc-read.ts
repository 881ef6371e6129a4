/**
 * Reads of files below /proc: synchronous, into one buffer that every read reuses. These files are made by the kernel
 * in memory, so a read never waits for a disk, and the asynchronous calls measure some sixty times dearer.
 */

import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { codeOf } from '../../model/failure.ts';

/** `gone`: the process ended. `hidden`: it is there, but this user may not read it (other user, hidepid mount). */
export type Absence = 'gone' | 'hidden';

export const PROC_BUFFER_BYTES = 128 * 1024;
const buffer = Buffer.allocUnsafeSlow(PROC_BUFFER_BYTES);

/** The result of one read: a view that the next read overwrites. Enough for every file that is a single record. */
export function readProcFile(path: string): Buffer | Absence {
  try {
    const file = openSync(path, 'r');
    try {
      return buffer.subarray(0, readSync(file, buffer, 0, PROC_BUFFER_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return absenceOf(error);
  }
}

/** For tables of any length (maps, net/tcp), which the kernel returns in pieces: about the first `maxBytes`. */
export function readLongProcFile(path: string, maxBytes: number): string {
  const pieces: Buffer[] = [];
  try {
    const file = openSync(path, 'r');
    try {
      for (let total = 0; total < maxBytes; ) {
        const length = readSync(file, buffer, 0, PROC_BUFFER_BYTES, null);
        if (length === 0) break;
        pieces.push(Buffer.from(buffer.subarray(0, length)));
        total += length;
      }
    } finally {
      closeSync(file);
    }
  } catch {
    // The process ended between two pieces or may not be read: the pieces so far are the result.
  }
  return Buffer.concat(pieces).toString('utf8');
}

export function readProcLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // The process has ended, or may not be read.
    return null;
  }
}

function absenceOf(error: unknown): Absence {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'hidden';
}
