/** What the daemon's own edge asks of the fleet; `src/fleet/` answers. */
import type { Message, MessageAnswer, WatchSink } from './message.ts';
import type { HostsResponse } from './wire.ts';

export interface FleetPort {
  /** Never throws: what is wrong is a part of the answer. */
  hosts(): Promise<HostsResponse>;
  /** Throws `host_unreachable`. */
  ask(host: string, message: Message): Promise<MessageAnswer>;
  /** Resolves when the host has agreed; `stop` leaves. An answer that is no stream is a refusal. Throws `host_unreachable`. */
  watch(host: string, message: Message, sink: WatchSink): Promise<{ readonly stop: () => void } | MessageAnswer>;
}
