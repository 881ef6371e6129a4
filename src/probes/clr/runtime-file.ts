/** The file of a runtime, which is large and the same for many processes: it is read once. */
import fs from 'node:fs';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_CACHED = 32;

/** Gives a reader; null: the file cannot be read, or is too large. */
export function runtimeFileReader<Facts>(parse: (bytes: Buffer) => Facts): (path: string) => Facts | null {
  const cache = new Map<string, Facts>();
  return (path) => {
    try {
      const file = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
      try {
        const stat = fs.fstatSync(file);
        if (!stat.isFile() || stat.size > MAX_BYTES) return null;
        const key = `${stat.dev}:${stat.ino}:${stat.mtimeMs}:${stat.size}`;
        const known = cache.get(key);
        if (known !== undefined) return known;
        const facts = parse(fs.readFileSync(file));
        if (cache.size >= MAX_CACHED) cache.clear();
        cache.set(key, facts);
        return facts;
      } finally {
        fs.closeSync(file);
      }
    } catch {
      return null;
    }
  };
}
