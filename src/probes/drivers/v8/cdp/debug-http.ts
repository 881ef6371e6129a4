/** The few HTTP questions that a debugging port answers. */
import type { Listener } from '../../../../model/process.ts';

const HTTP_TIMEOUT_MS = 1000;
/** A list of hundreds of pages has some hundred kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Host and port under which a listener is reached from here; null: it is not on the loopback address. */
export function localAddress({ address, port }: Listener): string | null {
  if (address === '0.0.0.0' || address === '::') return `127.0.0.1:${port}`;
  if (address === '::1') return `[::1]:${port}`;
  const v4 = address.replace(/^::ffff:/, '');
  return v4.startsWith('127.') ? `${v4}:${port}` : null;
}

/** The status, and the body if it is JSON; null: nobody answers. */
export async function askJson(url: string): Promise<{ status: number; body: unknown } | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS), redirect: 'error' });
    // The status alone says something.
    return { status: response.status, body: parse(await readText(response).catch(() => '')) };
  } catch {
    // Nobody answers: whoever asks says what that means.
    return null;
  }
}

/** Throws when it is too long; the connection ends then. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Node writes the title that a program has given itself as it is, with its control characters: those are no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/\p{Cc}/gu, ' '));
  } catch {
    // No JSON: the status alone says something.
    return null;
  }
}
