/** Reads the file of a runtime once: it is large, and the same for many processes. */
import { usePlainFile } from '../../support/plain-file.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_CACHED = 32;

/** Returns a reader, which gives null if the file cannot be read, or is too large. */
export function runtimeFileReader<Facts>(parse: (bytes: Buffer) => Facts): (path: string) => Facts | null {
  const cache = new Map<string, Facts>();
  return (path) => {
    return usePlainFile(path, (readAt, { dev, ino, mtimeMs, size }) => {
      if (size > MAX_BYTES) return null;
      const key = `${dev}:${ino}:${mtimeMs}:${size}`;
      const known = cache.get(key);
      if (known !== undefined) return known;
      const bytes = Buffer.alloc(size);
      const facts = parse(bytes.subarray(0, readAt(bytes, 0)));
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(key, facts);
      return facts;
    });
  };
}
