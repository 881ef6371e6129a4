/**
 * JSON files that are complete at every moment, also after kill -9 or a power cut: temp file in the same folder, fsync,
 * rename, fsync of the folder. Every write happens under the file's lock, so one fixed temp name is enough and the next
 * writer takes over the temp file of a killed one.
 */
import { type BigIntStats, readFileSync, renameSync, statSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '../model/failure.ts';
import { withFileLock } from './file-lock.ts';
import { FILE_MODE, preparePrivateTarget } from './private-path.ts';
import { isAbsent, StoreError } from './store-error.ts';

const MAX_ATTEMPTS = 5;

/** Undefined when there is no such file; throws when there is one that is no JSON or cannot be read. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    // A pipe or a device would block for ever.
    if (!statSync(file).isFile()) throw new StoreError(`${file} is not a regular file`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // The parser's own message is not used: it quotes the file, and someone may have pasted a key there.
    const offset = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const line = offset === undefined ? '' : ` (line ${text.slice(0, Number(offset)).split('\n').length})`;
    throw new StoreError(`${file} is not valid JSON${line}`);
  }
}

export async function writeJson(file: string, value: unknown): Promise<void> {
  preparePrivateTarget(file);
  await withFileLock(file, () => replace(file, value, null));
}

/** Reads, changes and writes, without losing concurrent writes. `change` returns undefined to write nothing. */
export async function updateJson(file: string, change: (current: unknown) => unknown): Promise<void> {
  preparePrivateTarget(file);
  await withFileLock(file, async () => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const before = fingerprint(file).id;
      const next = change(readJson(file));
      if (next === undefined || (await replace(file, next, before))) return;
    }
    throw new StoreError(`${file} keeps changing: not written after ${MAX_ATTEMPTS} attempts`);
  });
}

interface Fingerprint {
  /** Differs whenever the file does (with the one exception below). */
  id: string;
  /** False right after a change: a second one within the file system's clock tick would not show in `id`. */
  settled: boolean;
}

const CLOCK_TICK_MS = 50;

/** One stat call. Never throws: an error of the stat is part of the fingerprint. */
export function fingerprint(file: string): Fingerprint {
  let found: BigIntStats;
  try {
    found = statSync(file, { bigint: true });
  } catch (error) {
    return { id: isAbsent(error) ? 'absent' : `error ${codeOf(error)}`, settled: true };
  }
  const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = found;
  return {
    id: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`,
    settled: Math.abs(Date.now() - Number(ctimeMs)) > CLOCK_TICK_MS,
  };
}

/** False, and nothing done, if the file no longer is the one with the fingerprint `expected`. */
async function replace(file: string, value: unknown, expected: string | null): Promise<boolean> {
  const folder = path.dirname(file);
  const temp = path.join(folder, `.${path.basename(file)}.tmp`);
  await rm(temp, { force: true });
  try {
    const handle = await open(temp, 'wx', FILE_MODE);
    try {
      await handle.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A person's editor does not know the lock. Nothing may come between the check and the rename: both are
    // synchronous.
    if (expected !== null && fingerprint(file).id !== expected) {
      await rm(temp, { force: true });
      return false;
    }
    renameSync(temp, file);
  } catch (error) {
    await rm(temp, { force: true });
    throw error;
  }
  await syncFolder(folder);
  return true;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; there the rename alone must be enough.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
