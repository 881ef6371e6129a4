/** Events for a watcher on another host, for as long as that host takes them. */
import type { NatsConnection } from '@nats-io/transport-node';
import type { MessageAnswer, WatchSink } from '../model/message.ts';
import { encodeFrame, type FrameHead } from './envelope.ts';
import { ACKNOWLEDGE_MS, isNobody, roomIn, SIGN_OF_LIFE_MS } from './peer.ts';

/** With more than this under way, an event is left out: its number is missing then, and the watcher reads the state anew. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** With more than this the other side is asked at once what it has. */
const ASK_BYTES = MAX_UNREAD_BYTES / 4;

/** `open` begins to watch. Returns its refusal; null: it watches. */
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
  /** Sent since the other side last said what it has. */
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
    this.timer = setInterval(() => this.askWhetherThere(), SIGN_OF_LIFE_MS);
    this.publish({ t: 'open' });
    const early = this.early ?? [];
    this.early = null;
    for (const work of early) work();
  }

  send(text: string): void {
    this.inOrder(() => {
      const bytes = Buffer.from(text);
      // One as long as that says that nearly everything has changed; the next number tells that it is missing.
      if (this.hasEnded || bytes.length > roomIn(this.connection)) return;
      this.publish({ t: 'event' }, bytes);
      if (this.unread > ASK_BYTES) this.askWhetherThere();
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

  /** What comes before the watcher knows that it watches follows that. */
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
      // The connection is closed for good: who watched hears of it by the silence.
      this.stop();
    }
  }

  /** Messages arrive in their order: who answers this one has had all before it. */
  private askWhetherThere(): void {
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
        // While the server is away nobody can say anything; the other side gives up by itself.
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
