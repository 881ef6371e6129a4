/** HTTP by hand, for requests that no client library would send. */
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type ErrorBody, errorBody } from '../../../src/model/wire.ts';

export interface RawResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Map<string, string>;
  readonly body: string;
  error(): ErrorBody['error'];
}

export class RawClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  readonly #closed: Promise<void>;
  #ended = false;
  #wake: () => void = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    this.#closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.#ended = true;
        this.#wake();
        resolve();
      });
    });
    this.socket.on('error', () => {});
    onTestFinished(() => void this.socket.destroy());
  }

  write(...parts: (string | Buffer)[]): void {
    for (const part of parts) this.socket.write(part);
  }

  /** Resolves when the server has closed the connection. */
  closed(): Promise<void> {
    return this.#closed;
  }

  /** The next complete response; throws if the connection ends before it. */
  async response(): Promise<RawResponse> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end !== -1) {
        const [statusLine = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
        const headers = new Map(
          lines.map((line) => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 1).trim(),
          ]),
        );
        const status = Number(statusLine.split(' ')[1]);
        const total = end + 4 + Number(headers.get('content-length') ?? 0);
        if (this.#received.length >= total) {
          const body = this.#received.subarray(end + 4, total).toString();
          this.#received = this.#received.subarray(total);
          return { status, headers, body, error: () => errorBody.parse(JSON.parse(body)).error };
        }
      }
      if (this.#ended) throw new Error(`the connection ended after ${this.#received.length} bytes`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** One request with these lines after the request line; leaves the connection open. */
export async function rawRequest(
  port: number,
  start: string,
  headers: readonly string[],
  body: string | Buffer = '',
): Promise<RawResponse> {
  const client = new RawClient(port);
  client.write(`${[start, ...headers].join('\r\n')}\r\n\r\n`, body);
  return client.response();
}
