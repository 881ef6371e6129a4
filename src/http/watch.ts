/** The WebSocket side: upgrades, and their connections. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Service } from '../daemon/service.ts';
import { SubstrateError } from '../model/errors.ts';
import type { FleetPort } from '../model/fleet.ts';
import type { Logger } from '../model/log.ts';
import type { Message, MessageAnswer, WatchSink } from '../model/message.ts';
import { keysQuery } from '../model/wire.ts';
import { type Admission, Exchange } from './admission.ts';
import { ANONYMOUS } from './auth.ts';
import type { KeyAuthority } from './caller.ts';
import type { Connections } from './connections.ts';
import { messageHeaders } from './forward.ts';
import { loadLater } from './load-later.ts';
import type { Metrics } from './metrics.ts';
import { errorReply, messageAnswer } from './reply.ts';
import { type Match, pidOf, queryValue } from './router.ts';
import { sendRaw } from './send.ts';
import { parseParameter } from './validation.ts';
import { WatchConnection, WatchSocket } from './watch-connection.ts';
import { watchElsewhere } from './watch-elsewhere.ts';
import { type Listener, WatchHub } from './watch-hub.ts';

// Nothing that a watcher sends is used, so a little room is enough.
const MAX_INCOMING_BYTES = 1024;
// The only sign of a peer that vanished silently, since no heartbeat frames are sent.
const TCP_KEEPALIVE_MS = 60_000;
const PROTOCOL_VERSION = '13';

export interface WatchParts {
  readonly service: Service;
  readonly keys: KeyAuthority;
  readonly admission: Admission;
  readonly connections: Pick<Connections, 'becomeWatcher' | 'addRemoteWatcher'>;
  fleet(): FleetPort | null;
  readonly metrics: Metrics;
  readonly log: Logger;
}

type Watched = Pick<WatchConnection, 'record' | 'keyRevoked'>;

/** A client that wants to watch. */
interface Newcomer {
  readonly webSockets: WebSocketServer;
  readonly req: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly exchange: Exchange;
}

/** Replaces a client that left during the handshake. */
const NOBODY: WatchSink = { send: () => {}, hasRoom: () => false, end: () => {} };

export class WatchServer {
  private readonly parts: WatchParts;
  private readonly hub: WatchHub;
  private webSockets: WebSocketServer | null = null;
  /** Loads the library for the first watcher. */
  private readonly load: () => Promise<typeof import('ws')>;
  private readonly exchanges = new WeakMap<IncomingMessage, Exchange>();
  private readonly connections = new Set<Watched>();
  private readonly remote = new Set<WatchSink>();
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
    // Nobody else listens meanwhile: without this handler an error of the socket would end the daemon.
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
      const newcomer = { webSockets, req, socket, head, exchange };
      if (match.elsewhere === null) this.connect(newcomer, match);
      else this.connectElsewhere(newcomer, match.elsewhere);
    } catch (error) {
      this.refuse(req, socket, error);
    }
  }

  /** Drops every connection without a close frame, so that the clients reconnect. */
  close(): void {
    this.stopListening();
    this.isClosed = true;
    for (const webSocket of this.webSockets?.clients ?? []) webSocket.terminate();
    for (const sink of this.remote) sink.end('lost');
  }

  /**
   * For another host, which watches for a client of its own. Returns a function that ends the watch, or the refusal.
   */
  serve(message: Message, sink: WatchSink): (() => void) | MessageAnswer {
    const { admission, connections, metrics } = this.parts;
    const exchange = new Exchange();
    try {
      const match = admission.admitMessage(message, exchange);
      if (!match.route.upgrade) throw new SubstrateError('invalid_request', 'This route cannot be watched.');
      const releaseSlot = connections.addRemoteWatcher(exchange.caller?.keyId ?? null);
      const opened = new WatchConnection(sink, exchange.caller, () => metrics.watchDropped());
      let leave = () => {};
      try {
        leave = this.join(match, exchange, opened);
      } catch (error) {
        releaseSlot();
        throw error;
      }
      this.connections.add(opened);
      this.remote.add(sink);
      metrics.watchOpened();
      admission.record(message, exchange, { status: 101 });
      return () => {
        leave();
        releaseSlot();
        if (this.remote.delete(sink)) metrics.watchClosed();
        this.connections.delete(opened);
      };
    } catch (error) {
      const reply = admission.replyTo(error, exchange);
      admission.record(message, exchange, reply);
      const refusal = reply ?? errorReply(new SubstrateError('overloaded', 'The daemon stops.'), exchange.requestId);
      return messageAnswer(refusal, exchange.requestId);
    }
  }

  /** Throws if the app may not be watched, or does not exist. Returns a function that leaves. */
  private join(match: Match, exchange: Exchange, listener: Listener): () => void {
    const keys = parseParameter('keys', keysQuery, queryValue(match, 'keys')) ?? null;
    const pid = pidOf(match);
    const { permissions, keyId } = exchange.caller ?? ANONYMOUS;
    this.parts.service.allow({ pid }, permissions);
    return this.hub.join(pid, keys, keyId, listener);
  }

  private connect(newcomer: Newcomer, match: Match): void {
    const { req, socket, exchange } = newcomer;
    const { connections, metrics } = this.parts;
    // Joins first, because an unknown pid must be answered before the handshake.
    let connection: WatchConnection | null = null;
    const leave = this.join(match, exchange, {
      deliver: (message) => connection?.deliver(message),
      notify: (text) => connection?.notify(text),
      processExited: () => connection?.processExited(),
    });
    // Also leaves if the handshake fails.
    socket.once('close', leave);
    connections.becomeWatcher(req.socket, exchange.caller?.keyId ?? null);
    this.shakeHands(newcomer, (sink) => {
      connection = new WatchConnection(sink, exchange.caller, () => metrics.watchDropped());
      return connection;
    });
  }

  /** Asks the host first, because its refusal must be answered before the handshake. */
  private connectElsewhere(newcomer: Newcomer, { host, target }: NonNullable<Match['elsewhere']>): void {
    const { admission, connections, fleet } = this.parts;
    const { req, socket, exchange } = newcomer;
    const gone = new AbortController();
    const leave = () => socket.destroy();
    socket.on('error', leave);
    socket.once('close', () => gone.abort());
    connections.becomeWatcher(req.socket, exchange.caller?.keyId ?? null);
    const watching = {
      host,
      target: withoutKey(target),
      headers: messageHeaders({}, admission.keyForOthers(exchange)),
      signal: gone.signal,
      open: () => {
        socket.off('error', leave);
        let made: WatchSink | null = null;
        this.shakeHands(newcomer, (sink) => {
          made = sink;
          return { record: exchange.caller?.record ?? null, keyRevoked: () => sink.end('key_revoked') };
        });
        return made ?? NOBODY;
      },
    };
    watchElsewhere(fleet(), watching).then(
      (refusal) => {
        if (refusal === null) return;
        sendRaw(socket, refusal, exchange.requestId);
        admission.record(req, exchange, refusal);
      },
      (error: unknown) => this.refuse(req, socket, error),
    );
  }

  /** `begin` is called when the client can be written to. */
  private shakeHands({ webSockets, req, socket, head, exchange }: Newcomer, begin: (sink: WatchSink) => Watched): void {
    const { admission, metrics } = this.parts;
    webSockets.handleUpgrade(req, socket, head, (webSocket: WebSocket) => {
      req.socket.setKeepAlive(true, TCP_KEEPALIVE_MS);
      const opened = begin(new WatchSocket(webSocket));
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

/** Removes the key from the address, because a message to a host carries it in a header. */
function withoutKey(target: string): string {
  const [path = '', query] = target.split('?', 2);
  const rest = new URLSearchParams(query);
  rest.delete('key');
  return rest.size === 0 ? path : `${path}?${rest}`;
}
