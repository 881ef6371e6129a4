/** One watcher: numbers its events, and skips those for which it has no room. */
import type { WebSocket } from 'ws';
import type { KeyRecord } from '../model/key-record.ts';
import type { WatchSink } from '../model/message.ts';
import type { Caller } from './caller.ts';
import type { Listener } from './watch-hub.ts';
import type { WatchMessage } from './watch-message.ts';

// With more than this unread, a notification is dropped: the buffer of a reader is limited to this and one message.
export const MAX_UNREAD_BYTES = 1024 * 1024;

const NORMAL_CLOSURE = 1000;
const POLICY_VIOLATION = 1008;

export class WatchConnection implements Listener {
  /** The key that opened it; null if none was required. */
  readonly record: KeyRecord | null;
  private readonly sink: WatchSink;
  private readonly onDropped: () => void;
  private readonly expiresAt: number;
  private sequence = 0;
  private previousCaptureId: string | null = null;

  constructor(sink: WatchSink, caller: Caller | null, onDropped: () => void) {
    this.sink = sink;
    this.record = caller?.record ?? null;
    this.expiresAt = caller?.expiresAt ?? Number.POSITIVE_INFINITY;
    this.onDropped = onDropped;
  }

  deliver(message: WatchMessage): void {
    if (Date.now() >= this.expiresAt) {
      this.keyRevoked();
      return;
    }
    this.sequence += 1;
    const previous = this.previousCaptureId;
    this.previousCaptureId = message.captureId;
    if (!this.sink.hasRoom()) {
      this.onDropped();
      return;
    }
    this.sink.send(message.text(previous, this.sequence));
  }

  notify(text: string): void {
    if (this.sink.hasRoom()) this.sink.send(text);
  }

  processExited(): void {
    this.sink.end('process_exited');
  }

  keyRevoked(): void {
    this.sink.end('key_revoked');
  }
}

/** A WebSocket as a watcher. */
export class WatchSocket implements WatchSink {
  private readonly webSocket: WebSocket;

  constructor(webSocket: WebSocket) {
    this.webSocket = webSocket;
    // Not left to `ws`, which also answers clients that never read.
    webSocket.on('ping', (data) => {
      if (this.hasRoom()) webSocket.pong(data);
    });
    // A broken frame or a message that is too large; `ws` closes the connection by itself.
    webSocket.on('error', () => {});
  }

  send(text: string): void {
    if (this.webSocket.readyState === this.webSocket.OPEN) this.webSocket.send(text);
  }

  hasRoom(): boolean {
    return this.webSocket.bufferedAmount <= MAX_UNREAD_BYTES;
  }

  end(why: Parameters<WatchSink['end']>[0]): void {
    // Without a close frame, so that the client reconnects.
    if (why === 'lost') this.webSocket.terminate();
    else this.webSocket.close(why === 'process_exited' ? NORMAL_CLOSURE : POLICY_VIOLATION, why);
  }
}
