/** Forwards a request to another daemon of the fleet, with the caller's own key. That daemon decides. */
import type { IncomingHttpHeaders } from 'node:http';
import { SubstrateError } from '../model/errors.ts';
import { NO_DAEMON } from '../model/fleet.ts';
import type { Message, MessageAnswer } from '../model/message.ts';
import { bytesReply, jsonReply, type Reply } from './reply.ts';
import type { Call } from './route.ts';
import type { Match } from './router.ts';

/** Added to the limit of the route, so that the host's own answer to a late request arrives. */
export const ELSEWHERE_MS = 10_000;
/** The part of it for the way back. */
const WAY_BACK_MS = 2000;
const SENT_HEADERS = ['if-match', 'if-none-match', 'idempotency-key'];
/** No others: a host must not control what this daemon's pages may do. */
const TAKEN_HEADERS = ['ETag', 'Retry-After', 'Idempotency-Replayed', 'Allow'];

export async function forward(
  { route }: Match,
  { host, target }: NonNullable<Match['elsewhere']>,
  { backend, options }: Pick<Call, 'backend' | 'options'>,
  key: string | null,
  source: { readonly headers: IncomingHttpHeaders; readonly isInner: boolean; readJson(): Promise<unknown> },
): Promise<Reply> {
  const fleet = backend.fleet();
  if (fleet === null)
    throw new SubstrateError('not_found', 'This daemon is in no fleet: [fleet] of its configuration names no servers.');
  const body = route.request === null ? null : Buffer.from(JSON.stringify(await source.readJson()));
  const message: Message = {
    method: route.method,
    target,
    headers: messageHeaders(source.headers, key),
    body,
    limitMs: route.timeoutMs + ELSEWHERE_MS - WAY_BACK_MS,
    signal: options.signal,
  };
  return replyOf(await fleet.ask(host, message), source.isInner);
}

export function messageHeaders(headers: IncomingHttpHeaders, key: string | null): Record<string, string> {
  const sent: Record<string, string> = key === null ? {} : { 'x-substrate-key': key };
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && (SENT_HEADERS.includes(name) || name.startsWith('mcp-'))) sent[name] = value;
  return sent;
}

export function replyOf({ status, headers, chunks }: MessageAnswer, isInner: boolean): Reply {
  const buffers = chunks.map((chunk) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  const taken = Object.fromEntries(Object.entries(headers).filter(([name]) => TAKEN_HEADERS.includes(name)));
  const reply = isInner ? jsonReply(parsed(Buffer.concat(buffers)), status) : bytesReply(buffers, status);
  return { ...reply, headers: taken };
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    throw new SubstrateError('host_unreachable', NO_DAEMON, { cause: error });
  }
}
