/** A request from its arrival to its answer. The order of the checks is part of the API. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { SubstrateError } from '../model/errors.ts';
import { type Admission, Exchange } from './admission.ts';
import { ClientGone, Deadline } from './deadline.ts';
import { readJson } from './json-body.ts';
import type { Metrics } from './metrics.ts';
import type { BucketName, RateLimiter } from './rate-limit.ts';
import type { Reply } from './reply.ts';
import type { Backend, Call, Route } from './route.ts';
import { type Match, pidOf, queryValue } from './router.ts';
import { send } from './send.ts';
import { parseBody, parseParameter } from './validation.ts';

export interface PipelineParts {
  readonly admission: Admission;
  readonly limiter: RateLimiter;
  readonly metrics: Metrics;
  readonly backend: Backend;
  /** Requests in work at once; more are turned away with `overloaded`. */
  readonly maxInWork: number;
}

const TIMEOUT_MESSAGES: Record<Route['timeoutCode'], string> = {
  request_timeout: 'The request took too long.',
  probe_timeout: 'The probe cycle took too long. Read the cached state with fresh=false.',
  action_timeout: 'The action took too long. Whether it took effect is not known: read the state.',
};

export class Pipeline {
  readonly #parts: PipelineParts;
  readonly #inWork = new Set<Deadline>();
  #closing = false;

  constructor(parts: PipelineParts) {
    this.#parts = parts;
  }

  /** From now on every response is the last of its connection. */
  beginClosing(): void {
    this.#closing = true;
  }

  /** Ends what is still in work. */
  abortAll(): void {
    for (const deadline of this.#inWork) deadline.end(new ClientGone('the daemon stops'));
  }

  /** Never rejects. `allowBody` is called before a body is read. */
  async answer(req: IncomingMessage, res: ServerResponse, allowBody: () => void): Promise<void> {
    const { admission } = this.#parts;
    const exchange = new Exchange();
    let reply: Reply | null;
    try {
      const match = admission.admit(req, exchange);
      const { bucket } = match.route;
      if (bucket !== null) this.#spend(bucket, exchange);
      reply = await this.#work(req, res, match, exchange, allowBody);
    } catch (error) {
      reply = admission.replyTo(error, exchange);
    }
    if (reply === null) res.destroy();
    else send(req, res, reply, { requestId: exchange.requestId, closing: this.#closing });
    admission.record(req, exchange, reply);
  }

  async #work(
    req: IncomingMessage,
    res: ServerResponse,
    match: Match,
    exchange: Exchange,
    allowBody: () => void,
  ): Promise<Reply> {
    const { route } = match;
    // What needs no key is cheap, and has to answer when everything else is overloaded.
    if (route.auth && this.#inWork.size >= this.#parts.maxInWork) {
      throw new SubstrateError('overloaded', 'Too many requests are in work.');
    }
    const deadline = new Deadline(
      route.timeoutMs,
      () => new SubstrateError(route.timeoutCode, TIMEOUT_MESSAGES[route.timeoutCode]),
    );
    const onClose = () => deadline.end(new ClientGone('the client has gone'));
    res.once('close', onClose);
    this.#inWork.add(deadline);
    try {
      const readBody = async <T>(schema: z.ZodType<T>) => parseBody(schema, await readJson(req, allowBody));
      return await deadline.within(route.run(this.#call(match, exchange, deadline), readBody));
    } finally {
      this.#inWork.delete(deadline);
      res.off('close', onClose);
      deadline.clear();
    }
  }

  #call(match: Match, exchange: Exchange, deadline: Deadline): Call {
    return {
      backend: this.#parts.backend,
      requestId: exchange.requestId,
      options: { signal: deadline.signal, spendSnapshot: () => this.#spend('snapshot', exchange) },
      pid: () => pidOf(match),
      query: (name, schema) => parseParameter(name, schema, queryValue(match, name)),
      limitTo: (limitMs) => deadline.restart(limitMs),
    };
  }

  #spend(bucket: BucketName, { caller }: Exchange): void {
    try {
      if (caller !== null) this.#parts.limiter.spend(bucket, caller.keyId);
    } catch (error) {
      this.#parts.metrics.rateLimited(bucket);
      throw error;
    }
  }
}
