/** The definition of a route, and the interface of its handler. */
import type { IncomingHttpHeaders } from 'node:http';
import type * as z from 'zod';
import type { AppSelector, CallOptions, Service } from '../daemon/service.ts';
import type { ErrorCode } from '../model/errors.ts';
import type { FleetPort } from '../model/fleet.ts';
import type { Ask, McpAnswer, McpExchange } from '../model/mcp-exchange.ts';
import type { Permissions } from '../model/permissions.ts';
import type { RetryRecords } from '../model/retries.ts';
import type { Scope } from '../model/scope.ts';
import type { Caller } from './caller.ts';
import type { DashboardKeys } from './dashboard-keys.ts';
import type { Reply } from './reply.ts';

export const PREFIX = '/substrate/v1';
export const STANDARD = { timeoutMs: 30_000, timeoutCode: 'request_timeout' } as const;

/** The parts of the daemon that handlers may use. */
export interface Backend {
  readonly service: Service;
  health(): unknown;
  /** The OpenAPI document as text. */
  openapi(): string;
  /** Filtered by the permissions: ids of other keys need the scope admin, numbers of apps need read. */
  metrics(permissions: Permissions): Promise<{ text: string; contentType: string }>;
  dashboard(): Reply;
  readonly dashboardKeys: Pick<DashboardKeys, 'makeCode' | 'redeem'>;
  readonly retries: RetryRecords;
  /** Null if this daemon is in no fleet. */
  fleet(): FleetPort | null;
  /** Answers a message of the Model Context Protocol. */
  mcp(exchange: McpExchange): Promise<McpAnswer>;
}

export interface Call {
  readonly backend: Backend;
  readonly options: CallOptions;
  readonly requestId: string;
  readonly headers: IncomingHttpHeaders;
  /** Null if no key is needed. */
  readonly caller: Caller | null;
  /** The caller's key for requests to other hosts; null if there is none. */
  keyForOthers(): string | null;
  readonly ask: Ask;
  /** The caller is another route, through `ask`. */
  readonly isInner: boolean;
  /** The pid in the path, of an app that the key may use. Throws `invalid_request` or `forbidden_scope`. */
  pid(): number;
  /** Throws `forbidden_scope` if the key may not use the app that a body names. */
  allow(app: AppSelector): void;
  /** A parameter of the query; the schema gets undefined if it is absent. Throws `invalid_request`. */
  query<T>(name: string, schema: z.ZodType<T>): T;
  /** Takes a token of the caller's bucket in addition to the route's cost. Throws `rate_limited`. */
  spend(bucket: 'state' | 'action'): void;
  /** Replaces the route's time limit, counted from now. */
  limitTo(limitMs: number): void;
  /**
   * Runs work that may take long without a pause, when the caller's turn comes: one per key at a time, others in
   * between.
   */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
}

/** The part of a request that is available without waiting. */
export type MemoryCall = Pick<Call, 'backend' | 'headers' | 'pid'> & { readonly hasQuery: boolean };

interface QueryDoc {
  readonly name: string;
  readonly schema: z.ZodType;
  readonly required: boolean;
  readonly description: string;
}

/** For the OpenAPI document. */
interface RouteDoc {
  readonly operationId: string;
  readonly summary: string;
  readonly query?: readonly QueryDoc[];
  /** Header fields that it supports. */
  readonly headers?: readonly { readonly name: string; readonly description: string }[];
  /** The schema of a JSON answer, or the content type of another one. */
  readonly answer: z.ZodType | string;
  /** True if the answer has an ETag, and If-None-Match is supported. */
  readonly isTagged?: true;
  /** True if 202 without a body is also an answer. */
  readonly mayAnswerNothing?: true;
  /** Its own codes; the common ones of its kind are added. */
  readonly errors?: readonly ErrorCode[];
}

interface RouteFacts {
  /** `{pid}` can only be the last part. */
  readonly path: string;
  readonly auth: boolean;
  /** The scope that a key needs; null if any key will do. */
  readonly scope: Scope | null;
  /** The bucket that pays for a request, or null. */
  readonly bucket: 'state' | 'action' | null;
  /** The limit per key of requests at work; more are refused with `overloaded`. */
  readonly maxPerKey?: number;
  /**
   * True if making an answer takes time in proportion to the state, without a pause: requests of one key take turns.
   */
  readonly takesTurns?: true;
  readonly timeoutMs: number;
  readonly timeoutCode: 'request_timeout' | 'probe_timeout' | 'action_timeout';
  /** The answer if it is ready, null if `run` has to make it. A read from memory costs little more than this. */
  readonly fromMemory?: (call: MemoryCall) => Reply | null;
  readonly doc: RouteDoc;
}

export interface Route extends RouteFacts {
  readonly method: 'GET' | 'POST';
  /** True for the WebSocket: the key may also come as `?key=`. */
  readonly upgrade: boolean;
  /** True if the key may also come as `Authorization: Bearer`. */
  readonly bearer: boolean;
  /** True if other methods get 405 instead of 404, as a protocol requires. */
  readonly refusesOtherMethods: boolean;
  readonly request: z.ZodType | null;
  /** `readBody` checks the body against `request`. */
  run(call: Call, readBody: <T>(schema: z.ZodType<T>) => Promise<T>): Promise<Reply>;
}

interface Get extends RouteFacts {
  handle(call: Call): Reply | Promise<Reply>;
}

interface Post<T> extends RouteFacts {
  readonly request: z.ZodType<T>;
  handle(call: Call, body: T): Reply | Promise<Reply>;
}

const USUAL = { upgrade: false, bearer: false, refusesOtherMethods: false } as const;

export function get({ handle, ...facts }: Get): Route {
  const run = async (call: Call) => (facts.takesTurns ? call.inTurn(() => handle(call)) : handle(call));
  return { ...facts, ...USUAL, method: 'GET', request: null, run };
}

export function post<T>({ handle, ...facts }: Post<T>): Route {
  return {
    ...facts,
    ...USUAL,
    method: 'POST',
    run: async (call, readBody) => {
      const body = await readBody(facts.request);
      return facts.takesTurns ? call.inTurn(() => handle(call, body)) : handle(call, body);
    },
  };
}
