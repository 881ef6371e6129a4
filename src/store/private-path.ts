/** Folders 0700, files 0600, nothing written where another user could have laid a trap, and nothing believed of others. */
import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isAbsent, StoreError, UntrustedError } from './store-error.ts';

const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

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

export interface Flaw {
  readonly problem: string;
  readonly remedy: string;
}

/** Why somebody else than root and this user could change what is there; null: nobody could, or nothing is there. */
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
  // Such a folder is there for everybody.
  const isShared = found.isDirectory() && (found.mode & STICKY) !== 0;
  return { problem, remedy: isShared ? 'Use a folder of your own.' : `chmod go-w ${name}` };
}

/** Of a file that decides who may do what. As sshd asks of its own: the folder counts, too, and a sticky one is not enough. */
export function flawOfFile(file: string, self?: number): Flaw | null {
  const real = realPathOf(file);
  const places = new Set([path.dirname(file), path.dirname(real), real]);
  return [...places].map((place) => flawOf(place, self)).find((flaw) => flaw !== null) ?? null;
}

/** Whether nobody but this user and root can change a folder, or put another one in its place. False: it is not there. */
export function isOnlyOurs(folder: string, self = process.geteuid?.()): boolean {
  if (statOf(folder)?.isDirectory() !== true) return false;
  if (self === undefined) return true;
  for (let place = realPathOf(folder); ; place = path.dirname(place)) {
    const { uid, mode } = lstatSync(place);
    if (uid !== self && uid !== 0) return false;
    // In a sticky folder others cannot rename what is not theirs.
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
    // Whoever reads it says why it cannot be read.
    return undefined;
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Not there yet: the path as it was given will do.
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
