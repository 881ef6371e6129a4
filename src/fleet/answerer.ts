/**
 * A request of another daemon, from its message to the last part of its answer. While it is at work it says so: whoever asks
 * knows within two seconds that this daemon is gone, and this one that nobody waits any more.
 */
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../model/log.ts';
import type { Message, MessageAnswer, WatchSink } from '../model/message.ts';
import { decodeRequest, encodeFrame, framesOf } from './envelope.ts';
import { ACKNOWLEDGE_MS, isNobody, roomIn, SIGN_OF_LIFE_MS } from './peer.ts';
import type { SeenRequests } from './seen-requests.ts';
import { stream } from './stream.ts';
import { endpointOf } from './subjects.ts';

/** Every so many parts the other side says that it has them: what is under way is bounded. */
const UNACKNOWLEDGED = 8;
const WATCH = 'get.watch';
/** Who watches leaves by the stream itself. */
const NEVER = new AbortController().signal;

/** What of the daemon's own edge serves other hosts. */
export interface OwnEdge {
  /** Never rejects. Null: nobody waits for the answer. */
  serve(message: Message): Promise<MessageAnswer | null>;
  /** Returns how to stop, or the answer that says why not. */
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
  // Nobody could learn what came of it.
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
    // A server that comes back may deliver what was sent before it went: a change is made only while somebody waits for it.
    if (request.method !== 'GET' && (!seen.add(reply) || !(await caller.isThere()))) return;
    const answer = await caller.whileWaiting((signal) => server.serve({ ...request, signal }));
    if (answer !== null) await send(connection, reply, answer);
  } catch (error) {
    // The other side hears of it by the silence; the connection may be closed by now.
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

/** Rejects where nobody takes it any more. */
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
  const error = { code: 'invalid_request', message: 'This is no request of a daemon.', request_id: '' };
  return { status: 400, headers: {}, chunks: [Buffer.from(JSON.stringify({ error }))] };
}
