/**
 * Opens files below the root of another process (`/proc/PID/root/…`) as that process would. The kernel would resolve an
 * absolute link there from the root of the daemon, so a container could name a file of the host by it. Therefore each
 * part of a path is opened by itself, relative to the open folder before it and without following links; links are read,
 * and resolved from the root of that process. Renaming a folder meanwhile does not help to get out.
 */
import fs from 'node:fs';
import path from 'node:path';

const { O_DIRECTORY, O_NOFOLLOW } = fs.constants;
/** Node has no constant for it; all CPUs share it. A device or a FIFO does not notice that it is opened with it. */
const O_PATH = 0o10000000;
/** The kernel has the same limit. */
const MAX_LINKS = 40;
const MAX_PARTS = 512;

const SEEN_BY_OTHER = /^(\/proc\/\d+\/root)(?:\/(.*))?$/s;

interface Place {
  readonly root: string;
  readonly path: string;
}

/** Null for a path of this process's own file system. */
function placeOf(seen: string): Place | null {
  const [, root, inside = ''] = SEEN_BY_OTHER.exec(seen) ?? [];
  return root === undefined ? null : { root, path: inside };
}

/** Opens a file or folder; links are followed. Throws as `fs.openSync` does, also for a device. */
export function openSeen(seen: string, flags: number): number {
  const place = placeOf(seen);
  if (place === null) return fs.openSync(seen, flags);
  return useInRoot(place, true, (descriptor) => {
    const found = fs.fstatSync(descriptor);
    if (!found.isFile() && !found.isDirectory()) throw failure('ENXIO', seen);
    return fs.openSync(`/proc/self/fd/${descriptor}`, flags);
  });
}

/** Opens a folder; a link in its place is refused. Throws as `fs.openSync` does. */
export function openFolderSeen(seen: string, flags: number): number {
  const place = placeOf(seen);
  if (place === null) return fs.openSync(seen, flags | O_DIRECTORY | O_NOFOLLOW);
  return useInRoot(place, false, (descriptor) => {
    if (!fs.fstatSync(descriptor).isDirectory()) throw failure('ENOTDIR', seen);
    return fs.openSync(`/proc/self/fd/${descriptor}`, flags | O_DIRECTORY);
  });
}

/** Null if the file is missing or not accessible. */
export function statSeen(seen: string, { followsLink = true } = {}): fs.Stats | null {
  try {
    const place = placeOf(seen);
    if (place !== null) return useInRoot(place, followsLink, (descriptor) => fs.fstatSync(descriptor));
    return followsLink ? fs.statSync(seen) : fs.lstatSync(seen);
  } catch {
    // Missing and inaccessible files are treated alike.
    return null;
  }
}

/** Calls `use` with an O_PATH descriptor of the file. */
export function useInRoot<Result>(
  { root, path: inside }: Place,
  followsLast: boolean,
  use: (descriptor: number) => Result,
): Result {
  // The open folders from the root to the current one: `..` removes the last, and never the root.
  const held = [fs.openSync(root, O_PATH | O_DIRECTORY)];
  try {
    const parts = partsOf(inside);
    let links = 0;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      if (part === '..') {
        if (held.length > 1) fs.closeSync(held.pop() ?? -1);
        continue;
      }
      const name = `/proc/self/fd/${held.at(-1)}/${part}`;
      const descriptor = fs.openSync(name, O_PATH | O_NOFOLLOW);
      held.push(descriptor);
      if (!fs.fstatSync(descriptor).isSymbolicLink() || (parts.length === 0 && !followsLast)) continue;
      fs.closeSync(held.pop() ?? -1);
      if (++links > MAX_LINKS || parts.length > MAX_PARTS) throw failure('ELOOP', inside);
      const text = fs.readlinkSync(name);
      if (path.posix.isAbsolute(text)) for (const folder of held.splice(1)) fs.closeSync(folder);
      parts.unshift(...partsOf(text));
    }
    return use(held.at(-1) ?? -1);
  } finally {
    for (const descriptor of held) fs.closeSync(descriptor);
  }
}

function partsOf(text: string): string[] {
  return text.split('/').filter((part) => part !== '' && part !== '.');
}

function failure(code: string, file: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${file}`), { code });
}
