/**
 * The private folder of an agent, `/tmp/substrate-jvm-<pid>-<start time>` of the target's own file system: 0700 and owned
 * by the target's user. What is loaded lies there for a moment, the socket or the FIFOs as long as the agent runs.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../model/process.ts';
import { AttachError } from '../probe.ts';
import { type HeldFolder, hasListener, type Owner, openOwnTmp } from './held-folder.ts';

const PREFIX = 'substrate-jvm-';
const POLL_MS = 5;
/** Somebody may be attaching right now in a younger one. */
const SWEEP_AGE_MS = 60_000;
const MAX_SWEPT = 200;
const MAX_REASON_BYTES = 4000;
const MAX_REASON = 300;

export const SOCKET = 'agent.sock';
export const FIFO_IN = 'in';
export const FIFO_OUT = 'out';
/** While the daemon listens on it, another one knows that the FIFOs are taken: they could not tell the two apart. */
export const LOCK = 'daemon.sock';
const CHANNEL = new Set([SOCKET, FIFO_IN, FIFO_OUT, LOCK]);

export class AgentFolder {
  /** As the target sees it. */
  readonly path: string;
  private readonly name: string;
  private readonly tmp: HeldFolder;
  private readonly held: HeldFolder;
  private readonly owner: Owner;
  private readonly pid: number;
  private isClosed = false;

  /** The one that is there, or a new one. `tmp` becomes its own. */
  static open(process: ProcessInfo, details: ProcessDetails, tmp: HeldFolder): AgentFolder {
    const name = nameOf(process, details);
    const owner = { uid: details.effectiveUid, gid: details.effectiveGid };
    const found = tmp.lookAt(name);
    if (found && (!found.isDirectory() || found.uid !== owner.uid)) {
      throw new AttachError(
        `A file or folder /tmp/${name} of another user is in the way of the agent for the Java program. Remove it.`,
        { retry: true },
      );
    }
    try {
      if (!found) fs.mkdirSync(tmp.at(name), { mode: 0o700 });
      const held = tmp.openFolder(name);
      try {
        if (!found) held.give(owner);
        if (held.stat().uid !== owner.uid) throw new Error('another folder took its place');
        return new AgentFolder(tmp, name, held, details);
      } catch (error) {
        held.close();
        throw error;
      }
    } catch (error) {
      throw cannotWrite(error);
    }
  }

  private constructor(tmp: HeldFolder, name: string, held: HeldFolder, details: ProcessDetails) {
    this.tmp = tmp;
    this.name = name;
    this.path = `/tmp/${name}`;
    this.owner = { uid: details.effectiveUid, gid: details.effectiveGid };
    this.pid = details.namespacePid;
    this.held = held;
  }

  /** A path that leads to what this very folder holds. */
  at(name: string): string {
    return this.held.at(name);
  }

  /** Whether a socket or FIFO of the target's user is there under this name. */
  hasChannel(name: string): boolean {
    const stat = this.held.lookAt(name);
    return stat !== null && stat.uid === this.owner.uid && (stat.isSocket() || stat.isFIFO());
  }

  /** What is to be loaded, and the FIFOs if the agent cannot make a socket. */
  put(files: ReadonlyMap<string, Buffer>, needsFifos: boolean): void {
    try {
      this.removeLoaded();
      for (const [name, content] of files) this.held.create(name, content, this.owner);
      for (const name of needsFifos ? [FIFO_IN, FIFO_OUT] : []) {
        if (this.hasChannel(name)) continue;
        this.held.remove(name);
        this.held.makeFifo(name, this.owner);
      }
    } catch (error) {
      throw cannotWrite(error);
    }
  }

  /** Why the agent did not start, as it says itself. */
  reason(): string | null {
    const text = this.held.read('error', this.owner.uid, MAX_REASON_BYTES)?.toString('utf8').split('\n')[0]?.trim();
    return text ? text.slice(0, MAX_REASON) : null;
  }

  /** What was loaded is in memory by now; the channel stays. */
  removeLoaded(): void {
    for (const name of this.held.list()) if (!CHANNEL.has(name)) this.held.remove(name);
  }

  /** The agent removes its folder when it ends. Resolves then, or when the time is up. */
  async waitUntilGone(waitMs: number): Promise<void> {
    const deadline = performance.now() + waitMs;
    while (!this.isGone() && performance.now() < deadline) await delay(POLL_MS);
  }

  /** Never throws: what cannot be removed now is swept by a later attach. */
  remove(): void {
    if (this.isClosed) return;
    removeFolder(this.tmp, this.name, this.held);
    this.close();
  }

  /** When the process was killed: the JVM's own socket is left, too, which it made for us. */
  async removeRemains(): Promise<void> {
    if (this.isClosed) return;
    await removeDeadSocket(this.tmp, this.pid, this.owner.uid);
    this.remove();
  }

  /** Leaves everything as it is. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.held.close();
    this.tmp.close();
  }

  private isGone(): boolean {
    return this.isClosed || this.tmp.lookAt(this.name)?.ino !== this.held.stat().ino;
  }
}

function cannotWrite(error: unknown): AttachError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new AttachError(
    `The files of the agent cannot be put into the /tmp of the Java program (${code}). Make room there, or make it writable.`,
    { retry: true, cause: error },
  );
}

function nameOf({ startTime }: ProcessInfo, { namespacePid }: ProcessDetails): string {
  return `${PREFIX}${namespacePid}-${startTime.replace(/\W/g, '_')}`;
}

function removeFolder(tmp: HeldFolder, name: string, held: HeldFolder): void {
  try {
    for (const file of held.list()) held.remove(file);
    fs.rmdirSync(tmp.at(name));
  } catch {
    // Gone already, by the agent's own hand.
  }
}

/** The socket for attaches that a JVM with this number left when it was killed. A later one's has a listener. */
async function removeDeadSocket(tmp: HeldFolder, pid: number, uid: number): Promise<void> {
  const name = `.java_pid${pid}`;
  try {
    const found = tmp.lookAt(name);
    if (!found?.isSocket() || found.uid !== uid || (await hasListener(tmp.at(name)))) return;
    if (tmp.lookAt(name)?.ino === found.ino) tmp.remove(name);
  } catch {
    // The file system of a container that is gone.
  }
}

/** In the /tmp that we have ourselves: what daemons and their Java programs left that were killed. Never throws. */
export async function sweepOwnTmp(inspect: Pick<ProcessInspector, 'isAlive'>): Promise<void> {
  const user = process.geteuid?.();
  // Only root attaches to programs of others.
  if (user !== undefined) await sweepFolders(openOwnTmp, user === 0 ? null : user, inspect);
}

/** Removes what processes that are gone have left in their /tmp. `uid`: whose; null: of everybody. Never throws. */
export async function sweepFolders(
  open: () => HeldFolder,
  uid: number | null,
  inspect: Pick<ProcessInspector, 'isAlive'>,
): Promise<void> {
  try {
    const tmp = open();
    try {
      let swept = 0;
      for (const name of tmp.list()) {
        const [, pid, startTime = ''] = /^substrate-jvm-(\d+)-(\w+)$/.exec(name) ?? [];
        if (pid === undefined || inspect.isAlive({ pid: Number(pid), startTime })) continue;
        if (await sweep(tmp, name, Number(pid), uid)) swept++;
        if (swept === MAX_SWEPT) return;
      }
    } finally {
      tmp.close();
    }
  } catch {
    // No such folder, or none that may be looked into.
  }
}

/** The number may be that of a process in a container which shares this /tmp: only that nobody listens proves the end. */
async function sweep(tmp: HeldFolder, name: string, pid: number, uid: number | null): Promise<boolean> {
  try {
    const held = tmp.openFolder(name);
    try {
      const stat = held.stat();
      if ((uid !== null && stat.uid !== uid) || Date.now() - stat.mtimeMs < SWEEP_AGE_MS) return false;
      if (held.lookAt(SOCKET)?.isSocket() && (await hasListener(held.at(SOCKET)))) return false;
      if (held.hasReader(FIFO_IN)) return false;
      removeFolder(tmp, name, held);
      await removeDeadSocket(tmp, pid, stat.uid);
      return true;
    } finally {
      held.close();
    }
  } catch {
    // Somebody else was faster, or it is not ours to look into.
    return false;
  }
}
