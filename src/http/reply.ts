/** What a response is made of before it meets a socket: status, headers, bytes. */
import type { SubstrateError } from '../model/errors.ts';
import type { ErrorBody } from '../model/wire.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Never changed and never copied: a snapshot's bytes are shared by everyone who reads it. */
  readonly chunks: readonly Buffer[];
}

// A client told to come back at once would only be turned away again.
const DEFAULT_RETRY_MS = 1000;

const FIXED_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

export function jsonReply(value: unknown, status = 200): Reply {
  return bytesReply([Buffer.from(JSON.stringify(value))], status);
}

export function bytesReply(chunks: readonly Buffer[], status = 200): Reply {
  return { status, headers: {}, chunks };
}

export function textReply(text: string, contentType: string): Reply {
  return { status: 200, headers: { 'Content-Type': contentType }, chunks: [Buffer.from(text)] };
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
  // The one route that answers so takes nothing else.
  if (error.code === 'method_not_allowed') headers.Allow = 'POST';
  if (error.code === 'upgrade_required') {
    headers.Upgrade = 'websocket';
    headers.Connection = 'Upgrade';
    headers['Sec-WebSocket-Version'] = '13';
  }
  return { ...jsonReply(body, error.status), headers };
}

/** The headers of the response to one request, those that every response has included. */
export function headersOf(reply: Reply, requestId: string): Record<string, string> {
  return {
    ...FIXED_HEADERS,
    'X-Request-Id': requestId,
    'Content-Length': String(lengthOf(reply)),
    ...reply.headers,
  };
}

function retryAfterOf(error: SubstrateError): number | null {
  if (error.retryAfterMs !== null) return Math.ceil(error.retryAfterMs);
  return error.code === 'rate_limited' || error.code === 'overloaded' ? DEFAULT_RETRY_MS : null;
}

function lengthOf(reply: Reply): number {
  return reply.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
}
