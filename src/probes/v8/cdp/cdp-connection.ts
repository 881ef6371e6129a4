/** A short-lived connection to a V8 inspector: a few calls, each with its own time limit. */
import WebSocket from 'ws';
import { z } from 'zod';

const answer = z.object({
  id: z.number(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export class CdpConnection {
  private readonly socket: WebSocket;
  private readonly waiting = new Map<number, { resolve(result: object): void; reject(error: Error): void }>();
  private lastId = 0;

  static async open(url: string, timeoutMs: number): Promise<CdpConnection> {
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: timeoutMs,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new CdpConnection(socket);
  }

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.receive(String(data)));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the inspector closed the connection'));
      this.waiting.clear();
    });
  }

  call(method: string, params: object, timeoutMs: number): Promise<object> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) return reject(new Error('the inspector closed the connection'));
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error(`${method} got no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      const settle =
        <Value>(done: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          done(value);
        };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** Resolves when the other side has seen it too, so that the inspector can be closed without waiting. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.socket.readyState === WebSocket.CLOSED) return resolve();
      const force = setTimeout(() => this.socket.terminate(), 500);
      this.socket.once('close', () => {
        clearTimeout(force);
        resolve();
      });
      this.socket.close();
    });
  }

  private receive(text: string): void {
    const message = answer.safeParse(parseJson(text));
    if (!message.success) return; // An event; none was asked for.
    const waiter = this.waiting.get(message.data.id);
    this.waiting.delete(message.data.id);
    if (message.data.error) waiter?.reject(new Error(message.data.error.message));
    else waiter?.resolve(message.data.result ?? {});
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
