/**
 * A folder that is held open, so that its files are opened through it and not by its name: others who can rename things
 * around it (other users of /tmp, the root of a container) cannot redirect the daemon. Symbolic links are not followed.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { ProcessInspector, ProcessRef } from '../../../model/process.ts';
import { openFolderSeen } from '../in-root.ts';
import { connectAs, isRoot, makeFor, type Owner } from '../owner.ts';

const MKFIFO_MS = 5000;
const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

export class HeldFolder {
  /** The path in the file system of the target. */
  readonly path: string;
  private readonly descriptor: number;

  /** Throws when it is missing, or no folder. `path`: in the daemon's file system; `name`: in that of the target. */
  static open(path: string, { followsLink = false, name = path } = {}): HeldFolder {
    const open = () => (followsLink ? fs.openSync(path, O_RDONLY | O_DIRECTORY) : openFolderSeen(path, O_RDONLY));
    return new HeldFolder(name, open());
  }

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.descriptor = descriptor;
  }

  /** A path that leads into this very folder. Valid while it is open. */
  at(name: string): string {
    return `/proc/self/fd/${this.descriptor}/${name}`;
  }

  stat(): fs.Stats {
    return fs.fstatSync(this.descriptor);
  }

  /** Null if there is none. A link is not followed. */
  lookAt(name: string): fs.Stats | null {
    return fs.lstatSync(this.at(name), { throwIfNoEntry: false }) ?? null;
  }

  list(): string[] {
    return fs.readdirSync(this.at('.'));
  }

  openFolder(name: string): HeldFolder {
    return HeldFolder.open(this.at(name), { name: `${this.path}/${name}` });
  }

  /** Null if it is no plain file of this owner, or larger. */
  read(name: string, owner: number, maxBytes: number): Buffer | null {
    try {
      const file = fs.openSync(this.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
      try {
        const stat = fs.fstatSync(file);
        if (!stat.isFile() || stat.uid !== owner || stat.size > maxBytes) return null;
        const bytes = Buffer.alloc(stat.size);
        return bytes.subarray(0, fs.readSync(file, bytes, 0, bytes.length, 0));
      } finally {
        fs.closeSync(file);
      }
    } catch {
      // The file is missing, or cannot be read: both count as none.
      return null;
    }
  }

  /** Only its owner can read it. Throws when the name is taken. */
  create(name: string, content: Uint8Array, owner: Owner): void {
    const make = () => fs.openSync(this.at(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    const file = makeFor(owner, make);
    try {
      fs.writeFileSync(file, content);
      if (isRoot()) fs.fchownSync(file, owner.uid, owner.gid);
    } finally {
      fs.closeSync(file);
    }
  }

  /** Renames a complete copy into place, so that nobody sees the file missing or half written. */
  replace(name: string, content: Uint8Array, owner: Owner): void {
    const draft = `${name}.new`;
    this.remove(draft);
    this.create(draft, content, owner);
    makeFor(owner, () => fs.renameSync(this.at(draft), this.at(name)));
  }

  /** Changes the owner of a folder that was just made. Throws when another one has taken its place. */
  give(owner: Owner): void {
    if (!isRoot()) return;
    if (this.stat().uid !== 0 || this.list().length > 0) throw new Error('another folder took its place');
    fs.fchownSync(this.descriptor, owner.uid, owner.gid);
  }

  /** Only its owner can use it. */
  makeFifo(name: string, owner: Owner): void {
    // The folder has the descriptor 3 in the command that is started.
    const { status, error, stderr } = spawnSync('mkfifo', ['-m', '600', `/proc/self/fd/3/${name}`], {
      stdio: ['ignore', 'ignore', 'pipe', this.descriptor],
      encoding: 'utf8',
      timeout: MKFIFO_MS,
      // Made by its owner: a later chown would go by a name, which may stand for another file by then.
      ...(isRoot() ? owner : {}),
    });
    // The error code is dropped: it would be taken for one of the folder's.
    if (error) throw new Error(`the command mkfifo (of coreutils) does not run: ${error.message}`);
    if (status !== 0) throw new Error(`mkfifo failed: ${stderr}`);
  }

  /** Its descriptor. Null if there is none of this owner, or nobody reads a FIFO that is opened for writing. */
  openFifo(name: string, way: 'read' | 'write', owner: number): number | null {
    try {
      const file = fs.openSync(this.at(name), (way === 'read' ? O_RDONLY : O_WRONLY) | O_NONBLOCK | O_NOFOLLOW);
      const stat = fs.fstatSync(file);
      if (stat.isFIFO() && stat.uid === owner) return file;
      fs.closeSync(file);
      return null;
    } catch {
      // The FIFO is missing, or nobody has the other end open: the caller waits or reports it.
      return null;
    }
  }

  /** Whether a process has this FIFO open for reading: otherwise it cannot be opened for writing. */
  hasReader(name: string, owner: number): boolean {
    const file = this.openFifo(name, 'write', owner);
    if (file !== null) fs.closeSync(file);
    return file !== null;
  }

  remove(name: string): void {
    fs.rmSync(this.at(name), { force: true });
  }

  close(): void {
    fs.closeSync(this.descriptor);
  }
}

/**
 * Opens a folder such as `/tmp` as the process sees it. A link in its place is followed in this process's own file
 * system, and refused in that of another.
 */
export function openSeenBy(ref: ProcessRef, name: string, inspect: ProcessInspector): HeldFolder {
  const path = inspect.resolvePath(ref, name);
  return path === name ? openOwn(name) : HeldFolder.open(path, { name });
}

export function openOwn(path: string): HeldFolder {
  return HeldFolder.open(path, { followsLink: true });
}

/**
 * The kernel's error codes for a socket without a listener. Other errors may have local reasons, such as no free
 * descriptors.
 */
const NO_LISTENER = new Set(['ECONNREFUSED', 'ENOENT', 'EPROTOTYPE']);

/**
 * Whether a process accepts connections on this unix socket. A slow listener, or one that refuses its owner, counts.
 */
export function hasListener(path: string, owner: Owner): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectAs(owner, { path });
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(!NO_LISTENER.has(code)));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
