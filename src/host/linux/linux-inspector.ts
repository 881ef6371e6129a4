/**
 * Each answer is read by pid and then confirmed by the start time: a pid and start time that are right after the read
 * were right all through it.
 */

import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import type {
  Listener,
  MainThreadWait,
  PortClient,
  ProcessActivity,
  ProcessDetails,
  ProcessInfo,
  ProcessInspector,
  ProcessNetwork,
  ProcessOrigin,
  ProcessRef,
} from '../../model/process.ts';
import { OWN_NETWORK } from '../own-network.ts';
import { ExeSymbolCache } from './exe-symbol-cache.ts';
import { ListenerMemory } from './listener-memory.ts';
import { readMainThreadWait } from './main-thread-wait.ts';
import { parseMappedFiles } from './mapped-files.ts';
import { readOrigin } from './origin.ts';
import { OtherNetwork, UNSEEN_NETWORK } from './other-network.ts';
import type { ProcFs } from './proc-fs.ts';
import { readLongProcFile, readProcFile, readProcLink } from './proc-read.ts';
import { activityOf } from './process-activity.ts';
import { type ListeningSocket, parseCallingSockets, parseListeningSockets } from './tcp-table.ts';
import { inodesOf, OTHER_TABLES, parseUnixListeners } from './unix-table.ts';

/** The largest browsers and JVMs map about a megabyte of lines. */
const MAX_MAPS_BYTES = 16 * 1024 * 1024;
const MAX_UPTIME_BYTES = 100;
/** The kernel lists listening sockets before all others, so a cut only loses connections. */
const MAX_TCP_TABLE_BYTES = 1024 * 1024;
/** The limit for a table with its connections. */
const MAX_WHOLE_TCP_TABLE_BYTES = 4 * 1024 * 1024;
/** Some hundred bytes per socket; sockets beyond the limit read as not listening. */
const MAX_UNIX_TABLE_BYTES = 4 * 1024 * 1024;
/** An environment may have two megabytes, the mounts of machines with many containers as much. */
const MAX_KERNEL_FILE_BYTES = 4 * 1024 * 1024;
const MAX_THREADS = 4096;
const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;
/** The soft limit. */
const OPEN_FILES = /^Max open files\s+(\d+|unlimited)/m;
const SOCKET_LINK = /^socket:\[(\d+)\]$/;

export class LinuxInspector implements ProcessInspector {
  private readonly proc: ProcFs;
  private readonly symbols = new ExeSymbolCache();
  private readonly listening = new ListenerMemory();
  /** Programs that pass bytes on for this process, which have sockets of their own. */
  private readonly helpers = new Set<number>();

  constructor(proc: ProcFs) {
    this.proc = proc;
  }

  isAlive(ref: ProcessRef): boolean {
    return this.proc.isAlive(ref);
  }

  details(ref: ProcessRef): ProcessDetails | null {
    const status = this.proc.status(ref.pid);
    if (status === null) return null;
    const freeDescriptors = () => this.freeDescriptors(ref);
    const details: ProcessDetails = {
      modules: parseMappedFiles(readLongProcFile(this.path(ref, 'maps'), MAX_MAPS_BYTES)),
      threads: this.threadNames(ref),
      caughtSignals: status.caughtSignals,
      ignoredSignals: status.ignoredSignals,
      namespacePid: status.namespacePid ?? ref.pid,
      effectiveUid: status.effectiveUid,
      effectiveGid: status.effectiveGid,
      stopped: status.stopped,
      residentBytes: status.residentBytes,
      // Only an attach needs it; the rest is read for every process.
      get freeDescriptors() {
        return freeDescriptors();
      },
    };
    return this.isAlive(ref) ? details : null;
  }

  currentExe(ref: ProcessRef): string | null {
    const exe = this.proc.exe(ref.pid);
    return this.isAlive(ref) ? exe : null;
  }

  activity(ref: ProcessRef): ProcessActivity | null {
    const stat = this.proc.stat(ref.pid);
    if (typeof stat === 'string' || stat.hasEnded || stat.startTime !== ref.startTime) return null;
    return activityOf(stat, readLongProcFile(`${this.proc.root}/uptime`, MAX_UPTIME_BYTES));
  }

  listeners(ref: ProcessRef): readonly Listener[] {
    const open = this.socketInodes(ref.pid);
    const sockets = this.listening.of(ref, open, () => this.listeningSockets(ref));
    return this.isAlive(ref) ? sockets.map(({ address, port }) => ({ address, port })) : [];
  }

  unixListeners(ref: ProcessRef): readonly string[] {
    const table = readLongProcFile(this.path(ref, 'net/unix'), MAX_UNIX_TABLE_BYTES);
    const owned = this.owned(ref, parseUnixListeners(table));
    if (owned.length === 0) return [];
    const others = new Set(
      OTHER_TABLES.flatMap((name) => inodesOf(readLongProcFile(this.path(ref, `net/${name}`), MAX_UNIX_TABLE_BYTES))),
    );
    return owned.filter(({ inode }) => !others.has(inode)).map(({ path }) => path);
  }

  private holderOf(inode: string): number | null {
    const pids = namesIn(this.proc.root).filter((name) => /^\d+$/.test(name));
    const pid = pids.find((name) => this.socketInodes(name).includes(inode));
    return pid === undefined ? null : Number(pid);
  }

  private socketInodes(pid: number | string): string[] {
    const folder = `${this.proc.root}/${pid}/fd`;
    return namesIn(folder).flatMap((descriptor) => {
      const link = readProcLink(`${folder}/${descriptor}`);
      return link === null ? [] : (SOCKET_LINK.exec(link)?.[1] ?? []);
    });
  }

  /** The sockets that are open in this process. */
  private owned<Socket extends { readonly inode: string }>(ref: ProcessRef, sockets: readonly Socket[]): Socket[] {
    const byInode = new Map(sockets.map((socket) => [socket.inode, socket]));
    const found: Socket[] = [];
    for (const descriptor of byInode.size === 0 ? [] : this.list(ref, 'fd')) {
      const link = readProcLink(this.path(ref, `fd/${descriptor}`));
      const inode = link === null ? undefined : SOCKET_LINK.exec(link)?.[1];
      const socket = inode === undefined ? undefined : byInode.get(inode);
      if (socket === undefined) continue;
      found.push(socket);
      // One socket may be open under several descriptors.
      byInode.delete(socket.inode);
      if (byInode.size === 0) break;
    }
    return this.isAlive(ref) ? found : [];
  }

  isPortTaken(ref: ProcessRef, port: number): boolean {
    return this.listeningSockets(ref).some((socket) => socket.port === port) && this.isAlive(ref);
  }

  portClients(ref: ProcessRef, port: number): readonly PortClient[] {
    const own = new Set(['self', ...this.helpers].flatMap((pid) => this.socketInodes(pid)));
    const calling = ['net/tcp', 'net/tcp6']
      .flatMap((table) => parseCallingSockets(readLongProcFile(this.path(ref, table), MAX_WHOLE_TCP_TABLE_BYTES)))
      .filter(({ remote, inode }) => remote.port === port && LOOPBACK.test(remote.address) && !own.has(inode));
    return calling.map(({ uid, inode }) => ({ uid, pid: this.holderOf(inode) }));
  }

  network(ref: ProcessRef): ProcessNetwork {
    const id = readProcLink(this.path(ref, 'ns/net'));
    if (id === null) return UNSEEN_NETWORK;
    if (id === readProcLink(`${this.proc.root}/self/ns/net`)) return OWN_NETWORK;
    const files = {
      id,
      network: this.path(ref, 'ns/net'),
      user: this.otherNamespace(ref, 'user') === null ? null : this.path(ref, 'ns/user'),
      isAlive: () => this.isAlive(ref),
    };
    return new OtherNetwork(files, this.helpers);
  }

  origin(ref: ProcessRef): ProcessOrigin | null {
    const origin = readOrigin(this.proc, ref.pid);
    return this.isAlive(ref) ? origin : null;
  }

  exeHasSymbol(info: ProcessInfo, symbol: string): boolean {
    return this.symbols.has(this.path(info, 'exe'), symbol) && this.isAlive(info);
  }

  resolvePath(ref: ProcessRef, path: string): string {
    if (!posix.isAbsolute(path) || !this.hasOtherFileSystem(ref) || !this.isAlive(ref)) return path;
    // Normalised, as `..` would lead out of a chroot.
    return this.path(ref, `root${posix.normalize(path)}`);
  }

  kernelFile(ref: ProcessRef, name: 'environ' | 'mountinfo' | 'uid_map' | 'cmdline'): string | null {
    const text = readLongProcFile(this.path(ref, name), MAX_KERNEL_FILE_BYTES);
    // The file of another user's process is empty, too.
    return text !== '' && this.isAlive(ref) ? text : null;
  }

  mainThreadWait(ref: ProcessRef): MainThreadWait | 'busy' | null {
    const wait = readMainThreadWait(this.proc, ref);
    return this.isAlive(ref) ? wait : null;
  }

  private hasOtherFileSystem(ref: ProcessRef): boolean {
    if (this.otherNamespace(ref, 'mnt') !== null) return true;
    // A process with the same root as this one has `/`, one in a chroot its directory.
    const root = readProcLink(this.path(ref, 'root'));
    return root !== null && root !== '/';
  }

  /** Null if the namespace is that of this process or cannot be read. */
  private otherNamespace(ref: ProcessRef, kind: 'mnt' | 'user'): string | null {
    const theirs = readProcLink(this.path(ref, `ns/${kind}`));
    return theirs === readProcLink(`${this.proc.root}/self/ns/${kind}`) ? null : theirs;
  }

  private threadNames(ref: ProcessRef): string[] {
    const names: string[] = [];
    for (const task of this.list(ref, 'task').slice(0, MAX_THREADS)) {
      const bytes = readProcFile(this.path(ref, `task/${task}/comm`));
      // The kernel ends the name with a newline; one inside belongs to it.
      if (typeof bytes !== 'string') names.push(bytes.toString('utf8').replace(/\n$/, ''));
    }
    return names;
  }

  private freeDescriptors(ref: ProcessRef): number | null {
    const limits = readProcFile(this.path(ref, 'limits'));
    const limit = typeof limits === 'string' ? undefined : OPEN_FILES.exec(limits.toString('latin1'))?.[1];
    const open = this.list(ref, 'fd').length;
    // The files of another user's process seem to be none at all.
    if (limit === undefined || open === 0) return null;
    return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Math.max(0, Number(limit) - open);
  }

  private listeningSockets(ref: ProcessRef): ListeningSocket[] {
    return ['net/tcp', 'net/tcp6'].flatMap((table) =>
      parseListeningSockets(readLongProcFile(this.path(ref, table), MAX_TCP_TABLE_BYTES)),
    );
  }

  private list(ref: ProcessRef, directory: string): string[] {
    return namesIn(this.path(ref, directory));
  }

  private path(ref: ProcessRef, file: string): string {
    return `${this.proc.root}/${ref.pid}/${file}`;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended, or may not be read: nothing is known of it.
    return [];
  }
}
