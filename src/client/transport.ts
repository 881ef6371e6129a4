/** One request to the daemon: its path, repeats, errors as exceptions. */
import { errorShape } from './error-shape.ts';
import { ConnectionError, SubstrateError } from './errors.ts';

const PREFIX = '/substrate/v1';
const MAX_RETRIES = 8;
const USUAL_PAUSE_MS = 1000;
export const NOT_MODIFIED = 304;
/** Needs no key. */
export const OPEN_ROUTE = '/health';

/** The transport of requests to the daemon: over HTTP, or within its process. */
export interface Wire {
  /** The address without a slash at its end. */
  readonly baseUrl: string;
  /** Null if the daemon needs none. */
  readonly key: string | null;
  send(request: WireRequest): Promise<WireReply>;
}

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** The path with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The value to send as JSON; undefined if there is none. */
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  readonly isBodyUnread: boolean;
}

export interface WireReply {
  readonly status: number;
  /** Undefined if it is no JSON, or was not read. */
  readonly body: unknown;
}

export interface RequestOptions {
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, by POST. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** How often it is repeated when there were too many requests. */
  readonly retries?: number | undefined;
  /** Statuses whose body is a valid answer, too. */
  readonly alsoGood?: readonly number[];
  /** True if the body of a good answer is not needed: it may be large, and is not parsed. */
  readonly isBodyUnread?: boolean;
}

export interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
}

export class Transport {
  readonly wire: Wire;
  /** The base address of the API of the host that the call is for. */
  readonly prefix: string;
  readonly host: string | null;

  /** `host`: another one of the fleet, which the daemon passes requests on to. */
  constructor(wire: Wire, host: string | null = null) {
    this.wire = wire;
    this.host = host;
    this.prefix = host === null ? PREFIX : `${PREFIX}/hosts/${host}`;
  }

  /** A request that the rate limit refused is repeated after the time that the daemon names. */
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
        // Many requests may have been refused at once: they return one after the other.
        await pause((error.retryAfterMs ?? USUAL_PAUSE_MS) * attempt * (1 + Math.random()), options.signal);
      }
    }
  }

  private async once<Body>(route: string, options: RequestOptions): Promise<Reply<Body>> {
    const { baseUrl } = this.wire;
    const { status, body } = await this.wire.send({
      method: options.body === undefined ? 'GET' : 'POST',
      path: this.pathOf(route, options.query),
      headers: options.headers ?? {},
      body: options.body,
      signal: options.signal,
      isBodyUnread: options.isBodyUnread === true,
    });
    const isGood = status >= 200 && status < 300;
    const isUnchanged = status === NOT_MODIFIED && options.headers?.['if-none-match'] !== undefined;
    if (isUnchanged || (isGood && options.isBodyUnread)) return { status, body: undefined as Body };
    if (isGood || options.alsoGood?.includes(status)) {
      if (body === undefined) throw new ConnectionError(`${baseUrl} did not answer with JSON.`);
      return { status, body: body as Body };
    }
    const error = errorShape(body);
    if (!error) throw new ConnectionError(`${baseUrl} is no substrate: it answered ${status}.`);
    throw new SubstrateError(status, error);
  }

  private pathOf(route: string, query: Record<string, string> = {}): string {
    const isOutside = this.host === null && (route === OPEN_ROUTE || route === '/mcp');
    const path = isOutside ? route : `${this.prefix}${route}`;
    const text = new URLSearchParams(query).toString();
    return text === '' ? path : `${path}?${text}`;
  }
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
