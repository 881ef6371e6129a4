/**
 * The checks before any work, the same for requests and for upgrades, in this order: host and origin, route, key,
 * scope.
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

// Proxies use this status for a client that did not wait. It is only logged and counted: nobody reads it.
const CLIENT_GONE_STATUS = 499;

/** One request from its arrival to its line in the log. */
export class Exchange {
  readonly requestId = requestId();
  private readonly startedAt = performance.now();
  route: Route | null = null;
  caller: Caller | null = null;
  /** The key as received. Never logged. */
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

  /** The time since the last request with a valid key. */
  idleMs(): number {
    return performance.now() - this.lastAt;
  }

  /** Throws the error to answer with, and fills in the exchange. */
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

  /** For a message of another host: no browser sends it, and it is not forwarded again. */
  admitMessage({ method, target, headers }: Message, exchange: Exchange): Match {
    const match = this.parts.router.match(method, target);
    exchange.route = match.route;
    if (match.elsewhere !== null || !isForOthers(match.route))
      throw new SubstrateError('not_found', 'This is not asked of other hosts.');
    this.identify(headers['x-substrate-key'], exchange);
    checkScope(exchange);
    return match;
  }

  /** For an inner request, whose caller is known. */
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

  /** The key to forward with a request for another host, or null. */
  keyForOthers({ presented }: Exchange): string | null {
    return this.parts.authenticator.keyForOthers(presented);
  }

  permissionsNow(caller: Caller): Permissions {
    return this.parts.authenticator.permissionsNow(caller);
  }

  /** The one place where an exception becomes an answer. Null if there is nobody to answer. */
  replyTo(error: unknown, { requestId, route }: Exchange): Reply | null {
    if (error instanceof SubstrateError) return errorReply(error, requestId);
    if (error instanceof ClientGone) return null;
    this.parts.log.error({ request_id: requestId, route: route?.path, err: error }, 'unexpected fault');
    const message = `Something went wrong inside the daemon; its log has more under the request id ${requestId}.`;
    return errorReply(new SubstrateError('internal', message), requestId);
  }

  /** Writes one line to the log, and updates the counters. Neither sees a URL, a key or a body. */
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

/** A route without a scope calls others, which have theirs, or needs none. */
function checkScope({ route, caller }: Exchange): void {
  if (route !== null && route.scope !== null) caller?.permissions.requireScope(route.scope);
}
