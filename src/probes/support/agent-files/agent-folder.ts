/**
 * The private folder of an agent, `<prefix><pid>-<start time>` in a folder of the target's own file system that all may
 * write to: 0700 and owned by the target's user. Files to load are there for a moment, the channel to the agent as long
 * as it runs.
 */

import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../../model/failure.ts';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import { AttachError, TakenError } from '../../probe.ts';
import { statSeen } from '../in-root.ts';
import { isRoot, makeFor, type Owner } from '../owner.ts';
import { type HeldFolder, hasListener, openOwn } from './held-folder.ts';
import { AgentBusy, type Lock, takeLock } from './lock.ts';

/** While a daemon listens on it, no other changes the folder: two at once would harm the program. */
const CLAIM = 'attach.sock';
/** How often others may remove the folder between its opening and the claim. */
const CLAIM_ATTEMPTS = 5;
const POLL_MS = 5;
/** Another daemon may be attaching right now in a younger one. */
const SWEEP_AGE_MS = 60_000;
const MAX_SWEPT = 200;
const MAX_REASON_BYTES = 4000;
const MAX_REASON = 300;

/** The folders of one runtime's agents. */
export interface FolderKind {
  /** The prefix of their names. */
  readonly prefix: string;
  /** For people: `Java program`. */
  readonly program: string;
  /** Files, sockets and FIFOs that stay while the agent runs; all others are there only to be loaded. */
  readonly channel: ReadonlySet<string>;
  /** Removes other files that a killed process of this pid and user has left. Never throws. */
  removeRemains?(parent: HeldFolder, pid: number, uid: number): Promise<void>;
}

export class AgentFolder {
  /** The path as the target sees it. */
  readonly path: string;
  private readonly kind: FolderKind;
  private readonly name: string;
  private readonly parent: HeldFolder;
  private readonly held: HeldFolder;
  /** The target's user. */
  readonly owner: Owner;
  private readonly pid: number;
  private claim: Lock | null = null;
  /** The files that were put there last. */
  private loaded: ReadonlyMap<string, Buffer> = new Map();
  /** True if this daemon has put files there. */
  hasPut = false;
  private isClosed = false;

  /** Whether a file of its name exists. */
  static isThere(kind: FolderKind, process: ProcessInfo, details: ProcessDetails, parent: HeldFolder): boolean {
    return parent.lookAt(nameOf(kind, process, details)) !== null;
  }

  /** Whether a socket or FIFO of the target's user has this name in it. Changes nothing. */
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

  /** Throws `AttachError` when something else has its name. */
  static checkPlace(kind: FolderKind, process: ProcessInfo, details: ProcessDetails, parent: HeldFolder): void {
    const name = nameOf(kind, process, details);
    const found = parent.lookAt(name);
    if (found && !(found.isDirectory() && (found.uid === details.effectiveUid || isBeingMade(parent, name, found)))) {
      throw new AttachError(
        `A file or folder ${parent.path}/${name} of another user is in the way of the agent for the ${kind.program}.`,
        { retry: true, remedy: 'Remove it.' },
      );
    }
  }

  /** Opens the existing folder, or makes a new one, which owns `parent` from then on. */
  static open(kind: FolderKind, process: ProcessInfo, details: ProcessDetails, parent: HeldFolder): AgentFolder {
    AgentFolder.checkPlace(kind, process, details, parent);
    const name = nameOf(kind, process, details);
    const owner = { uid: details.effectiveUid, gid: details.effectiveGid };
    try {
      if (parent.lookAt(name) === null) makeFolder(parent.at(name), owner);
      const held = parent.openFolder(name);
      try {
        if (held.stat().uid !== owner.uid) held.give(owner);
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

  /**
   * Opens a folder and keeps others out until `letGo`, `close` or `remove`. Throws `AttachError`, also when another
   * daemon is attaching there.
   */
  static async claim(open: () => AgentFolder): Promise<AgentFolder> {
    for (let attempt = 1; ; attempt++) {
      const folder = open();
      try {
        await folder.take();
        return folder;
      } catch (error) {
        // The previous holder removed it. The error code does not show that: libuv reports EACCES.
        const wasRemoved = isMissing(error) || folder.isRemoved();
        folder.close();
        if (error instanceof AgentBusy) throw folder.taken();
        if (!wasRemoved || attempt === CLAIM_ATTEMPTS) throw cannotWrite(folder.kind, folder.parent, error);
      }
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

  /** A path that leads into this very folder. */
  at(name: string): string {
    return this.held.at(name);
  }

  /** Whether a socket or FIFO of the target's user has this name. */
  hasChannel(name: string): boolean {
    const stat = this.held.lookAt(name);
    return stat !== null && stat.uid === this.owner.uid && (stat.isSocket() || stat.isFIFO());
  }

  openFifo(name: string, way: 'read' | 'write'): number | null {
    return this.held.openFifo(name, way, this.owner.uid);
  }

  hasReader(name: string): boolean {
    return this.held.hasReader(name, this.owner.uid);
  }

  /** Puts the files to load there, and the FIFOs of the channel, if it has some. */
  put(files: ReadonlyMap<string, Buffer>, fifos: readonly string[]): void {
    this.hasPut = true;
    this.loaded = files;
    try {
      // The runtime may be about to load the files of an earlier attach: they must never be missing.
      this.removeLoaded(new Set(files.keys()));
      for (const [name, content] of files) if (!this.has(name, content)) this.held.replace(name, content, this.owner);
      for (const name of fifos) {
        if (this.hasChannel(name)) continue;
        this.held.remove(name);
        this.held.makeFifo(name, this.owner);
      }
    } catch (error) {
      throw cannotWrite(this.kind, this.parent, error);
    }
  }

  /** Whether the program finds this file by the path that it gets, with the content that was put there. */
  isSeenBy(process: ProcessInfo, name: string, inspect: ProcessInspector): boolean {
    const content = this.loaded.get(name);
    if (content === undefined || !this.has(name, content)) return false;
    const own = this.held.lookAt(name);
    const seen = statSeen(inspect.resolvePath(process, `${this.path}/${name}`), { followsLink: false });
    return own !== null && seen?.isFile() === true && seen.ino === own.ino && seen.dev === own.dev;
  }

  /** The agent's own report of why it did not start. */
  reason(): string | null {
    const text = this.held.read('error', this.owner.uid, MAX_REASON_BYTES)?.toString('utf8').split('\n')[0]?.trim();
    return text ? text.slice(0, MAX_REASON) : null;
  }

  /** The loaded files are in memory by now; the channel stays. */
  removeLoaded(kept: ReadonlySet<string> = new Set()): void {
    for (const name of this.held.list()) {
      if (!this.kind.channel.has(name) && name !== CLAIM && !kept.has(name)) this.held.remove(name);
    }
  }

  /** The agent removes its files when it ends. Resolves then, or when the time is up. */
  async waitUntilLeft(waitMs: number): Promise<void> {
    const deadline = performance.now() + waitMs;
    while (!this.isLeft() && performance.now() < deadline) await delay(POLL_MS);
  }

  /** The next daemon can have it. */
  letGo(): void {
    this.claim?.release();
    this.claim = null;
  }

  /** For a claimed folder, or one of a process that is gone. Never throws: a later attach sweeps the rest. */
  remove(): void {
    if (this.isClosed) return;
    removeFolder(this.parent, this.name, this.held);
    this.close();
  }

  /** Removes it unless another daemon, or an agent, uses it. Never throws. */
  async removeUnlessUsed(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.take();
      if (!(await isInUse(this.held, this.kind))) this.remove();
    } catch {
      // The folder is gone, or belongs to another.
    }
    this.close();
  }

  /** The error of an attach that finds another daemon in its place. */
  taken(): TakenError {
    return new TakenError(`Another substrate is attached to the ${this.kind.program}.`, {
      retry: true,
      remedy: 'End that one first.',
    });
  }

  /** Called when the process was killed: its runtime may have left more than the folder. */
  async removeRemains(): Promise<void> {
    if (this.isClosed) return;
    await this.kind.removeRemains?.(this.parent, this.pid, this.owner.uid);
    this.remove();
  }

  /**
   * Leaves everything as it is, except an empty folder: one just made, or one that an agent could not remove while it
   * was claimed.
   */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.letGo();
    removeEmpty(this.parent, this.name);
    this.held.close();
    this.parent.close();
  }

  private has(name: string, content: Buffer): boolean {
    return this.held.read(name, this.owner.uid, content.length)?.equals(content) === true;
  }

  private async take(): Promise<void> {
    this.claim = await takeLock(this.at(CLAIM), this.owner);
  }

  private isRemoved(): boolean {
    return this.parent.lookAt(this.name)?.ino !== this.held.stat().ino;
  }

  private isLeft(): boolean {
    return this.isClosed || [...this.kind.channel].every((name) => this.held.lookAt(name) === null);
  }
}

/** Another daemon of root may have made it first. */
function makeFolder(path: string, owner: Owner): void {
  try {
    makeFor(owner, () => fs.mkdirSync(path, { mode: 0o700 }));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/** Root makes the folder, and then changes its owner. */
function isBeingMade(parent: HeldFolder, name: string, found: fs.Stats): boolean {
  if (!isRoot() || found.uid !== 0) return false;
  const held = parent.openFolder(name);
  try {
    return held.list().length === 0;
  } finally {
    held.close();
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function nameOf({ prefix }: FolderKind, { startTime }: ProcessInfo, { namespacePid }: ProcessDetails): string {
  return `${prefix}${namespacePid}-${startTime.replace(/\W/g, '_')}`;
}

function cannotWrite({ program }: FolderKind, { path }: HeldFolder, error: unknown): AttachError {
  const code = codeOf(error) ?? String(error);
  return new AttachError(`The files of the agent cannot be put into the ${path} of the ${program} (${code}).`, {
    retry: true,
    remedy: 'Make room there, or make it writable.',
    cause: error,
  });
}

function removeFolder(parent: HeldFolder, name: string, held: HeldFolder): void {
  try {
    // The claim comes last: from then on another daemon may put files there.
    for (const file of held.list()) if (file !== CLAIM) held.remove(file);
    held.remove(CLAIM);
  } catch {
    // The agent has removed it already.
  }
  removeEmpty(parent, name);
}

function removeEmpty(parent: HeldFolder, name: string): void {
  try {
    fs.rmdirSync(parent.at(name));
  } catch {
    // The folder is gone, or not empty: it stays.
  }
}

/** Sweeps a folder of this machine: removes the remains of killed daemons and programs. Never throws. */
export async function sweepOwnFolders(
  kind: FolderKind,
  parent: string,
  inspect: Pick<ProcessInspector, 'isAlive'>,
): Promise<void> {
  const user = process.geteuid?.();
  // Only root attaches to programs of other users.
  if (user !== undefined) await sweepFolders(kind, () => openOwn(parent), user === 0 ? null : user, inspect);
}

/** Removes the remains of processes that are gone. `uid`: their user; null for all users. Never throws. */
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
    // There is no such folder, or it cannot be opened.
  }
}

/** The pid may belong to a process in a container which shares the folder: only a missing listener proves the end. */
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
      if (await isInUse(held, kind, [CLAIM])) return false;
      removeFolder(parent, name, held);
      await kind.removeRemains?.(parent, pid, stat.uid);
      return true;
    } finally {
      held.close();
    }
  } catch {
    // Another process was faster, or this user may not open it.
    return false;
  }
}

async function isInUse(folder: HeldFolder, { channel }: FolderKind, others: readonly string[] = []): Promise<boolean> {
  const owner = folder.stat();
  for (const name of [...channel, ...others]) {
    const found = folder.lookAt(name);
    if (found?.isSocket() && (await hasListener(folder.at(name), owner))) return true;
    if (found?.isFIFO() && folder.hasReader(name, found.uid)) return true;
  }
  return false;
}
