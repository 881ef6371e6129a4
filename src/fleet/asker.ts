/** Asks another daemon: sends one message, receives the answer in parts, and gives up soon on a daemon that is gone. */
import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { SubstrateError } from '../model/errors.ts';
import { messageOf } from '../model/failure.ts';
import { NO_DAEMON } from '../model/fleet.ts';
import type { Message, MessageAnswer, WatchSink } from '../model/message.ts';
import { decodeFrame, encodeRequest, type Frame } from './envelope.ts';
import { roomIn } from './peer.ts';
import { endpointOf, subjectOfHost } from './subjects.ts';

/** A host that works on a request sends a sign of life several times in this span. */
const SILENCE_MS = 2000;
/** No state is as large as this. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;

/** Receives the frames of one answer. `take` returns true after the last one. */
export interface Conversation {
  take(frame: Frame): boolean;
  /** Called at most once, if the conversation ends before the last frame. */
  fail(error: Error): void;
}

/** Returns a function that ends the conversation. Throws `not_found` or `body_too_large`. */
export function converse(
  connection: NatsConnection,
  host: string,
  message: Message,
  conversation: Conversation,
): () => void {
  const endpoint = endpointOf(message.method, message.target);
  if (endpoint === null) throw new SubstrateError('not_found', 'This is not asked of other hosts.');
  const payload = encodeRequest(message);
  const room = roomIn(connection);
  if (payload.length > room)
    throw new SubstrateError('body_too_large', `body: expected at most ${room} bytes for another host`);
  const inbox = createInbox();
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(silence);
    message.signal.removeEventListener('abort', leave);
    subscription.unsubscribe();
  };
  const fail = (error: Error) => {
    if (isOver) return;
    end();
    conversation.fail(error);
  };
  const leave = () => fail(new Error('nobody waits for it'));
  const onSilence = () => fail(unreachable(host, `It has been silent for ${SILENCE_MS / 1000} s. ${UNKNOWN_EFFECT}`));
  const silence = setTimeout(onSilence, SILENCE_MS);
  const onMessage = (error: Error | null, msg: Msg) => {
    if (isOver) return;
    if (error !== null) return fail(unreachable(host, `The NATS server refuses to ask it: ${error.message}.`));
    if (isNobodyThere(msg)) return fail(unreachable(host, 'No daemon of this name is in the fleet.'));
    const frame = decodeFrame(msg.data);
    if (frame === null) return fail(unreachable(host, NO_DAEMON));
    if (msg.reply) msg.respond();
    silence.refresh();
    if (frame.head.t !== 'wait' && conversation.take(frame)) end();
  };
  const subscription = connection.subscribe(inbox, { callback: onMessage });
  message.signal.addEventListener('abort', leave, { once: true });
  try {
    message.signal.throwIfAborted();
    connection.publish(`${subjectOfHost(host)}.${endpoint}`, payload, { reply: inbox });
  } catch (error) {
    fail(unreachable(host, `${messageOf(error)}.`));
  }
  return end;
}

export function askHost(connection: NatsConnection, host: string, message: Message): Promise<MessageAnswer> {
  return new Promise((resolve, reject) => {
    const parts = new Parts();
    converse(connection, host, message, {
      take(frame) {
        const answer = parts.add(frame);
        if (answer === 'wrong') {
          reject(unreachable(host, `A part of its answer was lost on the way. ${UNKNOWN_EFFECT}`));
          return true;
        }
        if (answer === null) return false;
        resolve(answer);
        return true;
      },
      fail: reject,
    });
  });
}

/** Resolves when the watch has begun, or to the answer that refuses it. */
export function watchHost(
  connection: NatsConnection,
  host: string,
  message: Message,
  sink: WatchSink,
): Promise<{ readonly stop: () => void } | MessageAnswer> {
  return new Promise((resolve, reject) => {
    const parts = new Parts();
    let isOpen = false;
    const take = (frame: Frame): boolean => {
      const { head, bytes } = frame;
      if (head.t === 'event' && isOpen) {
        if (sink.hasRoom()) sink.send(Buffer.from(bytes).toString());
        return false;
      }
      if (head.t === 'end' && isOpen) {
        sink.end(head.why);
        return true;
      }
      if (head.t === 'open' && !isOpen) {
        isOpen = true;
        resolve({ stop: () => end() });
        return false;
      }
      const answer = isOpen ? 'wrong' : parts.add(frame);
      if (answer === null) return false;
      if (answer !== 'wrong') resolve(answer);
      else if (isOpen) sink.end('lost');
      else reject(unreachable(host, NO_DAEMON));
      return true;
    };
    const end = converse(connection, host, message, {
      take,
      fail: (error) => (isOpen ? sink.end('lost') : reject(error)),
    });
  });
}

/** Joins the parts of an answer. */
export class Parts {
  private first: { status: number; headers: Record<string, string>; bytes: number } | null = null;
  private readonly chunks: Uint8Array[] = [];
  private has = 0;

  /** Null while parts are missing. */
  add({ head, bytes }: Frame): MessageAnswer | 'wrong' | null {
    if (head.t === 'head' && this.first === null && head.bytes <= MAX_ANSWER_BYTES) this.first = head;
    else if (head.t !== 'part' || this.first === null || head.n !== this.chunks.length) return 'wrong';
    this.chunks.push(bytes);
    this.has += bytes.length;
    const { status, headers, bytes: all } = this.first;
    if (this.has > all) return 'wrong';
    return this.has === all ? { status, headers, chunks: this.chunks } : null;
  }
}

const UNKNOWN_EFFECT = 'Whether an action took effect is not known: read the state.';

export function unreachable(host: string, why: string): SubstrateError {
  return new SubstrateError('host_unreachable', `The host ${host} cannot be reached. ${why}`);
}

/** The NATS server answers for a missing subscriber with status 503 and no bytes. */
function isNobodyThere({ data, headers }: Msg): boolean {
  return data.length === 0 && headers?.code === 503;
}
