/**
 * The private folder of an agent, `<prefix><pid>-<start time>` in a folder of the target's own file system that all may
 * write to: 0700 and owned by the target's user. What is loaded lies there for a moment, the way to the agent as long as
 * it runs.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../model/process.ts';
import { AttachError } from '../probe.ts';
import { type HeldFolder, hasListener, type Owner, openOwn } from './held-folder.ts';

const POLL_MS = 5;
/** Somebody may be attaching right now in a younger one. */
const SWEEP_AGE_MS = 60_000;
const MAX_SWEPT = 200;
const MAX_REASON_BYTES = 4000;
const MAX_REASON = 300;

/** The folders of one runtime's agents. */
export interface FolderKind {
  /** How their names begin. */
  readonly prefix: string;
  /** For people: `Java program`. */
  readonly program: string;
  /** Files, sockets and FIFOs that stay while the agent runs; all others are there only to be loaded. */
  readonly channel: ReadonlySet<string>;
  /** Removes what else a process of this number and user has left behind when it was killed. Never throws. */
  removeRemains?(parent: HeldFolder, pid: number, uid: number): Promise<void>;
}

export class AgentFolder {
  /** As the target sees it. */
  readonly path: string;
  private readonly kind: FolderKind;
  private readonly name: string;
  private readonly parent: HeldFolder;
  private readonly held: HeldFolder;
  private readonly owner: Owner;
  private readonly pid: number;
  /** Something was put there by us. */
  hasPut = false;
  private isClosed = false;

  /** Whether there is something by its name. */
  static isThere(kind: FolderKind, process: ProcessInfo, details: ProcessDetails, parent: HeldFolder): boolean {
    return parent.lookAt(nameOf(kind, process, details)) !== null;
  }

  /** Whether a socket or FIFO of the target's user is there in it under this name. Changes nothing. */
  static has(
    kind: FolderKind,
    process: ProcessInfo,
    details: ProcessDetails,
    parent: HeldFolder,
    channel: string,
  ): boolean {
    const found = parent.lookAt(`${nameOf(kind, process, details)}/${channel}`);
    return found !== null && found.uid === details.effectiveUid && (found.isSocket() || found.isFIFO());
  }

  /** Throws `AttachError` when its name is taken by something else. */
  static checkPlace(kind: FolderKind, process: ProcessInfo, details: ProcessDetails, parent: HeldFolder): void {
    const name = nameOf(kind, process, details);
    const found = parent.lookAt(name);
    if (found && (!found.isDirectory() || found.uid !== details.effectiveUid)) {
      throw new AttachError(
        `A file or folder ${parent.path}/${name} of another user is in the way of the agent for the ${kind.program}.`,
        { retry: true, remedy: 'Remove it.' },
      );
    }
  }

  /** The one that is there, or a new one. `parent` becomes its own. */
  static open(kind: FolderKind, process: ProcessInfo, details: ProcessDetails, parent: HeldFolder): AgentFolder {
    AgentFolder.checkPlace(kind, process, details, parent);
    const name = nameOf(kind, process, details);
    const owner = { uid: details.effectiveUid, gid: details.effectiveGid };
    const found = parent.lookAt(name);
    try {
      if (!found) fs.mkdirSync(parent.at(name), { mode: 0o700 });
      const held = parent.openFolder(name);
      try {
        if (!found) held.give(owner);
        if (held.stat().uid !== owner.uid) throw new Error('another folder took its place');
        return new AgentFolder(kind, parent, name, held, details);
      } catch (error) {
        held.close();
        throw error;
      }
    } catch (error) {
      throw cannotWrite(kind, parent, error);
    }
  }

  private constructor(kind: FolderKind, parent: HeldFolder, name: string, held: HeldFolder, details: ProcessDetails) {
    this.kind = kind;
    this.parent = parent;
    this.name = name;
    this.path = held.path;
    this.owner = { uid: details.effectiveUid, gid: details.effectiveGid };
    this.pid = details.namespacePid;
    this.held = held;
  }

  /** The target's user. */
  get uid(): number {
    return this.owner.uid;
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

  /** What is to be loaded, and the FIFOs of the way to the agent, if it has some. */
  put(files: ReadonlyMap<string, Buffer>, fifos: readonly string[]): void {
    this.hasPut = true;
    try {
      // The runtime may be about to load what an earlier attach has put there: it never sees it gone.
      const kept = new Set([...files].flatMap(([name, content]) => (this.has(name, content) ? [name] : [])));
      this.removeLoaded(kept);
      for (const [name, content] of files) if (!kept.has(name)) this.held.create(name, content, this.owner);
      for (const name of fifos) {
        if (this.hasChannel(name)) continue;
        this.held.remove(name);
        this.held.makeFifo(name, this.owner);
      }
    } catch (error) {
      throw cannotWrite(this.kind, this.parent, error);
    }
  }

  /** Why the agent did not start, as it says itself. */
  reason(): string | null {
    const text = this.held.read('error', this.owner.uid, MAX_REASON_BYTES)?.toString('utf8').split('\n')[0]?.trim();
    return text ? text.slice(0, MAX_REASON) : null;
  }

  /** What was loaded is in memory by now; the channel stays. */
  removeLoaded(kept: ReadonlySet<string> = new Set()): void {
    for (const name of this.held.list()) if (!this.kind.channel.has(name) && !kept.has(name)) this.held.remove(name);
  }

  /** The agent removes its folder when it ends. Resolves then, or when the time is up. */
  async waitUntilGone(waitMs: number): Promise<void> {
    const deadline = performance.now() + waitMs;
    while (!this.isGone() && performance.now() < deadline) await delay(POLL_MS);
  }

  /** Never throws: what cannot be removed now is swept by a later attach. */
  remove(): void {
    if (this.isClosed) return;
    removeFolder(this.parent, this.name, this.held);
    this.close();
  }

  /** When the process was killed: its runtime may have left more than the folder. */
  async removeRemains(): Promise<void> {
    if (this.isClosed) return;
    await this.kind.removeRemains?.(this.parent, this.pid, this.owner.uid);
    this.remove();
  }

  /** Leaves everything as it is. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.held.close();
    this.parent.close();
  }

  private has(name: string, content: Buffer): boolean {
    return this.held.read(name, this.owner.uid, content.length)?.equals(content) === true;
  }

  private isGone(): boolean {
    return this.isClosed || this.parent.lookAt(this.name)?.ino !== this.held.stat().ino;
  }
}

function nameOf({ prefix }: FolderKind, { startTime }: ProcessInfo, { namespacePid }: ProcessDetails): string {
  return `${prefix}${namespacePid}-${startTime.replace(/\W/g, '_')}`;
}

function cannotWrite({ program }: FolderKind, { path }: HeldFolder, error: unknown): AttachError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new AttachError(`The files of the agent cannot be put into the ${path} of the ${program} (${code}).`, {
    retry: true,
    remedy: 'Make room there, or make it writable.',
    cause: error,
  });
}

function removeFolder(parent: HeldFolder, name: string, held: HeldFolder): void {
  try {
    for (const file of held.list()) held.remove(file);
    fs.rmdirSync(parent.at(name));
  } catch {
    // Gone already, by the agent's own hand.
  }
}

/** In a folder that we have ourselves: what daemons and their programs left that were killed. Never throws. */
export async function sweepOwnFolders(
  kind: FolderKind,
  parent: string,
  inspect: Pick<ProcessInspector, 'isAlive'>,
): Promise<void> {
  const user = process.geteuid?.();
  // Only root attaches to programs of others.
  if (user !== undefined) await sweepFolders(kind, () => openOwn(parent), user === 0 ? null : user, inspect);
}

/** Removes what processes that are gone have left. `uid`: whose; null: of everybody. Never throws. */
export async function sweepFolders(
  kind: FolderKind,
  open: () => HeldFolder,
  uid: number | null,
  inspect: Pick<ProcessInspector, 'isAlive'>,
): Promise<void> {
  try {
    const parent = open();
    try {
      let swept = 0;
      for (const name of parent.list()) {
        if (!name.startsWith(kind.prefix)) continue;
        const [, pid, startTime = ''] = /^(\d+)-(\w+)$/.exec(name.slice(kind.prefix.length)) ?? [];
        if (pid === undefined || inspect.isAlive({ pid: Number(pid), startTime })) continue;
        if (await sweep(kind, parent, name, Number(pid), uid)) swept++;
        if (swept === MAX_SWEPT) return;
      }
    } finally {
      parent.close();
    }
  } catch {
    // No such folder, or none that may be looked into.
  }
}

/** The number may be that of a process in a container which shares the folder: only that nobody listens proves the end. */
async function sweep(
  kind: FolderKind,
  parent: HeldFolder,
  name: string,
  pid: number,
  uid: number | null,
): Promise<boolean> {
  try {
    const held = parent.openFolder(name);
    try {
      const stat = held.stat();
      if ((uid !== null && stat.uid !== uid) || Date.now() - stat.mtimeMs < SWEEP_AGE_MS) return false;
      for (const file of kind.channel) if (await isInUse(held, file)) return false;
      removeFolder(parent, name, held);
      await kind.removeRemains?.(parent, pid, stat.uid);
      return true;
    } finally {
      held.close();
    }
  } catch {
    // Somebody else was faster, or it is not ours to look into.
    return false;
  }
}

async function isInUse(folder: HeldFolder, name: string): Promise<boolean> {
  const found = folder.lookAt(name);
  if (found?.isSocket()) return hasListener(folder.at(name));
  return found?.isFIFO() === true && folder.hasReader(name);
}
