/** The watchers of each process. There is one subscription to the daemon per process, however many watch it. */
import type { Service } from '../daemon/service.ts';
import { EventFilter } from './event-filter.ts';
import { unmatchedText, WatchMessage } from './watch-message.ts';

export interface Listener {
  deliver(message: WatchMessage): void;
  /** A message besides the changes, without a number. */
  notify(text: string): void;
  processExited(): void;
}

interface Channel {
  /** By key and globs; null for watchers of all keys. A group shares the processed events. */
  readonly groups: Map<string | null, Group>;
  stop: () => void;
}

interface Group {
  readonly listeners: Set<Listener>;
  readonly filter: EventFilter | null;
  /** For watchers that came before there was a state: each reports the globs that match nothing. */
  readonly pending: Set<() => void>;
}

interface GlobWatch {
  readonly pid: number;
  readonly keys: string;
  /** The owner of the work of matching globs. */
  readonly owner: string;
}

export class WatchHub {
  private readonly service: Service;
  private readonly channels = new Map<number, Channel>();

  constructor(service: Service) {
    this.service = service;
  }

  /** Throws `not_found`. Returns a function that leaves. `owner` pays for matching globs. */
  join(pid: number, keys: string | null, owner: string, listener: Listener): () => void {
    const channel = this.channels.get(pid) ?? this.open(pid);
    const name = keys === null ? null : `${owner}\n${keys}`;
    const group = channel.groups.get(name) ?? newGroup(pid, keys, owner);
    channel.groups.set(name, group);
    group.listeners.add(listener);
    if (keys !== null) void this.notifyUnmatched({ pid, keys, owner }, group, listener);
    return () => {
      if (!group.listeners.delete(listener) || group.listeners.size > 0) return;
      if (channel.groups.get(name) === group) channel.groups.delete(name);
      if (channel.groups.size > 0 || this.channels.get(pid) !== channel) return;
      this.channels.delete(pid);
      channel.stop();
    };
  }

  /** Somebody who waits for keys that do not exist would wait for ever. */
  private async notifyUnmatched(watch: GlobWatch, group: Group, listener: Listener): Promise<void> {
    // The app has lost its state meanwhile: this is repeated when there is one.
    const found = await this.service.unmatched(watch.pid, watch.keys, watch.owner).catch(() => null);
    if (!group.listeners.has(listener)) return;
    // Repeated when there is a state.
    if (found === null) group.pending.add(() => void this.notifyUnmatched(watch, group, listener));
    else if (found.globs.length > 0) listener.notify(unmatchedText(watch.pid, found));
  }

  private open(pid: number): Channel {
    const channel: Channel = { groups: new Map(), stop: () => {} };
    channel.stop = this.service.watch(pid, {
      onChange: (event) => {
        for (const { filter, listeners, pending } of channel.groups.values()) {
          const waiting = [...pending];
          pending.clear();
          for (const say of waiting) say();
          if (filter) filter.take(event);
          else if (event.changedKeys.length > 0 || event.hiddenKeys === undefined)
            deliver(new WatchMessage(pid, event), listeners);
        }
      },
      onExit: () => {
        // The pid may belong to another process later.
        if (this.channels.get(pid) === channel) this.channels.delete(pid);
        for (const { listeners } of channel.groups.values()) {
          for (const listener of listeners) listener.processExited();
          listeners.clear();
        }
      },
    });
    this.channels.set(pid, channel);
    return channel;
  }
}

function newGroup(pid: number, keys: string | null, owner: string): Group {
  const listeners = new Set<Listener>();
  const filter =
    keys === null ? null : new EventFilter(keys, owner, (event) => deliver(new WatchMessage(pid, event), listeners));
  return { listeners, filter, pending: new Set() };
}

function deliver(message: WatchMessage, listeners: ReadonlySet<Listener>): void {
  for (const listener of listeners) listener.deliver(message);
}
