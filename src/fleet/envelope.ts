/**
 * Messages between daemons: one line of JSON, then bytes. Anybody whom the NATS server permits may have sent one, so
 * each is validated here, once.
 */
import * as z from 'zod';
import type { Message, MessageAnswer } from '../model/message.ts';

/** Limit for the line of JSON. */
const MAX_HEAD_BYTES = 32 * 1024;
/** Longer than any route takes. */
const MAX_LIMIT_MS = 600_000;
const NEW_LINE = 0x0a;

const headers = z
  .record(
    z.string().regex(/^[a-z0-9-]{1,64}$/i),
    z
      .string()
      .max(4096)
      .regex(/^[^\r\n\0]*$/),
  )
  .refine((given) => Object.keys(given).length <= 32);

const requestHead = z.strictObject({
  v: z.literal(1),
  method: z.enum(['GET', 'POST']),
  target: z
    .string()
    .max(16_384)
    .regex(/^\/[\x21-\x7e]*$/),
  headers,
  limit_ms: z.int().min(1).max(MAX_LIMIT_MS),
  body: z.boolean(),
});

const frameHead = z.discriminatedUnion('t', [
  /** The request is being handled. */
  z.strictObject({ t: z.literal('wait') }),
  /** The beginning of an answer, with its first bytes. */
  z.strictObject({
    t: z.literal('head'),
    status: z.int().min(200).max(599),
    headers,
    /** Length of the whole body, of which this frame holds the beginning. */
    bytes: z.int().min(0),
  }),
  z.strictObject({ t: z.literal('part'), n: z.int().min(1) }),
  /** The watch has begun: events follow. */
  z.strictObject({ t: z.literal('open') }),
  z.strictObject({ t: z.literal('event') }),
  z.strictObject({ t: z.literal('end'), why: z.enum(['process_exited', 'key_revoked', 'lost']) }),
]);

export type FrameHead = z.infer<typeof frameHead>;
export interface Frame {
  readonly head: FrameHead;
  readonly bytes: Uint8Array;
}

export type Request = Omit<Message, 'signal'>;

export function encodeRequest({ method, target, headers, limitMs, body }: Request): Uint8Array {
  return joined({ v: 1, method, target, headers, limit_ms: Math.ceil(limitMs), body: body !== null }, body);
}

/** Null if the message is malformed. Never throws. */
export function decodeRequest(message: Uint8Array): Request | null {
  const found = splitHead(message);
  const head = found === null ? null : requestHead.safeParse(found.head);
  if (found === null || !head?.success) return null;
  const { method, target, headers, limit_ms, body } = head.data;
  if (!body && found.bytes.length > 0) return null;
  return { method, target, headers: withLowerCaseNames(headers), limitMs: limit_ms, body: body ? found.bytes : null };
}

export function encodeFrame(head: FrameHead, bytes: Uint8Array | null = null): Uint8Array {
  return joined(head, bytes);
}

/** Null if the message is malformed. Never throws. */
export function decodeFrame(message: Uint8Array): Frame | null {
  const found = splitHead(message);
  const head = found === null ? null : frameHead.safeParse(found.head);
  return found !== null && head?.success ? { head: head.data, bytes: found.bytes } : null;
}

/** Splits an answer into messages of at most `maxBytes`; the first one has the total length. */
export function* framesOf({ status, headers, chunks }: MessageAnswer, maxBytes: number): Generator<Uint8Array> {
  const body = Buffer.concat(chunks);
  const first: FrameHead = { t: 'head', status, headers: { ...headers }, bytes: body.length };
  let at = Math.min(body.length, Math.max(0, maxBytes - JSON.stringify(first).length * 4 - 1));
  yield encodeFrame(first, body.subarray(0, at));
  for (let n = 1; at < body.length; n++) {
    const head: FrameHead = { t: 'part', n };
    const room = maxBytes - JSON.stringify(head).length - 1;
    yield encodeFrame(head, body.subarray(at, at + room));
    at += room;
  }
}

function joined(head: object, bytes: Uint8Array | null): Uint8Array {
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  return bytes === null || bytes.length === 0 ? line : Buffer.concat([line, bytes]);
}

function splitHead(message: Uint8Array): { readonly head: unknown; readonly bytes: Uint8Array } | null {
  const end = message.subarray(0, MAX_HEAD_BYTES).indexOf(NEW_LINE);
  if (end === -1) return null;
  try {
    const line = new TextDecoder('utf-8', { fatal: true }).decode(message.subarray(0, end));
    return { head: JSON.parse(line), bytes: message.subarray(end + 1) };
  } catch {
    // The caller refuses a malformed message.
    return null;
  }
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
