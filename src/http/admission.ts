/**
 * The checks that come before any work, the same for requests and for upgrades, in this order: host and origin, route,
 * key, scope.
 */
import type { IncomingMessage } from 'node:http';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import type { Message } from '../model/message.ts';
import type { Permissions } from '../model/permissions.ts';
import { type Authenticator, presentedKey } from './auth.ts';
import type { Caller } from './caller.ts';
import type { Connections } from './connections.ts';
import { ClientGone } from './deadline.ts';
import type { Metrics } from './metrics.ts';
import type { OriginGuard } from './origin-guard.ts';
import { errorReply, type Reply } from './reply.ts';
import { requestId } from './request-id.ts';
import type { Route } from './route.ts';
import { isForOthers, type Match, type Router } from './router.ts';

// What proxies use for a client that did not wait. It is only logged and counted: nobody is there to read it.
const CLIENT_GONE_STATUS = 499;

/** One request from its arrival to its line in the log. */
export class Exchange {
  readonly requestId = requestId();
  private readonly startedAt = performance.now();
  route: Route | null = null;
  caller: Caller | null = null;
  /** The key as it came. Never logged. */
  presented: string | undefined = undefined;

  elapsedMs(): number {
    return performance.now() - this.startedAt;
  }
}

export interface AdmissionParts {
  readonly guard: OriginGuard;
  readonly router: Router;
  readonly authenticator: Authenticator;
  readonly connections: Pick<Connections, 'noteKey'>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export class Admission {
  private readonly parts: AdmissionParts;
  private lastAt = performance.now();

  constructor(parts: AdmissionParts) {
    this.parts = parts;
  }

  /** How long nobody has come whom a key lets in. */
  idleMs(): number {
    return performance.now() - this.lastAt;
  }

  /** Throws the error to answer with. What is known by then stands in the exchange. */
  admit(req: IncomingMessage, exchange: Exchange): Match {
    const { guard, router } = this.parts;
    guard.check(req);
    const match = router.match(req.method ?? '', req.url ?? '');
    const { route, query } = match;
    exchange.route = route;
    if (route.auth) {
      const places = { query: route.upgrade ? query : null, bearer: route.bearer };
      this.identify(presentedKey(req, places), exchange);
      this.parts.connections.noteKey(req.socket);
    }
    checkScope(exchange);
    return match;
  }

  /** For what came from another host: no browser speaks there, and it goes no further. */
  admitMessage({ method, target, headers }: Message, exchange: Exchange): Match {
    const match = this.parts.router.match(method, target);
    exchange.route = match.route;
    if (match.elsewhere !== null || !isForOthers(match.route))
      throw new SubstrateError('not_found', 'This is not asked of other hosts.');
    this.identify(headers['x-substrate-key'], exchange);
    checkScope(exchange);
    return match;
  }

  /** For a request from within, whose caller is known. */
  find(method: string, target: string, exchange: Exchange): Match {
    const match = this.parts.router.match(method, target);
    exchange.route = match.route;
    checkScope(exchange);
    return match;
  }

  private identify(presented: string | undefined, exchange: Exchange): void {
    exchange.caller = this.parts.authenticator.identify(presented);
    exchange.presented = presented;
    this.lastAt = performance.now();
  }

  /** The key that goes with a request for another host; null: none. */
  keyForOthers({ presented }: Exchange): string | null {
    return this.parts.authenticator.keyForOthers(presented);
  }

  permissionsNow(caller: Caller): Permissions {
    return this.parts.authenticator.permissionsNow(caller);
  }

  /** The one place where a throw becomes an answer. Null: there is nobody to answer. */
  replyTo(error: unknown, { requestId, route }: Exchange): Reply | null {
    if (error instanceof SubstrateError) return errorReply(error, requestId);
    if (error instanceof ClientGone) return null;
    this.parts.log.error({ request_id: requestId, route: route?.path, err: error }, 'unexpected fault');
    const message = `Something went wrong inside the daemon; its log has more under the request id ${requestId}.`;
    return errorReply(new SubstrateError('internal', message), requestId);
  }

  /** One line in the log, one step of the counters. Neither sees a URL, a key or a body. */
  record(req: Pick<IncomingMessage, 'method'>, exchange: Exchange, reply: Pick<Reply, 'status'> | null): void {
    const status = reply?.status ?? CLIENT_GONE_STATUS;
    const method = req.method ?? '';
    const route = exchange.route?.path ?? 'unmatched';
    const ms = exchange.elapsedMs();
    const keyId = exchange.caller?.keyId ?? null;
    this.parts.metrics.request({ route, method, status, seconds: ms / 1000, keyId });
    this.parts.log.debug(
      { request_id: exchange.requestId, method, route, status, ms: Math.round(ms * 1000) / 1000, key_id: keyId },
      'request',
    );
  }
}

/** A route without a scope asks others, which have theirs, or needs none. */
function checkScope({ route, caller }: Exchange): void {
  if (route !== null && route.scope !== null) caller?.permissions.requireScope(route.scope);
}
