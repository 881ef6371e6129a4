/** The user of a target program, and the limits that keep root to that user's access. */
import net from 'node:net';
import { codeOf } from '../../model/failure.ts';

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Other users make files as themselves, and attach to their own programs only. */
export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Connects to a unix socket in a place that others may change: they could put a link to somebody else's socket there,
 * and root would get in. So root becomes the owner of the socket for the moment of the connect, which is one system
 * call. Java before 11 answers only its own user in any case, and a container may have another number for root.
 */
export function connectAs(owner: Owner, options: net.IpcNetConnectOpts): net.Socket {
  return actAs(owner, () => net.connect(options));
}

/**
 * Makes a file, folder or name. A file system that was mounted inside a container takes none of a user who is nobody
 * there, be it root of the host (EOVERFLOW): then the owner makes it. `make` must not wait for anything.
 */
export function makeFor<Result>(owner: Owner, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!isUnmapped(error)) throw error;
    return actAs(owner, make);
  }
}

/** Whether root is nobody in the file system of a container. */
export function isUnmapped(error: unknown): boolean {
  return isRoot() && codeOf(error) === 'EOVERFLOW';
}

/** `work` must not wait for anything: the whole process is the owner meanwhile. */
export function actAs<Result>(owner: Owner, work: () => Result): Result {
  const { getegid, getgroups, seteuid, setegid, setgroups } = process;
  if (!isRoot()) return work();
  if (!getegid || !getgroups || !seteuid || !setegid || !setgroups)
    throw new Error('only the main thread can become another user');
  const own = { gid: getegid(), groups: getgroups() };
  if (owner.uid === 0 && owner.gid === own.gid) return work();
  // Each step back is taken even if another failed. Only root can set groups: so it is the last step there, and the
  // first back.
  try {
    setgroups([owner.gid]);
    try {
      setegid(owner.gid);
      try {
        seteuid(owner.uid);
        return work();
      } finally {
        seteuid(0);
      }
    } finally {
      setegid(own.gid);
    }
  } finally {
    setgroups(own.groups);
  }
}
