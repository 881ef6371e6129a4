/**
 * The listening sockets of a process, without a read of the kernel's tables where they cannot have changed. Reading these
 * tables takes milliseconds (the kernel walks a hash of all connections, which is large even where there are none); listing
 * the open sockets of a process takes some microseconds.
 */
import type { ProcessRef } from '../../model/process.ts';
import type { ListeningSocket } from './tcp-table.ts';

/** A socket that was already open may begin to listen: it is found after this time. */
const KEPT_MS = 2000;
/** A program opens a socket and listens a moment later: tables read in between are read again. */
const SETTLED_MS = 5;
const MAX_PROCESSES = 500;

interface Known {
  readonly readAt: number;
  /** The time when these sockets were seen first. */
  readonly since: number;
  readonly open: ReadonlySet<string>;
  readonly listening: readonly ListeningSocket[];
}

export class ListenerMemory {
  private readonly known = new Map<string, Known>();

  /** `open`: the inodes of its sockets. `read`: those of all listening sockets of its network. */
  of(
    { pid, startTime }: ProcessRef,
    open: readonly string[],
    read: () => readonly ListeningSocket[],
  ): ListeningSocket[] {
    const name = `${pid}:${startTime}`;
    const now = performance.now();
    const before = this.known.get(name);
    const isKnown =
      before !== undefined && now - before.readAt < KEPT_MS && open.every((inode) => before.open.has(inode));
    if (isKnown && before.readAt - before.since >= SETTLED_MS)
      return before.listening.filter(({ inode }) => open.includes(inode));
    const isOpen = new Set(open);
    const listening = open.length === 0 ? [] : read().filter(({ inode }) => isOpen.has(inode));
    if (this.known.size >= MAX_PROCESSES) this.known.clear();
    this.known.set(name, { readAt: now, since: isKnown ? before.since : now, open: isOpen, listening });
    return listening;
  }
}
