/**
 * A connection to a V8 inspector or to a browser. It is itself the session of what it is connected to, and carries the
 * sessions of a browser's targets (flat mode: each message names its session).
 */
import type net from 'node:net';
import WebSocket from 'ws';
import * as z from 'zod';
import type { ProcessNetwork } from '../../../../model/process.ts';
import { NO_TRACE, type OpenStep, type Trace, traced } from '../../../../model/trace.ts';
import { MAX_FRAME_BYTES, textOf } from '../../../support/framed/frame.ts';
import { CdpClosed, CdpError, type CdpListener, type CdpResult, type CdpSession, CdpTimeout } from './cdp-session.ts';
import { connectTo } from './debug-http.ts';
import { idOf } from './foreign.ts';

const message = z.object({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

const DEFAULT_TIMEOUT_MS = 5000;
const CLOSE_TIMEOUT_MS = 500;
const ROOT = '';

interface Waiter {
  readonly sessionId: string;
  readonly method: string;
  readonly timer: NodeJS.Timeout;
  readonly step: OpenStep;
  resolve(result: CdpResult): void;
  reject(error: Error): void;
}

export class CdpConnection implements CdpSession {
  readonly closed: Promise<void>;
  private readonly socket: WebSocket;
  private readonly stream: net.Socket;
  private readonly waiting = new Map<number, Waiter>();
  private readonly sessions = new Map<string, Session>();
  private readonly root: Session;
  private readonly trace: Trace;
  private lastId = 0;

  /** `maxBytes`: of one message. A full report of a large page fits into a frame; whoever sends more is cut off. */
  static async open(
    network: ProcessNetwork,
    url: string,
    timeoutMs: number,
    maxBytes = MAX_FRAME_BYTES,
    trace: Trace = NO_TRACE,
  ): Promise<CdpConnection> {
    const stream = await connectTo(network, url);
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: maxBytes,
      handshakeTimeout: timeoutMs,
      createConnection: () => stream,
    });
    const opened = new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    await traced(
      trace,
      'connect to the debugging port',
      () => opened,
      () => ({ port: Number(new URL(url).port) }),
    );
    return new CdpConnection(socket, stream, trace);
  }

  private constructor(socket: WebSocket, stream: net.Socket, trace: Trace) {
    this.trace = trace;
    this.socket = socket;
    this.stream = stream;
    this.root = this.session(ROOT);
    socket.on('message', (data) => {
      try {
        this.receive(textOf(z.instanceof(Buffer).parse(data)));
      } catch (error) {
        // The message is invalid, so nothing more is read.
        trace.ignored('a message that makes no sense ends the connection', error);
        socket.terminate();
      }
    });
    socket.on('error', (error) => {
      trace.ignored('connection to the debugging port', error);
      socket.terminate();
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        for (const sessionId of [...this.sessions.keys()]) this.endSession(sessionId);
        resolve();
      });
    });
  }

  send(method: string, params?: object, timeoutMs?: number): Promise<CdpResult> {
    return this.root.send(method, params, timeoutMs);
  }

  on(event: string, listener: CdpListener): () => void {
    return this.root.on(event, listener);
  }

  child(sessionId: string): CdpSession {
    return this.session(sessionId);
  }

  private session(sessionId: string): Session {
    let session = this.sessions.get(sessionId);
    if (!session) {
      session = new Session(
        (method, params, timeoutMs) => this.call(sessionId, method, params, timeoutMs),
        (child) => this.session(child),
      );
      this.sessions.set(sessionId, session);
    }
    return session;
  }

  /** The target of this session is gone: nothing waits for it any longer. */
  private endSession(sessionId: string): void {
    for (const [id, waiter] of this.waiting) {
      if (waiter.sessionId === sessionId) refuse(this.settle(id), new CdpClosed('the target is gone'));
    }
    this.sessions.get(sessionId)?.end();
    this.sessions.delete(sessionId);
  }

  /** Resolves when the other side has seen it too, so that the inspector can be closed without waiting. */
  async close(): Promise<void> {
    const force = setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    this.socket.close();
    await this.closed;
    clearTimeout(force);
  }

  private call(sessionId: string, method: string, params: object, timeoutMs: number): Promise<CdpResult> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) return reject(new CdpClosed('the connection is closed'));
      const timer = setTimeout(
        () => refuse(this.settle(id), new CdpTimeout(`${method} got no answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      const text = JSON.stringify({ id, method, params, ...(sessionId === ROOT ? {} : { sessionId }) });
      const step = this.trace.call(method, { id, sent: text.length });
      this.waiting.set(id, { sessionId, method, timer, resolve, reject, step });
      // Calls that are made together leave together: each write is a system call.
      this.stream.cork();
      this.socket.send(text);
      process.nextTick(() => this.stream.uncork());
    });
  }

  private settle(id: number): Waiter | undefined {
    const waiter = this.waiting.get(id);
    clearTimeout(waiter?.timer);
    this.waiting.delete(id);
    return waiter;
  }

  private receive(text: string): void {
    const { data } = message.safeParse(parseJson(text));
    if (!data) return;
    if (data.id === undefined) {
      if (data.method !== undefined) this.sessions.get(data.sessionId ?? ROOT)?.emit(data.method, data.params ?? {});
      const detached = data.method === 'Target.detachedFromTarget' ? idOf(data.params?.sessionId) : null;
      if (detached !== null) this.endSession(detached);
      return;
    }
    const waiter = this.settle(data.id);
    if (data.error) refuse(waiter, new CdpError(`${waiter?.method}: ${data.error.message}`));
    else {
      waiter?.step.end({ received: text.length });
      waiter?.resolve(data.result ?? {});
    }
  }
}

function refuse(waiter: Waiter | undefined, error: Error): void {
  waiter?.step.fail(error);
  waiter?.reject(error);
}

class Session implements CdpSession {
  readonly closed: Promise<void>;
  readonly child: (sessionId: string) => CdpSession;
  end: () => void = () => undefined;
  private readonly call: (method: string, params: object, timeoutMs: number) => Promise<CdpResult>;
  private readonly listeners = new Map<string, Set<CdpListener>>();
  private ended = false;

  constructor(call: Session['call'], child: Session['child']) {
    this.call = call;
    this.child = child;
    this.closed = new Promise((resolve) => {
      this.end = () => {
        this.ended = true;
        resolve();
      };
    });
  }

  send(method: string, params: object = {}, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<CdpResult> {
    if (this.ended) return Promise.reject(new CdpClosed('the target is gone'));
    return this.call(method, params, timeoutMs);
  }

  on(event: string, listener: CdpListener): () => void {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  emit(event: string, params: CdpResult): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(params);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No message: it is left out, as one of an unknown kind.
    return null;
  }
}
