/** Answers input that is no request, or no complete one: garbage, too many headers, one header per minute. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import type { Metrics } from './metrics.ts';
import { errorReply } from './reply.ts';
import { sendRaw } from './send.ts';

interface Current {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export class MalformedRequests {
  private readonly log: Logger;
  private readonly metrics: Metrics;
  /** The latest request of each connection. */
  private readonly current = new WeakMap<Duplex, Current>();
  private readonly answered = new WeakSet<Duplex>();

  constructor(log: Logger, metrics: Metrics) {
    this.log = log;
    this.metrics = metrics;
  }

  noteRequest(req: IncomingMessage, res: ServerResponse): void {
    this.current.set(req.socket, { req, res });
  }

  isBusy(socket: Duplex): boolean {
    const current = this.current.get(socket);
    return current !== undefined && !current.res.writableFinished;
  }

  answer(error: NodeJS.ErrnoException, socket: Duplex): void {
    // The parser reports all later input again after its first error.
    if (this.answered.has(socket)) return;
    this.answered.add(socket);
    const current = this.current.get(socket);
    // An answer now would be taken for that of an earlier request, or land in the middle of it.
    const isMisleading =
      current !== undefined && (current.req.complete ? this.isBusy(socket) : current.res.headersSent);
    if (!socket.writable || error.code === 'ECONNRESET' || isMisleading) {
      socket.destroy();
      return;
    }
    const requestId = uuidv7();
    const reply = errorReply(problemOf(error), requestId);
    this.log.debug({ request_id: requestId, reason: error.code, status: reply.status }, 'malformed request');
    this.metrics.request({ route: 'malformed', method: 'other', status: reply.status, seconds: 0, keyId: null });
    sendRaw(socket, reply, requestId);
  }
}

function problemOf({ code }: NodeJS.ErrnoException): SubstrateError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new SubstrateError('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new SubstrateError('invalid_request', 'headers: expected at most 16 KiB');
    default:
      return new SubstrateError('invalid_request', 'request: expected well-formed HTTP/1.1');
  }
}
