/** Who watches which process. The daemon is asked once per process, however many watch it. */
import type { Service } from '../daemon/service.ts';
import { WatchMessage } from './watch-message.ts';

export interface Listener {
  deliver(message: WatchMessage): void;
  processExited(): void;
}

interface Channel {
  readonly listeners: Set<Listener>;
  stop: () => void;
}

export class WatchHub {
  readonly #service: Service;
  readonly #channels = new Map<number, Channel>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Throws `not_found`. Returns how to leave. */
  join(pid: number, listener: Listener): () => void {
    const channel = this.#channels.get(pid) ?? this.#open(pid);
    channel.listeners.add(listener);
    return () => {
      if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return;
      if (this.#channels.get(pid) !== channel) return;
      this.#channels.delete(pid);
      channel.stop();
    };
  }

  #open(pid: number): Channel {
    const channel: Channel = { listeners: new Set(), stop: () => {} };
    channel.stop = this.#service.watch(pid, {
      onChange: (event) => {
        const message = new WatchMessage(pid, event);
        for (const listener of channel.listeners) listener.deliver(message);
      },
      onExit: () => {
        // The number may be another process's tomorrow.
        if (this.#channels.get(pid) === channel) this.#channels.delete(pid);
        for (const listener of channel.listeners) listener.processExited();
        channel.listeners.clear();
      },
    });
    this.#channels.set(pid, channel);
    return channel;
  }
}
