/** Sends a reply. The two difficult cases are a body that is still arriving and a socket without a response object. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_BODY_BYTES } from './json-body.ts';
import { type Reply, render } from './reply.ts';

export interface SendOptions {
  readonly requestId: string;
  /** The server is shutting down: this response is the last one of its connection. */
  readonly closing: boolean;
  /** A reader that accepts nothing for this long keeps a snapshot in memory for nobody. */
  readonly stalledReaderMs: number;
}

// How much of an unwanted body is discarded so that its sender can read the answer.
const LINGER_MS = 5000;
const LINGER_BYTES = 64 * 1024 * 1024;
const RAW_LINGER_MS = 1000;

export function send(req: IncomingMessage, res: ServerResponse, reply: Reply, options: SendOptions): void {
  if (res.destroyed || res.headersSent) return;
  const lingers = isBodyOutstanding(req, reply);
  const { headers, chunks } = render(reply, options.requestId);
  if (lingers || options.closing) closeAfter(headers);
  res.writeHead(reply.status, headers);
  // In one piece, because each piece is a system call.
  res.cork();
  for (const chunk of chunks) res.write(chunk);
  if (lingers) {
    res.uncork();
    limitStalling(res, options.stalledReaderMs);
    discardBody(req, () => res.end());
    return;
  }
  res.end();
  if (isSent(res)) return;
  limitStalling(res, options.stalledReaderMs);
  readNothingUntilSent(res);
}

/** The system has accepted all of it, as usual for smaller answers. */
function isSent({ socket }: ServerResponse): boolean {
  return socket !== null && socket.writableLength === 0;
}

/** Answers input that never became a request: malformed HTTP, a refused upgrade. Ends the connection. */
export function sendRaw(socket: Duplex, reply: Reply, requestId: string): void {
  const { headers, chunks } = render(reply, requestId);
  closeAfter(headers);
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`;
  for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  head += '\r\n';
  socket.on('error', () => socket.destroy());
  socket.end(Buffer.concat([Buffer.from(head, 'latin1'), ...chunks]));
  // Keeps reading for a moment: closing with unread bytes resets the connection, and the answer would be lost.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), RAW_LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Counts from its turn: answers to requests that were sent together wait for each other. Its end is handled before
 * Node's own handler of the event, which starts the timer of an idle connection.
 */
function limitStalling(res: ServerResponse, stalledReaderMs: number): void {
  res.setTimeout(stalledReaderMs);
  res.prependOnceListener('finish', () => res.socket?.setTimeout(0));
}

/** Input that arrives meanwhile would count as a sign of life of a client that reads nothing. */
function readNothingUntilSent(res: ServerResponse): void {
  const hold = (socket: Socket) => {
    if (socket.writableLength === 0) return;
    socket.pause();
    res.prependOnceListener('finish', () => socket.resume());
  };
  if (res.socket !== null) hold(res.socket);
  else res.once('socket', (socket: Socket) => process.nextTick(hold, socket));
}

function closeAfter(headers: string[]): void {
  const at = headers.indexOf('Connection');
  if (at === -1) headers.push('Connection', 'close');
  else headers[at + 1] += ', close';
}

/** Small bodies of a known length are left to Node, which skips them and keeps the connection. */
function isBodyOutstanding(req: IncomingMessage, reply: Reply): boolean {
  if (req.complete) return false;
  if (req.headers['transfer-encoding'] !== undefined || req.headers.expect !== undefined) return true;
  const announced = Number(req.headers['content-length'] ?? 0);
  // After a timeout it is unknown whether the rest will ever come.
  return announced > MAX_BODY_BYTES || (announced > 0 && reply.status === 504);
}

function discardBody(req: IncomingMessage, done: () => void): void {
  let discarded = 0;
  const finish = () => {
    clearTimeout(timer);
    req.off('data', count);
    done();
  };
  const count = (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES) finish();
  };
  const timer = setTimeout(finish, LINGER_MS).unref();
  req.on('data', count);
  req.once('close', finish);
  req.once('end', finish);
  req.resume();
}
