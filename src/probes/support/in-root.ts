/**
 * Opens files below the root of another process (`/proc/PID/root/…`) as that process would. To the kernel an absolute
 * link there leads into the root of the daemon: a container could name a file of the host by it. So each part of a path
 * is opened by itself, without following links, from the folder that is held open before it; links are read, and
 * followed from the root of that process. Nothing that is renamed meanwhile leads out.
 */
import fs from 'node:fs';
import path from 'node:path';

const { O_DIRECTORY, O_NOFOLLOW } = fs.constants;
/** Opens no more than the name: a device or a FIFO does not notice. Node has no constant for it; all CPUs share it. */
const O_PATH = 0o10000000;
/** As many as the kernel follows. */
const MAX_LINKS = 40;
const MAX_PARTS = 512;

const SEEN_BY_OTHER = /^(\/proc\/\d+\/root)(?:\/(.*))?$/s;

interface Place {
  readonly root: string;
  readonly path: string;
}

/** Null: it is a path of this process's own file system. */
function placeOf(seen: string): Place | null {
  const [, root, inside = ''] = SEEN_BY_OTHER.exec(seen) ?? [];
  return root === undefined ? null : { root, path: inside };
}

/** Opens it with these flags, links followed. Throws as `fs.openSync` does. A device is not opened. */
export function openSeen(seen: string, flags: number): number {
  const place = placeOf(seen);
  if (place === null) return fs.openSync(seen, flags);
  return useInRoot(place, true, (descriptor) => {
    const found = fs.fstatSync(descriptor);
    if (!found.isFile() && !found.isDirectory()) throw failure('ENXIO', seen);
    return fs.openSync(`/proc/self/fd/${descriptor}`, flags);
  });
}

/** A folder; a link in its place is refused. Throws as `fs.openSync` does. */
export function openFolderSeen(seen: string, flags: number): number {
  const place = placeOf(seen);
  if (place === null) return fs.openSync(seen, flags | O_DIRECTORY | O_NOFOLLOW);
  return useInRoot(place, false, (descriptor) => {
    if (!fs.fstatSync(descriptor).isDirectory()) throw failure('ENOTDIR', seen);
    return fs.openSync(`/proc/self/fd/${descriptor}`, flags | O_DIRECTORY);
  });
}

/** Null if it is not there, or may not be looked at. */
export function statSeen(seen: string, { followsLink = true } = {}): fs.Stats | null {
  try {
    const place = placeOf(seen);
    if (place !== null) return useInRoot(place, followsLink, (descriptor) => fs.fstatSync(descriptor));
    return followsLink ? fs.statSync(seen) : fs.lstatSync(seen);
  } catch {
    // Not there, or hidden: both count as none.
    return null;
  }
}

/** Hands `use` a descriptor that names what is there, and nothing else. */
export function useInRoot<Result>(
  { root, path: inside }: Place,
  followsLast: boolean,
  use: (descriptor: number) => Result,
): Result {
  // The folders from the root down to where we are: `..` goes back by one, and never above the first.
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
