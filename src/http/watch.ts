/** The WebSocket side: upgrades, and the connections that came of them. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Service } from '../daemon/service.ts';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import { keysQuery } from '../model/wire.ts';
import { type Admission, Exchange } from './admission.ts';
import { ANONYMOUS } from './auth.ts';
import type { KeyAuthority } from './caller.ts';
import type { Connections } from './connections.ts';
import { loadLater } from './load-later.ts';
import type { Metrics } from './metrics.ts';
import { type Match, pidOf, queryValue } from './router.ts';
import { sendRaw } from './send.ts';
import { parseParameter } from './validation.ts';
import { WatchConnection } from './watch-connection.ts';
import { WatchHub } from './watch-hub.ts';

// Nothing that a watcher sends has a meaning.
const MAX_INCOMING_BYTES = 1024;
// The only sign of a peer that vanished without a word, since no heartbeat frames are sent.
const TCP_KEEPALIVE_MS = 60_000;
const PROTOCOL_VERSION = '13';

export interface WatchParts {
  readonly service: Service;
  readonly keys: KeyAuthority;
  readonly admission: Admission;
  readonly connections: Pick<Connections, 'becomeWatcher'>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export class WatchServer {
  private readonly parts: WatchParts;
  private readonly hub: WatchHub;
  private webSockets: WebSocketServer | null = null;
  /** The library is loaded for the first who watches. */
  private readonly load: () => Promise<typeof import('ws')>;
  private readonly exchanges = new WeakMap<IncomingMessage, Exchange>();
  private readonly connections = new Set<WatchConnection>();
  private readonly stopListening: () => void;
  private isClosed = false;

  constructor(parts: WatchParts) {
    this.parts = parts;
    this.hub = new WatchHub(parts.service);
    this.load = loadLater(() => import('ws'), parts.log);
    this.stopListening = parts.keys.onChange((isLive) => {
      for (const connection of this.connections) {
        if (connection.record !== null && !isLive(connection.record)) connection.keyRevoked();
      }
    });
  }

  /** Takes an upgrade of the watch route. */
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.exchanges.set(req, new Exchange());
    if (this.webSockets !== null) {
      this.take(this.webSockets, req, socket, head);
      return;
    }
    // Meanwhile nobody else listens: without this the end of a client would end the daemon.
    const gone = () => socket.destroy();
    socket.on('error', gone);
    this.load()
      .then((library) => {
        socket.off('error', gone);
        this.webSockets ??= this.createServer(library);
        this.take(this.webSockets, req, socket, head);
      })
      .catch((error: unknown) => this.refuse(req, socket, error));
  }

  private createServer(library: typeof import('ws')): WebSocketServer {
    const webSockets = new library.WebSocketServer({
      noServer: true,
      clientTracking: true,
      perMessageDeflate: false,
      maxPayload: MAX_INCOMING_BYTES,
      autoPong: false,
    });
    webSockets.on('headers', (headers, req) => {
      headers.push(`X-Request-Id: ${this.exchanges.get(req)?.requestId ?? ''}`);
    });
    webSockets.on('wsClientError', (error, socket, req) => {
      this.refuse(req, socket, new SubstrateError('invalid_request', `${error.message}.`));
    });
    return webSockets;
  }

  private take(webSockets: WebSocketServer, req: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.isClosed) {
      socket.destroy();
      return;
    }
    const exchange = this.exchanges.get(req) ?? new Exchange();
    try {
      const match = this.parts.admission.admit(req, exchange);
      if (req.headers['sec-websocket-version'] !== PROTOCOL_VERSION) {
        throw new SubstrateError('upgrade_required', `Sec-WebSocket-Version: expected ${PROTOCOL_VERSION}.`);
      }
      this.connect(webSockets, req, socket, head, match, exchange);
    } catch (error) {
      this.refuse(req, socket, error);
    }
  }

  /** Drops every connection without a close frame: that tells the clients to come back. */
  close(): void {
    this.stopListening();
    this.isClosed = true;
    for (const webSocket of this.webSockets?.clients ?? []) webSocket.terminate();
  }

  private connect(
    webSockets: WebSocketServer,
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    match: Match,
    exchange: Exchange,
  ): void {
    const { admission, connections, metrics } = this.parts;
    // Joined first, because an unknown pid must be answered before the handshake is.
    let connection: WatchConnection | null = null;
    const keys = parseParameter('keys', keysQuery, queryValue(match, 'keys')) ?? null;
    const pid = pidOf(match);
    const { permissions, keyId } = exchange.caller ?? ANONYMOUS;
    this.parts.service.allow({ pid }, permissions);
    const leave = this.hub.join(pid, keys, keyId, {
      deliver: (message) => connection?.deliver(message),
      notify: (text) => connection?.notify(text),
      processExited: () => connection?.processExited(),
    });
    // Ended in any way, a failed handshake included.
    socket.once('close', leave);
    connections.becomeWatcher(req.socket, exchange.caller?.keyId ?? null);
    webSockets.handleUpgrade(req, socket, head, (webSocket: WebSocket) => {
      req.socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
      const opened = new WatchConnection(webSocket, exchange.caller, () => metrics.watchDropped());
      connection = opened;
      this.connections.add(opened);
      metrics.watchOpened();
      webSocket.once('close', () => {
        this.connections.delete(opened);
        metrics.watchClosed();
      });
      admission.record(req, exchange, { status: 101 });
    });
  }

  private refuse(req: IncomingMessage, socket: Duplex, error: unknown): void {
    const { admission } = this.parts;
    const exchange = this.exchanges.get(req) ?? new Exchange();
    const reply = admission.replyTo(error, exchange);
    if (reply === null) socket.destroy();
    else sendRaw(socket, reply, exchange.requestId);
    admission.record(req, exchange, reply);
  }
}
