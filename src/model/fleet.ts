/** What the daemon's own edge asks of the fleet; `src/fleet/` answers. */
import type { Message, MessageAnswer, WatchSink } from './message.ts';
import type { HostsResponse, PublishedResponse } from './wire.ts';

/** What was published of an app, between two times as of `Date.now()`. */
export interface PublishedQuery {
  readonly host: string;
  /** An app_id, or the beginning of one. */
  readonly app: string;
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
  /** Throws `forbidden_scope` where the caller may not read the app that is meant. */
  allow(appId: string): void;
}

export interface FleetPort {
  /** What this daemon is called. */
  readonly host: string;

  /** Never throws: what is wrong is a part of the answer. */
  hosts(): Promise<HostsResponse>;
  /** Throws `host_unreachable`. */
  ask(host: string, message: Message): Promise<MessageAnswer>;
  /** Resolves when the host has agreed; `stop` leaves. An answer that is no stream is a refusal. Throws `host_unreachable`. */
  watch(host: string, message: Message, sink: WatchSink): Promise<{ readonly stop: () => void } | MessageAnswer>;
  /** Throws `not_found` where nothing is kept of it, `host_unreachable` where the NATS server is away. */
  published(query: PublishedQuery): Promise<PublishedResponse>;
}
