/** The daemon's end of the stream to an agent inside a process (frames: frame.ts). */
import type net from 'node:net';
import type { Readable, Writable } from 'node:stream';
import * as z from 'zod';
import { NO_TRACE, type Trace } from '../../../model/trace.ts';
import { connectAs, type Owner } from '../owner.ts';
import { encodeFrame, FrameDecoder } from './frame.ts';
import { connectionLost, PendingCalls } from './pending-calls.ts';

const CLOSE_MS = 1000;
const pushFrame = z.object({ push: z.unknown() });

interface AnyRequest {
  readonly id: number;
  readonly op: string;
}

/** A request without the number that the channel adds. */
export type RequestBody<Request extends AnyRequest> = Request extends AnyRequest ? Omit<Request, 'id'> : never;

/** A channel to an agent, over any transport. */
export interface ProbeChannel<Request extends AnyRequest> {
  /** An aborted call leaves the connection open: its late answer is dropped. */
  call(body: RequestBody<Request>, signal: AbortSignal): Promise<unknown>;
  /** Messages that an agent sends without a request; untrusted input. */
  onPush?(listener: (message: unknown) => void): void;
  readonly closed: Promise<void>;
  /** The agent removes itself. Never throws, bounded in time. */
  close(): Promise<void>;
}

export class FramedChannel<Request extends AnyRequest> implements ProbeChannel<Request> {
  readonly closed: Promise<void>;
  private readonly input: Readable;
  private readonly output: Writable;
  private readonly calls: PendingCalls;
  private readonly trace: Trace;
  private readonly pushListeners = new Set<(message: unknown) => void>();

  /** `owner`: the user of the agent's process. */
  static async connect<Request extends AnyRequest>(
    path: string,
    owner: Owner,
    timeoutMs: number,
    trace: Trace = NO_TRACE,
  ): Promise<FramedChannel<Request>> {
    const socket = await connectSocket(path, owner, timeoutMs);
    return new FramedChannel(socket, socket, trace);
  }

  /** One duplex stream twice, or two one-way streams. */
  constructor(input: Readable, output: Writable, trace: Trace = NO_TRACE) {
    this.trace = trace;
    this.calls = new PendingCalls(trace);
    this.input = input;
    this.output = output;
    const decoder = new FrameDecoder();
    input.on('data', (chunk: Buffer) => {
      try {
        for (const text of decoder.push(chunk)) this.receive(text);
      } catch (error) {
        this.trace.ignored('a message of the agent that makes no sense ends the connection', error);
        this.abandon();
      }
    });
    for (const stream of new Set<Readable | Writable>([input, output])) {
      stream.on('error', (error) => {
        this.trace.ignored('connection to the agent', error);
        this.abandon();
      });
      stream.once('close', () => this.abandon());
    }
    this.closed = new Promise((resolve) => {
      input.once('close', () => {
        this.calls.failAll();
        resolve();
      });
    });
  }

  call(body: RequestBody<Request>, signal: AbortSignal): Promise<unknown> {
    if (!this.isOpen) return Promise.reject(connectionLost());
    return this.calls.start(body.op, signal, (id) => {
      const frame = encodeFrame(JSON.stringify({ id, ...body }));
      this.output.write(frame);
      return frame.length;
    });
  }

  /** Messages that an agent sends without a request; untrusted input. */
  onPush(listener: (message: unknown) => void): void {
    this.pushListeners.add(listener);
  }

  get isOpen(): boolean {
    return !this.input.destroyed;
  }

  /** The agent reads the request, or sees the end of the stream, and removes itself. */
  async close(): Promise<void> {
    if (!this.output.writableEnded) this.output.end(encodeFrame(JSON.stringify({ id: 0, op: 'dispose' })));
    const force = setTimeout(() => this.abandon(), CLOSE_MS);
    await this.closed;
    clearTimeout(force);
  }

  /** Ends the connection without a message: the agent stays. */
  abandon(): void {
    this.input.destroy();
    this.output.destroy();
  }

  private receive(text: string): void {
    const frame: unknown = JSON.parse(text);
    const pushed = pushFrame.safeParse(frame);
    if (!pushed.success) this.calls.receive(frame, text.length);
    else for (const listener of this.pushListeners) listener(pushed.data.push);
  }
}

function connectSocket(path: string, owner: Owner, timeoutMs: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectAs(owner, { path });
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection to the agent within ${timeoutMs} ms`)),
      timeoutMs,
    );
    socket.once('error', reject);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      resolve(socket);
    });
    socket.once('close', () => clearTimeout(timer));
  });
}
