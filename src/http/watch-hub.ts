/** Who watches which process. The daemon is asked once per process, however many watch it. */
import type { Service } from '../daemon/service.ts';
import { EventFilter } from './event-filter.ts';
import { WatchMessage } from './watch-message.ts';

export interface Listener {
  deliver(message: WatchMessage): void;
  processExited(): void;
}

interface Channel {
  /** By key and globs; null: those who want all keys. What is made of an event is shared by those of one group. */
  readonly groups: Map<string | null, Group>;
  stop: () => void;
}

interface Group {
  readonly listeners: Set<Listener>;
  readonly filter: EventFilter | null;
}

export class WatchHub {
  private readonly service: Service;
  private readonly channels = new Map<number, Channel>();

  constructor(service: Service) {
    this.service = service;
  }

  /** Throws `not_found`. Returns how to leave. `owner`: whose time it takes to match globs. */
  join(pid: number, keys: string | null, owner: string, listener: Listener): () => void {
    const channel = this.channels.get(pid) ?? this.open(pid);
    const name = keys === null ? null : `${owner}\n${keys}`;
    const group = channel.groups.get(name) ?? newGroup(pid, keys, owner);
    channel.groups.set(name, group);
    group.listeners.add(listener);
    return () => {
      if (!group.listeners.delete(listener) || group.listeners.size > 0) return;
      if (channel.groups.get(name) === group) channel.groups.delete(name);
      if (channel.groups.size > 0 || this.channels.get(pid) !== channel) return;
      this.channels.delete(pid);
      channel.stop();
    };
  }

  private open(pid: number): Channel {
    const channel: Channel = { groups: new Map(), stop: () => {} };
    channel.stop = this.service.watch(pid, {
      onChange: (event) => {
        for (const { filter, listeners } of channel.groups.values()) {
          if (filter) filter.take(event);
          else if (event.changedKeys.length > 0 || event.hiddenKeys === undefined)
            deliver(new WatchMessage(pid, event), listeners);
        }
      },
      onExit: () => {
        // The number may be another process's tomorrow.
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
  return { listeners, filter };
}

function deliver(message: WatchMessage, listeners: ReadonlySet<Listener>): void {
  for (const listener of listeners) listener.deliver(message);
}
