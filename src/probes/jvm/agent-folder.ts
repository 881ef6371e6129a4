/**
 * The private folder of an agent, `/tmp/substrate-jvm-<pid>-<start time>` of the target's own file system: 0700 and owned
 * by the target's user. What is loaded lies there for a moment, the socket or the FIFOs as long as the agent runs.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../model/process.ts';
import { AttachError } from '../probe.ts';
import { type HeldFolder, hasListener, type Owner, openTmp } from './held-folder.ts';

const PREFIX = 'substrate-jvm-';
const POLL_MS = 5;
/** Somebody may be attaching right now in a younger one. */
const SWEEP_AGE_MS = 60_000;
const MAX_SWEPT = 20;
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
      const folder = new AgentFolder(tmp, name, owner);
      if (!found) folder.held.give(owner);
      return folder;
    } catch (error) {
      throw cannotWrite(error);
    }
  }

  private constructor(tmp: HeldFolder, name: string, owner: Owner) {
    this.tmp = tmp;
    this.name = name;
    this.path = `/tmp/${name}`;
    this.owner = owner;
    this.held = tmp.openFolder(name);
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

/** Removes folders of this user whose processes are gone. */
export async function sweepFolders(
  process: ProcessInfo,
  { effectiveUid }: ProcessDetails,
  inspect: ProcessInspector,
): Promise<void> {
  const tmp = openTmp(process, inspect);
  try {
    const names = tmp.list().filter((name) => name.startsWith(PREFIX));
    for (const name of names.slice(0, MAX_SWEPT)) {
      const [, pid, startTime = ''] = /^substrate-jvm-(\d+)-(\w+)$/.exec(name) ?? [];
      const stat = tmp.lookAt(name);
      if (pid === undefined || !stat?.isDirectory() || stat.uid !== effectiveUid) continue;
      if (Date.now() - stat.mtimeMs < SWEEP_AGE_MS || inspect.isAlive({ pid: Number(pid), startTime })) continue;
      await sweep(tmp, name);
    }
  } finally {
    tmp.close();
  }
}

/** The number may be that of a process in a container which shares this /tmp: only that nobody listens proves the end. */
async function sweep(tmp: HeldFolder, name: string): Promise<void> {
  try {
    const held = tmp.openFolder(name);
    try {
      if (!(await hasListener(held.at(SOCKET))) && !held.hasReader(FIFO_IN)) removeFolder(tmp, name, held);
    } finally {
      held.close();
    }
  } catch {
    // Somebody else was faster.
  }
}
