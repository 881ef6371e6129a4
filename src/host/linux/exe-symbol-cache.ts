import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { elfHasDynamicName } from './elf-symbols.ts';

/** A machine runs far fewer different executables than processes. */
const MAX_ANSWERS = 512;

/** Answers per file and name: a file is named by device, inode, size and time, as its path may lead elsewhere later. */
export class ExeSymbolCache {
  private readonly answers = new Map<string, boolean>();

  /** `path` is `/proc/PID/exe`, which opens the very file that runs, even when it was deleted or is in a container. */
  has(path: string, symbol: string): boolean {
    try {
      const file = openSync(path, 'r');
      try {
        const { dev, ino, size, mtimeNs } = fstatSync(file, { bigint: true });
        const key = `${dev}:${ino}:${size}:${mtimeNs}:${symbol}`;
        const answer =
          this.answers.get(key) ??
          elfHasDynamicName((target, position) => readSync(file, target, 0, target.length, position), symbol);
        this.remember(key, answer);
        return answer;
      } finally {
        closeSync(file);
      }
    } catch {
      // The file is gone, or another user's: an unreadable executable has no known symbols.
      return false;
    }
  }

  /** A Map keeps insertion order: the first key is the least recently used. */
  private remember(key: string, answer: boolean): void {
    this.answers.delete(key);
    this.answers.set(key, answer);
    if (this.answers.size <= MAX_ANSWERS) return;
    const [oldest] = this.answers.keys();
    if (oldest !== undefined) this.answers.delete(oldest);
  }
}
