/** The interface of the fleet to the daemon's own edge; `src/fleet/` implements it. */
import type { Message, MessageAnswer, WatchSink } from './message.ts';
import type { HostsResponse } from './wire.ts';

export interface FleetPort {
  /** Never throws: problems are part of the answer. */
  hosts(): Promise<HostsResponse>;
  /** Throws `host_unreachable`. */
  ask(host: string, message: Message): Promise<MessageAnswer>;
  /**
   * Resolves when the host has agreed; `stop` unsubscribes. An answer that is no stream is a refusal. Throws
   * `host_unreachable`.
   */
  watch(host: string, message: Message, sink: WatchSink): Promise<{ readonly stop: () => void } | MessageAnswer>;
}
