/**
 * Reads files that belong to other programs. The owner of the folder can put anything there: a FIFO without a writer
 * would block the whole daemon, a device has no end. So only plain files are read, and no more than requested; below the
 * root of another process, links stay below it.
 */
import fs from 'node:fs';
import { openSeen } from './in-root.ts';

const SMALL_BYTES = 64 * 1024;

/** Fills the target from this position on; returns the number of bytes. */
export type ReadAt = (target: Buffer, position: number) => number;

/** Null if it is not a readable plain file, or `use` could not read its content. */
export function usePlainFile<Result>(
  path: string,
  use: (readAt: ReadAt, stat: fs.Stats) => Result | null,
): Result | null {
  try {
    const file = openSeen(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const stat = fs.fstatSync(file);
      if (!stat.isFile()) return null;
      return use((target, position) => fs.readSync(file, target, 0, target.length, position), stat);
    } finally {
      fs.closeSync(file);
    }
  } catch {
    // The file is missing, or cannot be read: the caller knows what is then unknown.
    return null;
  }
}

/** The whole file; null if it is no plain file, or larger than this. */
export function readSmallFile(path: string, maxBytes: number): Buffer | null {
  return usePlainFile(path, (readAt, { size }) => {
    if (size > maxBytes) return null;
    // Virtual files of the kernel report no length.
    const bytes = Buffer.alloc(size === 0 ? maxBytes : size);
    return bytes.subarray(0, fill(bytes, readAt));
  });
}

export function readSmallText(path: string, maxBytes = SMALL_BYTES): string | null {
  return readSmallFile(path, maxBytes)?.toString('utf8') ?? null;
}

function fill(bytes: Buffer, readAt: ReadAt): number {
  let at = 0;
  for (let count = 1; count > 0 && at < bytes.length; at += count) count = readAt(bytes.subarray(at), at);
  return at;
}
