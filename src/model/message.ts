/** A request and its answer without a socket: how an edge other than HTTP asks the route table. */

export interface Message {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON text; null: there is none. */
  readonly body: Uint8Array | null;
  /** How long whoever asks waits, from now. */
  readonly limitMs: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface MessageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Never to be changed: others may read the same. */
  readonly chunks: readonly Uint8Array[];
}

/** What may come of watching, in its order. */
export interface WatchSink {
  /** A line of JSON. */
  send(text: string): void;
  /** False: what comes now is left out, and its number is missing afterwards. */
  hasRoom(): boolean;
  /** Nothing follows. */
  end(why: 'process_exited' | 'key_revoked' | 'lost'): void;
}
