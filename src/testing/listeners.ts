/**
 * Finds the processes that listen on a port of this machine. Linux shows a user's own processes to the user, and all to
 * root.
 */
import { readdir, readFile, readlink } from 'node:fs/promises';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const LISTENING = '0A';

export async function listenersAt(port: number): Promise<readonly number[]> {
  // A kernel without IPv6 has no table for it, and no listeners.
  const tables = await Promise.all(TABLES.map((table) => readFile(table, 'latin1').catch(() => '')));
  const sockets = new Set(tables.flatMap((table) => inodesIn(table, port)).map((inode) => `socket:[${inode}]`));
  if (sockets.size === 0) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const holds = await Promise.all(pids.map((pid) => holdsOneOf(pid, sockets)));
  return pids.filter((_, index) => holds[index]);
}

/** The sockets that listen on this port. */
export function inodesIn(table: string, port: number): readonly string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return local.endsWith(suffix) && state === LISTENING && /^[1-9]\d*$/.test(inode) ? [inode] : [];
  });
}

/** A process of another user, or one that has just ended, has no readable files. */
async function holdsOneOf(pid: number, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  // It has ended, or belongs to another user.
  const files = await readdir(folder).catch(() => []);
  // It was closed after the listing.
  const targets = await Promise.all(files.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.some((target) => sockets.has(target));
}
