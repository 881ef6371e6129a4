/** The body of a POST: content type, size, text, JSON. `validation.ts` checks its shape. */
import type { IncomingMessage } from 'node:http';
import { SubstrateError } from '../model/errors.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
// Far more than any request needs, far less than would overflow the stack of recursive code.
const MAX_DEPTH = 100;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?$/i;

/** `begin` is called when the headers are valid, before the first byte is read. */
export async function readJson(req: IncomingMessage, begin: () => void): Promise<unknown> {
  checkHeaders(req);
  begin();
  return parseJson(await readBytes(req));
}

/** Throws `invalid_request` or `body_too_large`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_BODY_BYTES) throw tooLarge();
  const value = parse(decode(bytes));
  checkTree(value, 0);
  return value;
}

function checkHeaders({ headers }: IncomingMessage): void {
  const found = headers['content-type'];
  if (found === undefined || !JSON_TYPE.test(found.trim())) {
    throw new SubstrateError('invalid_content_type', 'Content-Type: expected application/json');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new SubstrateError('invalid_content_type', 'Content-Encoding: expected a body that is not compressed');
  }
  if (Number(headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
}

/** No `for await`: leaving such a loop destroys the socket, so that no answer could be sent. */
function readBytes(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (outcome: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
      outcome();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      req.pause();
      settle(() => reject(tooLarge()));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks, size)));
    const onLost = () => settle(() => reject(new SubstrateError('invalid_request', 'body: ended too early')));
    req.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder says no more than that the bytes are not UTF-8.
    throw new SubstrateError('invalid_request', 'body: expected UTF-8 text');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // Only the position: the rest of the parser's message quotes the body.
    const place = error instanceof Error ? /at position \d+/.exec(error.message)?.[0] : undefined;
    throw new SubstrateError('invalid_request', `body: expected JSON${place === undefined ? '' : ` (error ${place})`}`);
  }
}

/** Refuses values that are dangerous for later code: deep nesting, and a key that sets a prototype. */
function checkTree(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === MAX_DEPTH) {
    throw new SubstrateError('invalid_request', `body: expected at most ${MAX_DEPTH} levels of nesting`);
  }
  if (Object.hasOwn(value, '__proto__')) {
    throw new SubstrateError('invalid_request', '__proto__: expected another name; this one is never accepted');
  }
  for (const inner of Object.values(value)) checkTree(inner, depth + 1);
}

function tooLarge(): SubstrateError {
  return new SubstrateError('body_too_large', `body: expected at most ${MAX_BODY_BYTES} bytes`);
}
