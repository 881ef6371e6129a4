/** A request and its answer without a socket, for edges other than HTTP that use the route table. */

export interface Message {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or null. */
  readonly body: Uint8Array | null;
  /** How long the caller waits, from now. */
  readonly limitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface MessageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Shared with other readers: never change it. */
  readonly chunks: readonly Uint8Array[];
}

/** The events of a watch, in their order. */
export interface WatchSink {
  /** A line of JSON. */
  send(text: string): void;
  /** If false, messages are skipped; the gap shows in their numbers. */
  hasRoom(): boolean;
  /** The last call. */
  end(why: 'process_exited' | 'key_revoked' | 'lost'): void;
}
