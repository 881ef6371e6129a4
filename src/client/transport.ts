/** One request to the daemon: its address, the key, time limits, errors as exceptions. */
import { errorShape } from './error-shape.ts';
import { ConnectionError, SubstrateError } from './errors.ts';

const PREFIX = '/substrate/v1';
/** Longer than the daemon itself takes for anything. */
const TIMEOUT_MS = 130_000;
const MAX_RETRIES = 8;
const USUAL_PAUSE_MS = 1000;
export const NOT_MODIFIED = 304;

export interface TransportOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Null: the daemon asks for none. */
  readonly key: string | null;
  readonly fetch: typeof fetch;
}

export interface RequestOptions {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, by POST. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** How often it is made again when there were too many. */
  readonly retries?: number | undefined;
  /** Statuses whose body is an answer all the same. */
  readonly alsoGood?: readonly number[];
  /** The body of a good answer is not wanted: it may be large, and is not parsed. */
  readonly isBodyUnread?: boolean;
}

export interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
}

export class Transport {
  readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /** A request that was refused because there were too many is made again when the daemon says so. */
  async request<Body>(route: string, options: RequestOptions = {}): Promise<Reply<Body>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once<Body>(route, options);
      } catch (error) {
        const isRefused =
          error instanceof SubstrateError &&
          error.code === 'rate_limited' &&
          attempt <= (options.retries ?? MAX_RETRIES);
        if (!isRefused) throw error;
        // Many may have been refused at once: they come back one after the other.
        await pause((error.retryAfterMs ?? USUAL_PAUSE_MS) * attempt * (1 + Math.random()), options.signal);
      }
    }
  }

  private async once<Body>(route: string, options: RequestOptions): Promise<Reply<Body>> {
    const { response, body } = await this.fetchBody(route, options);
    const isUnchanged = response.status === NOT_MODIFIED && options.headers?.['if-none-match'] !== undefined;
    if (isUnchanged || (response.ok && options.isBodyUnread))
      return { status: response.status, body: undefined as Body };
    if (response.ok || options.alsoGood?.includes(response.status)) {
      if (body === undefined) throw new ConnectionError(`${this.options.baseUrl} did not answer with JSON.`);
      return { status: response.status, body: body as Body };
    }
    const error = errorShape(body);
    if (!error) throw new ConnectionError(`${this.options.baseUrl} is no substrate: it answered ${response.status}.`);
    throw new SubstrateError(response.status, error);
  }

  private async fetchBody(route: string, options: RequestOptions): Promise<{ response: Response; body: unknown }> {
    const { baseUrl, key } = this.options;
    const query = new URLSearchParams(options.query).toString();
    const isOpen = route === '/health';
    const path = isOpen ? route : `${PREFIX}${route}`;
    // Not AbortSignal.timeout: Node does not stay for that, and a peer that hangs up at once can leave fetch waiting for ever.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
    const init: RequestInit = {
      method: options.body === undefined ? 'GET' : 'POST',
      headers: {
        ...(key === null || isOpen ? {} : { 'x-substrate-key': key }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      signal: options.signal ? AbortSignal.any([options.signal, limit.signal]) : limit.signal,
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    };
    try {
      const response = await this.options.fetch(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, init);
      const isUnread = response.ok && options.isBodyUnread;
      return { response, body: await (isUnread ? skip(response) : parse(response)) };
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (error instanceof ConnectionError) throw error;
      throw new ConnectionError(`No substrate answers at ${baseUrl}. Start it with: substrate up`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Undefined: it is no JSON. */
async function parse(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** To its end, so that the connection can be used again. */
async function skip({ body }: Response): Promise<void> {
  await body?.pipeTo(new WritableStream());
}

/** Rejects with the reason of the signal when that is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
