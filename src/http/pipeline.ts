/** Handles a request from its arrival to its answer. The order of the checks is part of the API. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type * as z from 'zod';
import type { AppSelector } from '../daemon/service.ts';
import { SubstrateError } from '../model/errors.ts';
import { inSlices } from '../model/in-slices.ts';
import type { Ask } from '../model/mcp-exchange.ts';
import type { Message, MessageAnswer } from '../model/message.ts';
import type { Permissions } from '../model/permissions.ts';
import { type Admission, Exchange } from './admission.ts';
import { ANONYMOUS } from './auth.ts';
import { ClientGone, Deadline } from './deadline.ts';
import { ELSEWHERE_MS, forward } from './forward.ts';
import { parseJson, readJson } from './json-body.ts';
import type { Metrics } from './metrics.ts';
import type { BucketName, RateLimiter } from './rate-limit.ts';
import { messageAnswer, type Reply } from './reply.ts';
import type { Backend, Call, Route } from './route.ts';
import { type Match, pidOf, queryValue } from './router.ts';
import { send } from './send.ts';
import { parseBody, parseParameter } from './validation.ts';

export interface PipelineParts {
  readonly admission: Admission;
  readonly limiter: RateLimiter;
  readonly metrics: Metrics;
  readonly backend: Backend;
  /** Requests at work at once; more are refused with `overloaded`. */
  readonly maxInWork: number;
  readonly stalledReaderMs: number;
}

/** The source of a request: a socket, or another request. */
interface Source {
  readonly headers: IncomingHttpHeaders;
  readonly isInner: boolean;
  /** How long the caller waits; absent if as long as the route allows. */
  readonly limitMs?: number;
  readJson(): Promise<unknown>;
  /** Calls the listener when nobody waits for the answer any more. Returns a function that removes it. */
  onGone(listener: () => void): () => void;
}

const TIMEOUT_MESSAGES: Record<Route['timeoutCode'], string> = {
  request_timeout: 'The request took too long.',
  probe_timeout: 'The probe cycle took too long. Read the cached state with fresh=false.',
  action_timeout: 'The action took too long. Whether it took effect is not known: read the state.',
};

/** All callers without a key share one bucket; no key has this id. */
const NOBODY = 'nobody';

const NOTHING = new Uint8Array();

/** Returns a function that removes the listener. */
function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  return () => signal.removeEventListener('abort', listener);
}

/** Work that cannot pause. */
function inOnePiece<Result>(work: () => Result): Iterator<void, Result> {
  return { next: () => ({ done: true, value: work() }) };
}

/** The pid in the path, of an app that the key may use. */
function allowedPid(match: Match, { service }: Backend, permissions: Permissions): number {
  const pid = pidOf(match);
  service.allow({ pid }, permissions);
  return pid;
}

export class Pipeline {
  private readonly parts: PipelineParts;
  /** The key of each. */
  private readonly inWork = new Map<Deadline, { readonly keyId: string | null; readonly route: Route }>();
  private closing = false;

  constructor(parts: PipelineParts) {
    this.parts = parts;
  }

  get isAtWork(): boolean {
    return this.inWork.size > 0;
  }

  /** From now on every response is the last of its connection. */
  beginClosing(): void {
    this.closing = true;
  }

  /** Aborts the work that is still going on. */
  abortAll(): void {
    for (const deadline of this.inWork.keys()) deadline.end(new ClientGone('the daemon stops'));
  }

  /** Never throws. `allowBody` is called before a body is read. */
  answer(req: IncomingMessage, res: ServerResponse, allowBody: () => void): void {
    const { admission } = this.parts;
    const exchange = new Exchange();
    try {
      const match = admission.admit(req, exchange);
      this.payFor(match, exchange);
      const reply = this.fromMemory(match, exchange, req);
      if (reply !== null) this.finish(req, res, exchange, reply);
      else void this.answerLater(match, exchange, req, res, allowBody);
    } catch (error) {
      this.finish(req, res, exchange, admission.replyTo(error, exchange));
    }
  }

  /** A request that did not come over HTTP. Never throws. Null if nobody waits for the answer. */
  async serve(message: Message): Promise<MessageAnswer | null> {
    const { admission } = this.parts;
    const exchange = new Exchange();
    const reply = await this.replyOf(exchange, () => {
      const match = admission.admitMessage(message, exchange);
      this.payFor(match, exchange);
      this.checkRoom(match, exchange);
      return this.work(match, exchange, {
        headers: message.headers,
        isInner: false,
        limitMs: message.limitMs,
        readJson: async () => parseJson(message.body ?? NOTHING),
        onGone: (listener) => whenAborted(message.signal, listener),
      });
    });
    admission.record(message, exchange, reply);
    return reply === null ? null : messageAnswer(reply, exchange.requestId);
  }

  /** An answer that is ready is sent in the same turn as the request. Null if work is needed. */
  private fromMemory(match: Match, { caller }: Exchange, { headers }: IncomingMessage): Reply | null {
    const { backend } = this.parts;
    const { permissions } = caller ?? ANONYMOUS;
    if (match.elsewhere !== null) return null;
    return (
      match.route.fromMemory?.({
        backend,
        headers,
        hasQuery: match.query.size > 0,
        pid: () => allowedPid(match, backend, permissions),
      }) ?? null
    );
  }

  private async answerLater(
    match: Match,
    exchange: Exchange,
    req: IncomingMessage,
    res: ServerResponse,
    allowBody: () => void,
  ): Promise<void> {
    const reply = await this.replyOf(exchange, () => {
      // Routes without a key are cheap, and must answer even when everything else is overloaded.
      if (match.route.auth) this.checkRoom(match, exchange);
      return this.work(match, exchange, {
        headers: req.headers,
        isInner: false,
        readJson: () => readJson(req, allowBody),
        onGone: (listener) => {
          res.once('close', listener);
          return () => res.off('close', listener);
        },
      });
    });
    this.finish(req, res, exchange, reply);
  }

  /** `reply` is null if there is nobody to answer. */
  private finish(req: IncomingMessage, res: ServerResponse, exchange: Exchange, reply: Reply | null): void {
    const { admission, stalledReaderMs } = this.parts;
    if (reply === null) res.destroy();
    else send(req, res, reply, { requestId: exchange.requestId, closing: this.closing, stalledReaderMs });
    admission.record(req, exchange, reply);
  }

  /** Lets a route call others with the permissions of its caller. Their work counts as its own. */
  private askerFor({ caller, presented }: Exchange): Ask {
    const { admission } = this.parts;
    return async ({ method, target, headers, body, signal }) => {
      const exchange = new Exchange();
      exchange.caller = caller;
      exchange.presented = presented;
      const reply = await this.replyOf(exchange, () => {
        if (signal.aborted) throw new ClientGone('nobody waits for it');
        const match = admission.find(method, target, exchange);
        this.payFor(match, exchange);
        this.checkRoom(match, exchange);
        return this.work(match, exchange, {
          headers,
          isInner: true,
          readJson: async () => body,
          onGone: (listener) => whenAborted(signal, listener),
        });
      });
      admission.record({ method }, exchange, reply);
      if (reply === null) throw new ClientGone('nobody waits for it any more');
      return { status: reply.status, value: 'json' in reply.body ? reply.body.json : undefined };
    };
  }

  private async replyOf(exchange: Exchange, work: () => Promise<Reply>): Promise<Reply | null> {
    try {
      return await work();
    } catch (error) {
      return this.parts.admission.replyTo(error, exchange);
    }
  }

  private async work(match: Match, exchange: Exchange, source: Source): Promise<Reply> {
    const { route } = match;
    const limitMs = match.elsewhere === null ? route.timeoutMs : route.timeoutMs + ELSEWHERE_MS;
    const deadline = new Deadline(
      Math.min(limitMs, source.limitMs ?? limitMs),
      () => new SubstrateError(route.timeoutCode, TIMEOUT_MESSAGES[route.timeoutCode]),
    );
    const stopListening = source.onGone(() => deadline.end(new ClientGone('the client has gone')));
    this.inWork.set(deadline, { keyId: exchange.caller?.keyId ?? null, route });
    try {
      const readBody = async <T>(schema: z.ZodType<T>) => parseBody(schema, await source.readJson());
      const call = this.call(match, exchange, source, deadline);
      return await deadline.within(
        match.elsewhere === null || route.upgrade
          ? route.run(call, readBody)
          : forward(match, match.elsewhere, call, this.parts.admission.keyForOthers(exchange), source),
      );
    } finally {
      this.inWork.delete(deadline);
      stopListening();
      deadline.clear();
    }
  }

  /** A key may have as many requests at work as there is room left, so that the next key finds some, too. */
  private checkRoom({ route }: Match, { caller }: Exchange): void {
    const room = this.parts.maxInWork - this.inWork.size;
    if (room <= 0) throw new SubstrateError('overloaded', 'Too many requests are in work.');
    let own = 0;
    let same = 0;
    for (const other of this.inWork.values()) {
      if (other.keyId !== (caller?.keyId ?? null)) continue;
      own++;
      if (other.route === route) same++;
    }
    if (route.maxPerKey !== undefined && same >= route.maxPerKey) {
      const message = `${same} requests of this key for ${route.path} are in work, which is the most. Wait until one ends.`;
      throw new SubstrateError('overloaded', message);
    }
    if (own < room) return;
    const message = `${own} requests of this key are in work; the rest of the room is for other keys. Wait until some end.`;
    throw new SubstrateError('overloaded', message);
  }

  private call(match: Match, exchange: Exchange, source: Source, deadline: Deadline): Call {
    const { headers, isInner } = source;
    const caller = exchange.caller ?? ANONYMOUS;
    const allow = (app: AppSelector) => this.parts.backend.service.allow(app, caller.permissions);
    return {
      backend: this.parts.backend,
      requestId: exchange.requestId,
      headers,
      caller: exchange.caller,
      keyForOthers: () => this.parts.admission.keyForOthers(exchange),
      ask: this.askerFor(exchange),
      isInner,
      options: {
        keyId: caller.keyId,
        keyLabel: caller.record?.label ?? null,
        permissions: caller.permissions,
        permissionsNow: () => this.parts.admission.permissionsNow(caller),
        get signal() {
          return deadline.signal;
        },
        spendSnapshot: () => this.spend('snapshot', exchange),
      },
      allow,
      pid: () => allowedPid(match, this.parts.backend, caller.permissions),
      query: (name, schema) => parseParameter(name, schema, queryValue(match, name)),
      spend: (bucket) => this.spend(bucket, exchange),
      limitTo: (limitMs) => deadline.restart(Math.min(limitMs, source.limitMs ?? limitMs)),
      inTurn: async (work) =>
        inSlices(inOnePiece(work), { owner: caller.keyId, goOn: () => deadline.signal.throwIfAborted() }),
    };
  }

  private payFor({ route: { bucket } }: Match, exchange: Exchange): void {
    if (bucket !== null) this.spend(bucket, exchange);
  }

  private spend(bucket: BucketName, { caller }: Exchange): void {
    try {
      this.parts.limiter.spend(bucket, caller?.keyId ?? NOBODY);
    } catch (error) {
      this.parts.metrics.rateLimited(bucket);
      throw error;
    }
  }
}
