/**
 * Answers one request of another daemon. While the request is being handled, a `wait` frame is sent twice a second: the
 * caller notices within two seconds that this daemon is gone, and this daemon that nobody waits any more.
 */
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../model/log.ts';
import type { Message, MessageAnswer, WatchSink } from '../model/message.ts';
import { decodeRequest, encodeFrame, framesOf } from './envelope.ts';
import { ACKNOWLEDGE_MS, isNobody, roomIn, SIGN_OF_LIFE_MS } from './peer.ts';
import type { SeenRequests } from './seen-requests.ts';
import { stream } from './stream.ts';
import { endpointOf } from './subjects.ts';

/** Every eighth part must be acknowledged, which bounds the bytes in flight. */
const UNACKNOWLEDGED = 8;
const WATCH = 'get.watch';
/** A watch is ended by its stream, so its request needs no signal. */
const NEVER = new AbortController().signal;

/** The part of the daemon's HTTP layer that serves other hosts. */
export interface OwnEdge {
  /** Never rejects. Null if nobody waits for the answer. */
  serve(message: Message): Promise<MessageAnswer | null>;
  /** Returns a function that stops the watch, or the answer that refuses it. */
  serveWatch(message: Message, sink: WatchSink): (() => void) | MessageAnswer;
}

interface Incoming {
  readonly connection: NatsConnection;
  readonly message: Pick<Msg, 'subject' | 'reply' | 'data'>;
  readonly server: OwnEdge;
  readonly seen: SeenRequests;
  readonly log: Logger;
}

/** Never rejects. */
export async function answerMessage({ connection, message, server, seen, log }: Incoming): Promise<void> {
  const { reply } = message;
  // There is nowhere to send the answer.
  if (!reply) return;
  try {
    const request = decodeRequest(message.data);
    if (request === null || endpointOf(request.method, request.target) !== lastParts(message.subject)) {
      await send(connection, reply, refusal());
      return;
    }
    const caller = new Caller(connection, reply);
    if (endpointOf(request.method, request.target) === WATCH) {
      const refused = stream(connection, reply, (sink) => server.serveWatch({ ...request, signal: NEVER }, sink));
      if (refused !== null) await send(connection, reply, refused);
      return;
    }
    // After a reconnect the server may deliver old requests: an action runs only while its caller still waits.
    if (request.method !== 'GET' && (!seen.add(reply) || !(await caller.isThere()))) return;
    const answer = await caller.whileWaiting((signal) => server.serve({ ...request, signal }));
    if (answer !== null) await send(connection, reply, answer);
  } catch (error) {
    // The connection may be closed by now; the caller notices the silence.
    log.debug({ err: error }, 'an answer to another host was not sent');
  }
}

class Caller {
  private readonly connection: NatsConnection;
  private readonly reply: string;

  constructor(connection: NatsConnection, reply: string) {
    this.connection = connection;
    this.reply = reply;
  }

  async isThere(): Promise<boolean> {
    try {
      await this.connection.request(this.reply, encodeFrame({ t: 'wait' }), { timeout: ACKNOWLEDGE_MS });
      return true;
    } catch (error) {
      if (isNobody(error) || error instanceof errors.TimeoutError) return false;
      throw error;
    }
  }

  async whileWaiting<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const gone = new AbortController();
    const timer = setInterval(() => {
      const sign = this.connection.request(this.reply, encodeFrame({ t: 'wait' }), { timeout: ACKNOWLEDGE_MS });
      sign.catch((error: unknown) => {
        if (isNobody(error)) gone.abort();
      });
    }, SIGN_OF_LIFE_MS);
    try {
      return await work(gone.signal);
    } finally {
      clearInterval(timer);
    }
  }
}

/** Rejects if nobody acknowledges a part. */
async function send(connection: NatsConnection, reply: string, answer: MessageAnswer): Promise<void> {
  let sent = 0;
  for (const frame of framesOf(answer, roomIn(connection))) {
    sent++;
    if (sent % UNACKNOWLEDGED === 0) await connection.request(reply, frame, { timeout: ACKNOWLEDGE_MS });
    else connection.publish(reply, frame);
  }
}

const lastParts = (subject: string) => subject.split('.').slice(-2).join('.');

function refusal(): MessageAnswer {
  const error = { code: 'invalid_request', message: 'This is not a request of a daemon.', request_id: '' };
  return { status: 400, headers: {}, chunks: [Buffer.from(JSON.stringify({ error }))] };
}
