/** The clients of a load: those that read, watch and act, and slow ones. */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { Histogram } from './figures.ts';

const WATCHERS_AT_ONCE = 50;
const SLOW_BYTE_MS = 500;
/** Longer than the daemon waits for a reader. */
const UNREAD_MS = 40_000;
const REST_MS = 100;
const ACTION_MS = 1000;
/** The value of `Retry-After`. */
const RETRY_MS = 1000;
const JSON_BODY = { 'content-type': 'application/json' };

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export class Clients {
  readonly times = { state: new Histogram(), health: new Histogram(), action: new Histogram() };
  readonly counts = { watched: 0, refused: 0, replayed: 0, slowEnded: 0, verified: 0 };
  readonly watchers: WebSocket[] = [];
  readonly told = new Set<WebSocket>();
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly ended = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly slow = new Set<net.Socket>();
  private readonly port: number;
  private readonly key: string;
  private readonly fail: (message: string) => void;

  constructor(port: number, key: string, fail: (message: string) => void) {
    this.port = port;
    this.key = key;
    this.fail = fail;
    // Each pausing loop listens to it.
    setMaxListeners(0, this.ended.signal);
  }

  async get(route: string): Promise<Reply> {
    return this.request(route, {});
  }

  /** One after the other, with a pause between them. */
  read(kind: 'state' | 'health', route: string, pauseMs: number): void {
    this.loops.push(
      this.repeat(async () => {
        const { status } = await this.timed(kind, () => this.get(route));
        await this.rest(status === 200 ? pauseMs : REST_MS);
      }),
    );
  }

  /** Each action is sent twice with the same Idempotency-Key, and must be carried out once. */
  act(action: object): void {
    this.loops.push(
      this.repeat(async () => {
        const headers = { ...JSON_BODY, 'idempotency-key': randomUUID() };
        const send = () => this.request('/substrate/v1/action', headers, JSON.stringify(action));
        const first = await this.timed('action', send);
        const second = first.status === 200 ? await this.timed('action', send) : first;
        if (second.status === 200 && first.status === 200) {
          if (second.headers['idempotency-replayed'] === 'true') this.counts.replayed++;
          else this.fail('action: it ran again');
        }
        await this.rest(ACTION_MS);
      }),
    );
  }

  /** Waits for a condition that is never true, over and over. */
  verify(pid: number, expression: string): void {
    const body = JSON.stringify({ pid, expression, timeout_ms: 100 });
    this.loops.push(
      this.repeat(async () => {
        const reply = await this.request('/substrate/v1/verify', JSON_BODY, body).catch(() => null);
        if (reply?.status === 200) this.counts.verified++;
        else {
          this.counts.refused++;
          await this.rest(RETRY_MS);
        }
      }),
    );
  }

  /** In groups: the system's own queue would refuse as many at once. */
  async watch(pid: number, count: number): Promise<void> {
    for (let at = 0; at < count; at += WATCHERS_AT_ONCE) {
      await Promise.all(Array.from({ length: Math.min(WATCHERS_AT_ONCE, count - at) }, () => this.watchOnce(pid)));
    }
  }

  /** Half of them never read their answers, half send a request byte by byte. A dropped client comes again. */
  beSlow(pid: number, count: number): void {
    const head = `GET /substrate/v1/state/${pid} HTTP/1.1\r\nHost: 127.0.0.1:${this.port}\r\nX-Substrate-Key: ${this.key}\r\n\r\n`;
    for (let at = 0; at < count; at++) {
      this.loops.push(
        this.repeat(async () => {
          await (at % 2 === 0 ? this.ask(head.repeat(50)) : this.trickle(head));
          this.counts.slowEnded++;
          await this.rest(REST_MS);
        }),
      );
    }
  }

  async end(): Promise<void> {
    this.ended.abort();
    for (const socket of this.slow) socket.destroy();
    for (const socket of this.watchers) socket.terminate();
    await Promise.all(this.loops);
    this.agent.destroy();
  }

  private async repeat(work: () => Promise<void>): Promise<void> {
    while (!this.ended.signal.aborted) await work();
  }

  private async rest(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal: this.ended.signal }).catch(() => {});
  }

  private async timed(kind: keyof Clients['times'], work: () => Promise<Reply>): Promise<Reply> {
    const began = performance.now();
    const reply = await work().catch((error: unknown) => ({ status: 0, headers: {}, body: String(error) }));
    if (reply.status === 200) this.times[kind].add(performance.now() - began);
    else if (reply.status === 503 && reply.body.includes('overloaded')) this.counts.refused++;
    else this.fail(`${kind}: ${reply.status} ${reply.body.slice(0, 200)}`);
    return reply;
  }

  private request(path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const call = http.request(
        {
          host: '127.0.0.1',
          port: this.port,
          path,
          method: body === undefined ? 'GET' : 'POST',
          agent: this.agent,
          headers: { 'x-substrate-key': this.key, ...headers },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => {
            const { statusCode: status = 0, headers } = response;
            resolve({ status, headers, body: Buffer.concat(chunks).toString() });
          });
          response.on('error', reject);
        },
      );
      call.once('error', reject);
      call.end(body);
    });
  }

  private watchOnce(pid: number): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/substrate/v1/watch/${pid}`, {
      headers: { 'x-substrate-key': this.key },
    });
    socket.on('message', () => {
      this.counts.watched++;
      this.told.add(socket);
    });
    return new Promise((resolve) => {
      socket.once('open', () => {
        this.watchers.push(socket);
        resolve();
      });
      socket.once('error', () => resolve());
    });
  }

  /** A client that does not read does not notice either that it was dropped. */
  private async ask(requests: string): Promise<void> {
    const socket = this.connect();
    socket.pause();
    socket.write(requests);
    await this.rest(UNREAD_MS);
    socket.destroy();
  }

  private async trickle(request: string): Promise<void> {
    const socket = this.connect();
    socket.resume();
    let sent = 0;
    const timer = setInterval(() => socket.write(request[sent++ % request.length] ?? ''), SLOW_BYTE_MS);
    await closed(socket);
    clearInterval(timer);
  }

  private connect(): net.Socket {
    const socket = net.connect(this.port, '127.0.0.1');
    this.slow.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.slow.delete(socket));
    return socket;
  }
}

function closed(socket: net.Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
