/** The daemon's end of the socket to the agent inside a Node process (frames: agent/frame.ts). */
import net from 'node:net';
import { z } from 'zod';
import { encodeFrame, FrameDecoder } from './agent/frame.ts';
import type { AgentRequest } from './agent/protocol.ts';

const MAX_ERROR_LENGTH = 300;
const answerFrame = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() });
const pushFrame = z.object({ push: z.unknown() });

export type RequestBody = AgentRequest extends infer Request
  ? Request extends AgentRequest
    ? Omit<Request, 'id'>
    : never
  : never;

/** A way to an agent, whatever carries it. */
export interface ProbeChannel {
  /** An aborted call leaves the connection whole: its late answer is dropped. */
  call(body: RequestBody, signal: AbortSignal): Promise<unknown>;
  readonly closed: Promise<void>;
  /** The agent removes itself. Never throws, bounded in time. */
  close(): Promise<void>;
}

export class AgentChannel implements ProbeChannel {
  readonly closed: Promise<void>;
  private readonly socket: net.Socket;
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private readonly pushListeners = new Set<(message: unknown) => void>();
  private lastId = 0;

  static connect(path: string, timeoutMs: number): Promise<AgentChannel> {
    return new Promise((resolve, reject) => {
      const socket = net.connect(path);
      const timer = setTimeout(
        () => socket.destroy(new Error(`no connection to the agent within ${timeoutMs} ms`)),
        timeoutMs,
      );
      socket.once('error', reject);
      socket.once('connect', () => {
        clearTimeout(timer);
        socket.off('error', reject);
        resolve(new AgentChannel(socket));
      });
      socket.once('close', () => clearTimeout(timer));
    });
  }

  private constructor(socket: net.Socket) {
    this.socket = socket;
    const decoder = new FrameDecoder();
    socket.on('data', (chunk) => {
      try {
        for (const text of decoder.push(chunk)) this.receive(text);
      } catch {
        socket.destroy();
      }
    });
    socket.on('error', () => socket.destroy());
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const { reject } of this.waiting.values()) reject(new Error('the connection to the app was lost'));
        this.waiting.clear();
        resolve();
      });
    });
  }

  call(body: RequestBody, signal: AbortSignal): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (this.socket.destroyed) return reject(new Error('the connection to the app was lost'));
      const onAbort = () => {
        this.waiting.delete(id);
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const settle =
        <Value>(done: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener('abort', onAbort);
          done(value);
        };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.socket.write(encodeFrame(JSON.stringify({ id, ...body })));
    });
  }

  /** What an extension of the agent says without being asked; foreign input. */
  onPush(listener: (message: unknown) => void): void {
    this.pushListeners.add(listener);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** The agent sees the end of the stream and removes itself. */
  async close(): Promise<void> {
    if (!this.socket.writableEnded) this.socket.end(encodeFrame(JSON.stringify({ id: 0, op: 'dispose' })));
    const force = setTimeout(() => this.socket.destroy(), 1000);
    await this.closed;
    clearTimeout(force);
  }

  private receive(text: string): void {
    const frame: unknown = JSON.parse(text);
    const pushed = pushFrame.safeParse(frame);
    if (pushed.success) {
      for (const listener of this.pushListeners) listener(pushed.data.push);
      return;
    }
    const { id, result, error } = answerFrame.parse(frame);
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    if (error !== undefined) waiter?.reject(new Error(error.slice(0, MAX_ERROR_LENGTH)));
    else waiter?.resolve(result);
  }
}
