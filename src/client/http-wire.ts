/** Requests over HTTP: the key, the time limit, the body as JSON. */
import { ConnectionError } from './errors.ts';
import { OPEN_ROUTE, type Wire, type WireReply, type WireRequest } from './transport.ts';

/** Longer than the daemon itself takes for anything. */
const TIMEOUT_MS = 130_000;

interface HttpOptions {
  readonly baseUrl: string;
  readonly key: string | null;
  readonly fetch: typeof fetch;
}

export class HttpWire implements Wire {
  readonly baseUrl: string;
  readonly key: string | null;
  private readonly fetch: typeof fetch;

  constructor({ baseUrl, key, fetch }: HttpOptions) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.key = key;
    // Called as a plain function: browsers refuse to call it as a method of another object.
    this.fetch = (...request) => fetch(...request);
  }

  async send({ method, path, headers, body, signal, isBodyUnread }: WireRequest): Promise<WireReply> {
    // AbortSignal.timeout is not used: it does not keep Node running, and a peer that hangs up at once can leave fetch
    // waiting for ever.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
    const init: RequestInit = {
      method,
      headers: {
        ...(this.key === null || path === OPEN_ROUTE ? {} : { 'x-substrate-key': this.key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    try {
      const response = await this.fetch(`${this.baseUrl}${path}`, init);
      const isUnread = response.ok && isBodyUnread;
      return { status: response.status, body: await (isUnread ? skip(response) : parse(response)) };
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof ConnectionError) throw error;
      throw new ConnectionError(`No substrate answers at ${this.baseUrl}. Start it with: substrate up`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Undefined if it is no JSON. */
async function parse(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Reads to the end, so that the connection can be reused. */
async function skip({ body }: Response): Promise<void> {
  await body?.pipeTo(new WritableStream());
}
