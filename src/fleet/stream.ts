/** Sends events to a watcher on another host for as long as that host acknowledges them. */
import type { NatsConnection } from '@nats-io/transport-node';
import type { MessageAnswer, WatchSink } from '../model/message.ts';
import { encodeFrame, type FrameHead } from './envelope.ts';
import { ACKNOWLEDGE_MS, isNobody, roomIn, SIGN_OF_LIFE_MS } from './peer.ts';

/** With more than this in flight an event is dropped; the watcher sees the missing number and reads the state again. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** With more than this in flight the other side is asked at once to acknowledge. */
const ASK_BYTES = MAX_UNREAD_BYTES / 4;

/** Starts the watch with `open`. Returns the answer that refuses it, or null. */
export function stream(
  connection: NatsConnection,
  reply: string,
  open: (sink: WatchSink) => (() => void) | MessageAnswer,
): MessageAnswer | null {
  const remote = new RemoteWatcher(connection, reply);
  const opened = open(remote);
  if (typeof opened !== 'function') return opened;
  remote.begin(opened);
  return null;
}

class RemoteWatcher implements WatchSink {
  private readonly connection: NatsConnection;
  private readonly reply: string;
  /** Bytes that the other side has not acknowledged. */
  private unread = 0;
  private isAsking = false;
  private hasEnded = false;
  private early: (() => void)[] | null = [];
  private timer: NodeJS.Timeout | null = null;
  private leave: () => void = () => {};

  constructor(connection: NatsConnection, reply: string) {
    this.connection = connection;
    this.reply = reply;
  }

  begin(leave: () => void): void {
    this.leave = leave;
    this.timer = setInterval(() => this.askForAcknowledgement(), SIGN_OF_LIFE_MS);
    this.publish({ t: 'open' });
    const early = this.early ?? [];
    this.early = null;
    for (const work of early) work();
  }

  send(text: string): void {
    this.inOrder(() => {
      const bytes = Buffer.from(text);
      // An event too long for a message is dropped; the watcher notices the missing number.
      if (this.hasEnded || bytes.length > roomIn(this.connection)) return;
      this.publish({ t: 'event' }, bytes);
      if (this.unread > ASK_BYTES) this.askForAcknowledgement();
    });
  }

  hasRoom(): boolean {
    return !this.hasEnded && this.unread <= MAX_UNREAD_BYTES;
  }

  end(why: Parameters<WatchSink['end']>[0]): void {
    this.inOrder(() => {
      if (!this.hasEnded) this.publish({ t: 'end', why });
      this.stop();
    });
  }

  /** Events that come before the `open` frame wait until it is sent. */
  private inOrder(work: () => void): void {
    if (this.early === null) work();
    else this.early.push(work);
  }

  private publish(head: FrameHead, bytes: Uint8Array | null = null): void {
    const frame = encodeFrame(head, bytes);
    this.unread += frame.length;
    try {
      this.connection.publish(this.reply, frame);
    } catch {
      // The connection is closed for good; the watcher notices the silence.
      this.stop();
    }
  }

  /** Messages arrive in order, so the answer to this one acknowledges all before it. */
  private askForAcknowledgement(): void {
    if (this.isAsking || this.hasEnded) return;
    this.isAsking = true;
    const before = this.unread;
    this.connection.request(this.reply, encodeFrame({ t: 'wait' }), { timeout: ACKNOWLEDGE_MS }).then(
      () => {
        this.isAsking = false;
        this.unread -= before;
      },
      (error: unknown) => {
        this.isAsking = false;
        // A timeout may mean that the server is away; the other side gives up by itself.
        if (isNobody(error) || this.connection.isClosed()) this.stop();
      },
    );
  }

  private stop(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    if (this.timer !== null) clearInterval(this.timer);
    this.leave();
  }
}
