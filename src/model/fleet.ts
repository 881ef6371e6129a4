/** The interface of the fleet to the daemon's HTTP layer; `src/fleet/` implements it. */

import type { HostsResponse, PublishedResponse } from './fleet-wire.ts';
import type { Message, MessageAnswer, WatchSink } from './message.ts';

/** Another program may answer on the same NATS subjects. */
export const NO_DAEMON = 'The answer did not come from a substrate daemon.';

/** A question for the published keys of an app between two times, as of `Date.now()`. */
export interface PublishedQuery {
  readonly host: string;
  /** An app_id, or the beginning of one. */
  readonly app: string;
  readonly keys: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
  /** Throws `forbidden_scope` if the caller may not read this app. */
  allow(appId: string): void;
}

export interface FleetPort {
  /** The name of this daemon. */
  readonly host: string;

  /** Never throws: problems are part of the answer. */
  hosts(): Promise<HostsResponse>;
  /** Throws `host_unreachable`. */
  ask(host: string, message: Message): Promise<MessageAnswer>;
  /**
   * Resolves when the host has agreed; `stop` unsubscribes. An answer that is no stream is a refusal. Throws
   * `host_unreachable`.
   */
  watch(host: string, message: Message, sink: WatchSink): Promise<{ readonly stop: () => void } | MessageAnswer>;
  /** Throws `not_found` if the history has nothing of the app, `host_unreachable` if the NATS server is away. */
  published(query: PublishedQuery): Promise<PublishedResponse>;
}
