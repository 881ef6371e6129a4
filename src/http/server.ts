/** The HTTP server of the daemon: creates the parts, connects them to Node's events, and ends them. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Service } from '../daemon/service.ts';
import type { Config } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import type { Message, MessageAnswer, WatchSink } from '../model/message.ts';
import { EVERYTHING } from '../model/permissions.ts';
import { Admission, Exchange } from './admission.ts';
import { Authenticator } from './auth.ts';
import type { KeyAuthority } from './caller.ts';
import { type ConnectionShares, Connections } from './connections.ts';
import { DashboardKeys } from './dashboard-keys.ts';
import { DashboardPage } from './dashboard-page.ts';
import type { KeyGauges } from './key-gauges.ts';
import { MalformedRequests } from './malformed.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import { OriginGuard } from './origin-guard.ts';
import { Pipeline } from './pipeline.ts';
import { serveWithoutUpgrade } from './plain-upgrade.ts';
import { type Clock, RateLimiter } from './rate-limit.ts';
import { errorReply } from './reply.ts';
import type { Backend, Route } from './route.ts';
import { Router } from './router.ts';
import { ROUTES } from './routes.ts';
import { sendRaw } from './send.ts';
import { WatchServer } from './watch.ts';

export interface HttpServer {
  /** Resolves when requests are accepted; `port` is the chosen one if 0 was given. */
  listen(host: string, port: number): Promise<{ port: number }>;
  /**
   * A request that did not come over HTTP, with the same checks except for Host and Origin. Never throws. Null if
   * nobody waits.
   */
  serve(message: Message): Promise<MessageAnswer | null>;
  /** The same for the watch route. Returns a function that ends the watch, or the refusal. */
  serveWatch(message: Message, sink: WatchSink): (() => void) | MessageAnswer;
  /** The time since the last request with a key; 0 while a request is at work or somebody watches. */
  idleMs(): number;
  close(): Promise<void>;
}

export interface ServerLimits extends ConnectionShares {
  readonly maxConnections: number;
  readonly maxInWork: number;
  readonly headersMs: number;
  /** For a request to arrive completely. Longer than a route's limit, whose answer is more helpful. */
  readonly arrivalMs: number;
  readonly keepAliveMs: number;
  /** For a client that accepts nothing of its answer. */
  readonly stalledReaderMs: number;
  readonly shutdownGraceMs: number;
}

export interface HttpServerDeps {
  readonly service: Service;
  readonly keys: KeyAuthority;
  readonly config: Pick<Config, 'server' | 'auth' | 'rate_limit'>;
  readonly log: Logger;
  /** The version of the daemon. */
  readonly version: string;
  /** As of `performance.now()`, because the system's clock may be changed. */
  readonly startedAt: number;
  /** Shared with the reporter of probe cycles. */
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly routes?: readonly Route[];
  readonly limits?: Partial<ServerLimits>;
  readonly dashboard?: DashboardPage;
  readonly retries: Backend['retries'];
  readonly mcp: Backend['mcp'];
  /** Absent if none are selected. */
  readonly keyGauges?: Pick<KeyGauges, 'text'>;
  /** Absent if there is no fleet. */
  readonly fleet?: Backend['fleet'];
}

const LIMITS: ServerLimits = {
  maxConnections: 2600,
  maxPlain: 512,
  maxWatchers: 2048,
  maxInWork: 256,
  headersMs: 10_000,
  arrivalMs: 35_000,
  keepAliveMs: 60_000,
  stalledReaderMs: 30_000,
  shutdownGraceMs: 2000,
};
const MAX_HEADER_BYTES = 16 * 1024;

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  return new DaemonHttpServer(deps);
}

class DaemonHttpServer implements HttpServer {
  private readonly limits: ServerLimits;
  private readonly server: Server;
  private readonly connections: Connections;
  private readonly admission: Admission;
  private readonly router: Router;
  private readonly pipeline: Pipeline;
  private readonly watch: WatchServer;
  private readonly malformed: MalformedRequests;
  private port = 0;
  private closed: Promise<void> | null = null;

  constructor(deps: HttpServerDeps) {
    const { service, keys, config, log, routes = ROUTES, metrics } = deps;
    this.limits = { ...LIMITS, ...deps.limits };
    this.router = new Router(routes);
    const dashboardKeys = new DashboardKeys(keys);
    this.malformed = new MalformedRequests(log, metrics);
    this.connections = new Connections(this.limits, (socket) => this.malformed.isBusy(socket));
    this.admission = new Admission({
      guard: new OriginGuard(config.server, () => this.port),
      router: this.router,
      authenticator: new Authenticator(keys, dashboardKeys, config.auth.require_key),
      connections: this.connections,
      metrics,
      log,
    });
    const { admission } = this;
    metrics.setApps(() => service.listApps(EVERYTHING));
    this.pipeline = new Pipeline({
      admission,
      limiter: new RateLimiter(config.rate_limit, deps.clock),
      metrics,
      backend: backendOf(deps, dashboardKeys, routes),
      maxInWork: this.limits.maxInWork,
      stalledReaderMs: this.limits.stalledReaderMs,
    });
    const fleet = deps.fleet ?? (() => null);
    this.watch = new WatchServer({ service, keys, admission, connections: this.connections, metrics, log, fleet });
    this.server = this.createServer(admission);
  }

  listen(host: string, port: number): Promise<{ port: number }> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        const address = this.server.address();
        this.port = typeof address === 'object' && address !== null ? address.port : port;
        resolve({ port: this.port });
      });
    });
  }

  serve(message: Message): Promise<MessageAnswer | null> {
    return this.pipeline.serve(message);
  }

  serveWatch(message: Message, sink: WatchSink): (() => void) | MessageAnswer {
    return this.watch.serve(message, sink);
  }

  idleMs(): number {
    return this.pipeline.isAtWork || this.connections.hasWatchers ? 0 : this.admission.idleMs();
  }

  close(): Promise<void> {
    this.closed ??= this.shutDown();
    return this.closed;
  }

  private async shutDown(): Promise<void> {
    this.pipeline.beginClosing();
    this.watch.close();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.connections.all()) if (!this.malformed.isBusy(socket)) socket.destroy();
    const grace = setTimeout(() => {
      this.pipeline.abortAll();
      for (const socket of this.connections.all()) socket.destroy();
    }, this.limits.shutdownGraceMs);
    await closed;
    clearTimeout(grace);
  }

  private createServer(admission: Admission): Server {
    // Newer versions of Node ask first, and then no request has to be put back (see plain-upgrade.ts).
    const askFirst: object = { shouldUpgradeCallback: (req: IncomingMessage) => this.isWatchUpgrade(req) };
    const server = createServer({
      ...askFirst,
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: this.limits.headersMs,
      requestTimeout: this.limits.arrivalMs,
      connectionsCheckingInterval: Math.min(1000, this.limits.headersMs),
      keepAliveTimeout: this.limits.keepAliveMs,
      // Checked by the guard, which answers in the common form of errors.
      requireHostHeader: false,
    });
    server.maxConnections = this.limits.maxConnections;
    const answer = (req: IncomingMessage, res: ServerResponse, allowBody = () => {}) => {
      this.malformed.noteRequest(req, res);
      this.pipeline.answer(req, res, allowBody);
    };
    server.on('connection', (socket) => this.connections.add(socket));
    server.on('request', answer);
    // A client that asks before it sends a body gets a refusal without sending it.
    server.on('checkContinue', (req, res) => answer(req, res, () => res.writeContinue()));
    server.on('checkExpectation', answer);
    server.on('upgrade', (req, socket, head) => {
      if (this.isWatchUpgrade(req)) this.watch.upgrade(req, socket, head);
      else serveWithoutUpgrade(server, req, socket, head);
    });
    server.on('connect', (req, socket) => {
      const exchange = new Exchange();
      const reply = errorReply(new SubstrateError('not_found', 'This is no proxy.'), exchange.requestId);
      sendRaw(socket, reply, exchange.requestId);
      admission.record(req, exchange, reply);
    });
    server.on('clientError', (error, socket) => this.malformed.answer(error, socket));
    return server;
  }

  private isWatchUpgrade(req: IncomingMessage): boolean {
    if (req.headers.upgrade?.toLowerCase() !== 'websocket') return false;
    try {
      return this.router.match(req.method ?? '', req.url ?? '').route.upgrade;
    } catch {
      // The pipeline answers an unknown route.
      return false;
    }
  }
}

function backendOf(deps: HttpServerDeps, dashboardKeys: DashboardKeys, routes: readonly Route[]): Backend {
  const { service, config, metrics, version, startedAt, dashboard = new DashboardPage() } = deps;
  let openapi: string | undefined;
  return {
    service,
    health: () => ({
      status: 'ok',
      version,
      uptime_secs: Math.floor((performance.now() - startedAt) / 1000),
      tracked_processes: service.trackedProcesses(),
      auth_enabled: config.auth.require_key,
    }),
    openapi: () => {
      openapi ??= JSON.stringify(openApiDocument(routes, version));
      return openapi;
    },
    metrics: async (permissions) => {
      const numbers = deps.keyGauges === undefined ? '' : `\n${deps.keyGauges.text(permissions)}`;
      return { text: `${metrics.text(permissions.has('admin'))}${numbers}`, contentType: metrics.contentType };
    },
    dashboard: () => dashboard.reply(),
    dashboardKeys,
    retries: deps.retries,
    mcp: deps.mcp,
    fleet: deps.fleet ?? (() => null),
  };
}
