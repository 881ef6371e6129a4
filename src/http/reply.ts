/** A response before it reaches a socket: status, headers, bytes. */
import type { SubstrateError } from '../model/errors.ts';
import type { MessageAnswer } from '../model/message.ts';
import type { ErrorBody } from '../model/wire.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Bytes are never changed or copied: all readers of a snapshot share them. */
type Body = { readonly chunks: readonly Buffer[] } | { readonly json: unknown };

// A client that comes back at once would only be refused again.
const DEFAULT_RETRY_MS = 1000;

const JSON_TYPE = 'application/json; charset=utf-8';
const FIXED_HEADERS = Object.entries({
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
});

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, headers: {}, body: { json: value } };
}

export function bytesReply(chunks: readonly Buffer[], status = 200): Reply {
  return { status, headers: {}, body: { chunks } };
}

export function textReply(text: string, contentType: string): Reply {
  return { status: 200, headers: { 'Content-Type': contentType }, body: { chunks: [Buffer.from(text)] } };
}

export function errorReply(error: SubstrateError, requestId: string): Reply {
  const retryAfterMs = retryAfterOf(error);
  const body: ErrorBody = {
    ...error.extra,
    error: {
      code: error.code,
      message: error.message,
      request_id: requestId,
      ...(retryAfterMs === null ? {} : { retry_after_ms: retryAfterMs }),
    },
  };
  const headers: Record<string, string> = {};
  if (retryAfterMs !== null) headers['Retry-After'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  // The one route with this error accepts nothing else.
  if (error.code === 'method_not_allowed') headers.Allow = 'POST';
  if (error.code === 'upgrade_required') {
    headers.Upgrade = 'websocket';
    headers.Connection = 'Upgrade';
    headers['Sec-WebSocket-Version'] = '13';
  }
  return { ...jsonReply(body, error.status), headers };
}

export interface Rendered {
  /** Alternating names and values, including those of every response. */
  readonly headers: string[];
  readonly chunks: readonly Buffer[];
}

/** The response to one request. */
export function render(reply: Reply, requestId: string): Rendered {
  const { body } = reply;
  const chunks = 'chunks' in body ? body.chunks : [Buffer.from(JSON.stringify(body.json))];
  const own = reply.headers;
  const headers = ['X-Request-Id', requestId];
  for (const [name, value] of FIXED_HEADERS) if (own[name] === undefined) headers.push(name, value);
  // 304 has no body, so these headers would describe another answer.
  if (reply.status !== 304) {
    if (own['Content-Type'] === undefined) headers.push('Content-Type', JSON_TYPE);
    headers.push('Content-Length', String(sizeOf(chunks)));
  }
  for (const name of Object.keys(own)) headers.push(name, own[name] ?? '');
  return { headers, chunks };
}

/** The answer for another host, which adds the headers of its own responses. */
export function messageAnswer(reply: Reply, requestId: string): MessageAnswer {
  const { status, headers } = reply;
  return { status, headers, chunks: render(reply, requestId).chunks };
}

function sizeOf(chunks: readonly Buffer[]): number {
  let bytes = 0;
  for (const { length } of chunks) bytes += length;
  return bytes;
}

function retryAfterOf(error: SubstrateError): number | null {
  if (error.retryAfterMs !== null) return Math.ceil(error.retryAfterMs);
  return error.code === 'rate_limited' || error.code === 'overloaded' ? DEFAULT_RETRY_MS : null;
}
