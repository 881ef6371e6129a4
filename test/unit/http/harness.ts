/** A real server on a free port, with a real keys file and without a daemon. */
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { configSchema } from '../../../src/config-schema.ts';
import type { Service } from '../../../src/daemon/service.ts';
import type { DashboardPage } from '../../../src/http/dashboard-page.ts';
import { createMetrics, type Metrics } from '../../../src/http/metrics.ts';
import type { Clock } from '../../../src/http/rate-limit.ts';
import type { Route } from '../../../src/http/route.ts';
import { createHttpServer, type HttpServer, type ServerLimits } from '../../../src/http/server.ts';
import type { Config } from '../../../src/model/config.ts';
import type { FleetPort } from '../../../src/model/fleet.ts';
import { type ErrorBody, errorBody } from '../../../src/model/wire.ts';
import { KeyStore } from '../../../src/store/key-store.ts';
import { RetryStore } from '../../../src/store/retry-store.ts';
import { tempFolder } from '../store/temp-folder.ts';
import { type FakeService, fakeService } from './fake-service.ts';

interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  [field: string]: unknown;
}

export interface HarnessOptions {
  service?: Partial<Service>;
  rateLimit?: Partial<Config['rate_limit']>;
  requireKey?: boolean;
  /** To bind to. */
  host?: string;
  port?: number;
  /** The configured host, if it differs. */
  hostName?: string;
  allowedHosts?: string[];
  clock?: Clock;
  limits?: Partial<ServerLimits>;
  routes?: readonly Route[];
  dashboard?: DashboardPage;
  fleet?: () => FleetPort | null;
  /** Keys of another daemon that are also valid here. */
  sharedKeys?: string;
}

export interface Harness {
  readonly port: number;
  readonly url: string;
  readonly key: string;
  readonly keyId: string;
  readonly keys: KeyStore;
  readonly keysFile: string;
  readonly service: FakeService;
  readonly server: HttpServer;
  readonly metrics: Metrics;
  readonly log: LogLine[];
  /** With the key, unless the headers override it. */
  get(target: string, headers?: Record<string, string>): Promise<Answer>;
  post(target: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  json(): unknown;
  error(): ErrorBody['error'];
}

export async function startServer(options: HarnessOptions = {}): Promise<Harness> {
  const log: LogLine[] = [];
  const note = (level: LogLine['level']) => (fields: object, message: string) =>
    void log.push({ ...fields, level, message });
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const keysFile = options.sharedKeys ?? path.join(tempFolder(), 'keys.json');
  const keys = new KeyStore({ file: keysFile, logger });
  const { key, record } = await keys.create('test');
  keys.start();
  const service = fakeService(options.service);
  const metrics = createMetrics();
  const config = configSchema.parse({
    server: { host: options.hostName ?? options.host ?? '127.0.0.1', allowed_hosts: options.allowedHosts ?? [] },
    auth: { require_key: options.requireKey ?? true },
    rate_limit: { enabled: false, ...options.rateLimit },
  });
  const server = createHttpServer({
    service,
    keys,
    config,
    log: logger,
    version: '1.2.3',
    startedAt: performance.now(),
    metrics,
    retries: new RetryStore({ dir: tempFolder(), logger }),
    mcp: async (exchange) => (await import('../../../src/mcp/index.ts')).answerMcp(exchange),
    ...(options.fleet === undefined ? {} : { fleet: options.fleet }),
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.routes === undefined ? {} : { routes: options.routes }),
    ...(options.dashboard === undefined ? {} : { dashboard: options.dashboard }),
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const { port } = await server.listen(options.host ?? '127.0.0.1', options.port ?? 0);
  onTestFinished(async () => {
    await server.close();
    await keys.close();
  });
  const url = `http://127.0.0.1:${port}`;
  return {
    ...{ port, url, key, keyId: record.id, keys, keysFile, service, server, metrics, log },
    get: async (target, headers = {}) =>
      answerOf(await fetch(url + target, { headers: { 'X-Substrate-Key': key, ...headers } })),
    post: async (target, body, headers = {}) =>
      answerOf(
        await fetch(url + target, {
          method: 'POST',
          headers: { 'X-Substrate-Key': key, 'Content-Type': 'application/json', ...headers },
          body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
        }),
      ),
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: () => JSON.parse(text),
    error: () => errorBody.parse(JSON.parse(text)).error,
  };
}

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: Error): void;
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
