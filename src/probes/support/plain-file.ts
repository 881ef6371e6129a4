/**
 * Reads files that belong to other programs. Whoever owns the folder can put anything there: a FIFO that nobody writes to
 * would hold the whole daemon up, a device has no end. So nothing is read but plain files, and no more than was asked for.
 */
import fs from 'node:fs';

const SMALL_BYTES = 64 * 1024;

/** Fills the target from this position on; how many bytes there were. */
export type ReadAt = (target: Buffer, position: number) => number;

/** Null: not a plain file that can be read, or `use` could not make anything of it. */
export function usePlainFile<Result>(
  path: string,
  use: (readAt: ReadAt, stat: fs.Stats) => Result | null,
): Result | null {
  try {
    const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const stat = fs.fstatSync(file);
      if (!stat.isFile()) return null;
      return use((target, position) => fs.readSync(file, target, 0, target.length, position), stat);
    } finally {
      fs.closeSync(file);
    }
  } catch {
    // Not there, or not to be read: whoever asked knows what is then unknown.
    return null;
  }
}

/** All of it; null: not a plain file, or one with more than so many bytes. */
export function readSmallFile(path: string, maxBytes: number): Buffer | null {
  return usePlainFile(path, (readAt, { size }) => {
    if (size > maxBytes) return null;
    // What the kernel makes up says that it has no length.
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
