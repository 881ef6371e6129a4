/** Folders 0700, files 0600, and nothing written where another user could have laid a trap. */
import { lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isAbsent, StoreError } from './store-error.ts';

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

/** Makes the file's folder if need be and throws unless both are fit to be written. */
export function preparePrivateTarget(file: string): void {
  ensurePrivateFolder(path.dirname(file));
  let found: Stats;
  try {
    found = lstatSync(file);
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  if (found.isSymbolicLink()) throw new StoreError(`${file} is a symbolic link: not written through`);
  if (!found.isFile()) throw new StoreError(`${file} is not a regular file`);
  requireOwn(file, found);
}

/**
 * Folders that are already there keep their mode: one of them may be a home folder.
 * A folder may be reached by a symbolic link if that link is the user's own (a data folder on another disk).
 */
function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  requireOwn(folder, lstatSync(folder));
  requireOwn(folder, statSync(folder));
}

function requireOwn(name: string, found: Stats): void {
  const self = process.getuid?.();
  if (self === undefined || found.uid === self) return;
  throw new StoreError(`${name} belongs to another user (uid ${found.uid}, this process runs as ${self}): not written`);
}
