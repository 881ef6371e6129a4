/** The few HTTP requests that a debugging port answers. */
import http from 'node:http';
import { Socket } from 'node:net';
import type { Listener, ProcessNetwork } from '../../../../model/process.ts';

const HTTP_TIMEOUT_MS = 1000;
/** A list of hundreds of pages has some hundred kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Host and port under which a listener is reached from here; null if it is not on the loopback address. */
export function localAddress({ address, port }: Listener): string | null {
  if (address === '0.0.0.0' || address === '::') return `127.0.0.1:${port}`;
  if (address === '::1') return `[::1]:${port}`;
  const v4 = address.replace(/^::ffff:/, '');
  return v4.startsWith('127.') ? `${v4}:${port}` : null;
}

/**
 * The status, and the body if it is JSON, of an address in this network; null if nothing answers or the answer is a
 * redirect. `fetch` is not used, because loading it takes a tenth of the daemon's start.
 */
export async function askJson(network: ProcessNetwork, url: string): Promise<{ status: number; body: unknown } | null> {
  const signal = AbortSignal.timeout(HTTP_TIMEOUT_MS);
  // Nobody answers: whoever asks says what that means.
  const socket = await connectTo(network, url).catch(() => null);
  if (socket === null) return null;
  return new Promise((resolve) => {
    const request = http.get(url, { createConnection: () => socket, signal }, (response) => {
      const { statusCode: status = 0 } = response;
      // The status alone says something, whatever becomes of the rest.
      const settle = (text: string) => resolve(isElsewhere(status) ? null : { status, body: parse(text) });
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length <= MAX_ANSWER_BYTES) return;
        settle('');
        request.destroy();
      });
      response.on('end', () => settle(Buffer.concat(chunks).toString('utf8')));
      response.on('error', () => settle(''));
    });
    // Nobody answers: whoever asks says what that means.
    request.on('error', () => resolve(null));
  });
}

/** To the host and port of a URL. */
export async function connectTo(network: ProcessNetwork, url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = await network.connect(hostname.replace(/^\[|\]$/g, ''), Number(port));
  if (!(socket instanceof Socket)) throw new Error('this network has no sockets');
  return socket;
}

const isElsewhere = (status: number) => status >= 300 && status < 400;

/** Node writes the title that a program has given itself as it is, with its control characters: those are no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/\p{Cc}/gu, ' '));
  } catch {
    // No JSON: the status alone says something.
    return null;
  }
}
