/** What a route is, and what its handler gets to see. */
import type { z } from 'zod';
import type { CallOptions, Service } from '../daemon/service.ts';
import type { ErrorCode } from '../model/errors.ts';
import type { Reply } from './reply.ts';

/** What handlers may use of the daemon. */
export interface Backend {
  readonly service: Service;
  health(): unknown;
  /** The OpenAPI document as text. */
  openapi(): string;
  metrics(): Promise<{ text: string; contentType: string }>;
}

export interface Call {
  readonly backend: Backend;
  readonly options: CallOptions;
  readonly requestId: string;
  /** Of the path. Throws `invalid_request`. */
  pid(): number;
  /** A parameter of the query, undefined for the schema when it is absent. Throws `invalid_request`. */
  query<T>(name: string, schema: z.ZodType<T>): T;
  /** Replaces the route's time limit, counted from now. */
  limitTo(limitMs: number): void;
}

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
  /** The schema of a JSON answer, or the content type of another one. */
  readonly answer: z.ZodType | string;
  /** Those of its own; what holds for every route of its kind is added. */
  readonly errors?: readonly ErrorCode[];
}

interface RouteFacts {
  /** `{pid}` can only be the last part. */
  readonly path: string;
  readonly auth: boolean;
  /** What a request costs; null: nothing. */
  readonly bucket: 'state' | 'action' | null;
  readonly timeoutMs: number;
  readonly timeoutCode: 'request_timeout' | 'probe_timeout' | 'action_timeout';
  readonly doc: RouteDoc;
}

export interface Route extends RouteFacts {
  readonly method: 'GET' | 'POST';
  /** True for the WebSocket: the key may also come as `?key=`. */
  readonly upgrade: boolean;
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

export function get({ handle, ...facts }: Get): Route {
  return { ...facts, method: 'GET', upgrade: false, request: null, run: async (call) => handle(call) };
}

export function post<T>({ handle, ...facts }: Post<T>): Route {
  return {
    ...facts,
    method: 'POST',
    upgrade: false,
    run: async (call, readBody) => handle(call, await readBody(facts.request)),
  };
}
