/**
 * The changes of one app, as they come. A lost connection is made again after 1, 2, 4 … 30 s; after that, and when
 * messages were dropped, the state is read once, so that the reader has it complete again.
 */

import { ConnectionError, ForeignListenerError, SubstrateError } from './errors.ts';
import { pause } from './transport.ts';
import type { SubstrateState, WatchMessage } from './types.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const NORMAL_CLOSURE = 1000;
const MAX_WAITING = 1000;

export type WatchEvent =
  /** The whole state: at the beginning, after a lost connection, and when changes were missed. */
  { readonly kind: 'state'; readonly state: SubstrateState } | ({ readonly kind: 'change' } & WatchMessage);

/** The used part of a WebSocket, of any implementation. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: (() => void) | null;
  close(): void;
}
export type OpenSocket = (url: string) => SocketLike;

export interface WatchParts {
  readonly openSocket: OpenSocket;
  readonly url: string;
  /** Null if only changes are sent. */
  readonly readState: (() => Promise<SubstrateState>) | null;
  /** Throws when the app cannot be watched, with the reason. */
  check(): Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/** Ends when the app ends; throws when it is not there, when the key is refused, or when the signal is aborted. */
export async function* watchApp(parts: WatchParts): AsyncGenerator<WatchEvent, void, void> {
  const { signal } = parts;
  let failures = 0;
  for (;;) {
    signal?.throwIfAborted();
    const connection = new Connection(parts.openSocket(parts.url));
    const stop = () => connection.end();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      if (await connection.opened) {
        // Read after the connection is open: later changes come as messages.
        if (parts.readState) yield { kind: 'state', state: await parts.readState() };
        failures = 0;
        let expected: number | null = null;
        for await (const message of connection.messages()) {
          if (message.unmatched !== undefined) {
            // The message is no change, and not numbered as one.
            yield { kind: 'change', ...message };
            continue;
          }
          const isGap = expected !== null && message.sequence !== expected;
          expected = message.sequence + 1;
          yield { kind: 'change', ...message };
          if (isGap && parts.readState) yield { kind: 'state', state: await parts.readState() };
        }
        signal?.throwIfAborted();
        if (connection.closeCode === NORMAL_CLOSURE) return;
      } else {
        signal?.throwIfAborted();
        // A refused upgrade has no reason: a plain read returns it.
        await parts.check();
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (!isPassing(error)) throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
      connection.end();
    }
    await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++), signal);
  }
}

/** The daemon is not there, or not ready: it may be soon. */
function isPassing(error: unknown): boolean {
  if (error instanceof SubstrateError) return error.status === 429 || error.status >= 500;
  return error instanceof ConnectionError && !(error instanceof ForeignListenerError);
}

/** A socket as a promise of its opening and a stream of its messages. */
class Connection {
  readonly opened: Promise<boolean>;
  closeCode: number | null = null;
  private readonly socket: SocketLike;
  private readonly queue: WatchMessage[] = [];
  private isClosed = false;
  private wake: () => void = () => {};

  constructor(socket: SocketLike) {
    this.socket = socket;
    this.opened = new Promise((resolve) => {
      socket.onopen = () => resolve(true);
      socket.onclose = ({ code }) => {
        this.closeCode = code;
        this.isClosed = true;
        this.wake();
        resolve(false);
      };
    });
    // The close event that follows has the reason.
    socket.onerror = () => {};
    socket.onmessage = ({ data }) => {
      try {
        this.queue.push(JSON.parse(String(data)) as WatchMessage);
      } catch {
        // The sender is no substrate daemon, or the message is incomplete: another connection is made.
        socket.close();
      }
      // A slow reader misses some: the gap in the numbers triggers another read of the state.
      if (this.queue.length > MAX_WAITING) this.queue.shift();
      this.wake();
    };
  }

  async *messages(): AsyncGenerator<WatchMessage, void, void> {
    for (;;) {
      const next = this.queue.shift();
      if (next) yield next;
      else if (this.isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }

  end(): void {
    this.isClosed = true;
    this.wake();
    this.socket.close();
  }
}
