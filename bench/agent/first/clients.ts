/** Clients of the programs: their protocols, and connections that stay open while the program runs. */
import net from 'node:net';
import WebSocket from 'ws';

const LIMIT_MS = 10_000;

export const portOf = (url: string) => Number(new URL(url).port);

/** True if somebody listens there. */
export function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** A connection with requests and answers. */
export class Conversation {
  private readonly socket: net.Socket;
  private said = Buffer.alloc(0);
  private wake = () => {};

  private constructor(socket: net.Socket) {
    this.socket = socket;
    // The program ends before its clients.
    socket.on('error', () => this.wake());
    socket.on('data', (chunk) => {
      this.said = Buffer.concat([this.said, chunk]);
      this.wake();
    });
  }

  static open(port: number): Promise<Conversation> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Conversation(socket)));
    });
  }

  /** The answer since the last call, once it matches. */
  async hear(pattern: RegExp): Promise<string> {
    const deadline = Date.now() + LIMIT_MS;
    for (;;) {
      const text = this.said.toString('latin1');
      if (pattern.test(text)) {
        this.said = Buffer.alloc(0);
        return text;
      }
      if (Date.now() > deadline) throw new Error(`no answer like ${pattern}: ${JSON.stringify(text)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 200);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async say(text: string | Uint8Array, pattern: RegExp): Promise<string> {
    this.socket.write(text);
    return this.hear(pattern);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** An open WebSocket; it stays open until the program ends. */
export function openWebSocket(url: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on('error', reject);
    socket.once('open', () => resolve(socket));
  });
}
