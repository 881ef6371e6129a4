/**
 * Folders have 0700, files 0600; nothing is written where another user could have laid a trap, and no file that others
 * could write is trusted.
 */
import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isAbsent, StoreError, UntrustedError } from './store-error.ts';

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Makes the file's folder if necessary and throws unless both are safe to write. */
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

export interface Flaw {
  readonly problem: string;
  readonly remedy: string;
}

/** The reason why somebody other than root and this user could change it; null if nobody could, or it is missing. */
export function flawOf(name: string, self = process.geteuid?.()): Flaw | null {
  const found = self === undefined ? undefined : statOf(name);
  if (self === undefined || found === undefined) return null;
  if (found.uid !== self && found.uid !== 0) {
    const problem = `${name} belongs to another user (uid ${found.uid}, this process runs as ${self}), who can change it`;
    return { problem, remedy: `chown ${self} ${name}` };
  }
  if ((found.mode & OTHERS_WRITE) === 0) return null;
  const mode = (found.mode & 0o7777).toString(8).padStart(4, '0');
  const problem = `${name} can be changed by other users (mode ${mode})`;
  // A sticky folder is shared by everybody.
  const isShared = found.isDirectory() && (found.mode & STICKY) !== 0;
  return { problem, remedy: isShared ? 'Use a folder of your own.' : `chmod go-w ${name}` };
}

/**
 * For a file that decides permissions. sshd has the same rule for its own: the folder counts, too, and a sticky one is
 * not enough.
 */
export function flawOfFile(file: string, self?: number): Flaw | null {
  const real = realPathOf(file);
  const places = new Set([path.dirname(file), path.dirname(real), real]);
  return [...places].map((place) => flawOf(place, self)).find((flaw) => flaw !== null) ?? null;
}

/** Whether only this user and root can change a folder, or replace it. False if it is missing. */
export function isOnlyOurs(folder: string, self = process.geteuid?.()): boolean {
  if (statOf(folder)?.isDirectory() !== true) return false;
  if (self === undefined) return true;
  for (let place = realPathOf(folder); ; place = path.dirname(place)) {
    const { uid, mode } = lstatSync(place);
    if (uid !== self && uid !== 0) return false;
    // In a sticky folder others cannot rename files of this user.
    if ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) return false;
    if (place === path.dirname(place)) return true;
  }
}

export function requireTrusted(file: string): void {
  const flaw = flawOfFile(file);
  if (flaw !== null) throw new UntrustedError(`${flaw.problem}: ${file} is not read. Remedy: ${flaw.remedy}`);
}

function statOf(name: string): Stats | undefined {
  try {
    return statSync(name);
  } catch {
    // The reader reports why it cannot be read.
    return undefined;
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file is missing: the given path is used.
    return file;
  }
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
