/** One daemon at a time: the listener on a socket in the agent's folder holds its lock. */

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import { codeOf } from '../../../model/failure.ts';
import { actAs, isUnmapped, makeFor, type Owner } from '../owner.ts';
import { hasListener } from './held-folder.ts';

/** Another daemon holds the lock. */
export class AgentBusy extends Error {}

export interface Lock {
  release(): void;
}

/**
 * A socket ends with its process, whatever ends that; its file may stay, and is then stale. It gets its name when it
 * listens already: a file without a listener is always a stale one. `owner`: the owner of the folder.
 */
export async function takeLock(path: string, owner: Owner): Promise<Lock> {
  const draft = beside(path);
  const server = await listen(draft).catch((error: unknown) => {
    if (!isUnmapped(error)) throw error;
    return actAs(owner, () => listen(draft));
  });
  try {
    const own = identityOf(draft);
    if (!moveTo(path, draft, owner)) {
      await removeDead(path, owner);
      if (!moveTo(path, draft, owner)) throw new AgentBusy();
    }
    return {
      release() {
        // The path may lead elsewhere by then.
        if (identityOf(path) === own) fs.rmSync(path, { force: true });
        server.close();
      },
    };
  } catch (error) {
    server.close();
    throw error;
  }
}

const beside = (path: string) => `${path}.${randomBytes(4).toString('hex')}`;

function listen(path: string): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((socket) => socket.destroy());
    // The handler stays for the server's whole life: without free descriptors it cannot accept.
    server.on('error', reject);
    // One of two daemons may be root's: the other one has to see whether it lives. The folder keeps everybody else out.
    const before = process.umask(0);
    try {
      server.listen(path, () => {
        server.unref();
        resolve(server);
      });
    } finally {
      process.umask(before);
    }
  });
}

/** False if the name is taken. */
function moveTo(path: string, from: string, owner: Owner): boolean {
  try {
    makeFor(owner, () => fs.linkSync(from, path));
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  fs.rmSync(from, { force: true });
  return true;
}

/** Throws `AgentBusy` when a daemon listens there. */
async function removeDead(path: string, owner: Owner): Promise<void> {
  const dead = identityOf(path);
  if (dead === null) return;
  // A link is never a lock, and is not followed.
  if (isSocket(path) && (await hasListener(path, owner))) throw new AgentBusy();
  // Renamed first, then checked: another daemon may have removed it, too, and have put its own there.
  const moved = beside(path);
  makeFor(owner, () => fs.renameSync(path, moved));
  const isDead = identityOf(moved) === dead;
  if (isDead || !moveTo(path, moved, owner)) fs.rmSync(moved, { force: true });
  if (!isDead) throw new AgentBusy();
}

function isSocket(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true;
}

function identityOf(path: string): string | null {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}` : null;
}
