/** A handle on one app for tests: connected, readable, identified by its process. */

import { appsNamed } from '../client/named-apps.ts';
import {
  type ActionOptions,
  type ActionResponse,
  type AppSummary,
  type CallOptions,
  type KeysOption,
  type StateOptions,
  Substrate,
  SubstrateError,
  type SubstrateOptions,
  type SubstrateState,
  type VerifyResponse,
  type WatchEvent,
} from '../client/node.ts';
import { listenersAt } from './listeners.ts';

const READY_MS = 30_000;
const POLL_MS = 100;

/**
 * A pid, or an object with one, such as a child process; an app_id, a name or words of it; the port that the app
 * listens on.
 */
export type Which = number | string | { readonly pid?: number | undefined } | { readonly port: number };

export interface ConnectOptions extends SubstrateOptions, CallOptions {
  /** How long to wait until the app exists and its state can be read; 30 s by default. */
  readonly timeoutMs?: number;
}

/** Resolves when the state of the app can be read. Throws the daemon's error if that takes too long. */
export async function connect(which: Which, options: ConnectOptions = {}): Promise<AppHandle> {
  const { timeoutMs = READY_MS, signal, retries, ...rest } = options;
  const call = { ...(signal === undefined ? {} : { signal }), ...(retries === undefined ? {} : { retries }) };
  const substrate = new Substrate(rest);
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await findApp(substrate, which, call);
    const remainingMs = deadline - performance.now();
    if (typeof found !== 'string')
      return new AppHandle(substrate, await substrate.ready(found.pid, { ...call, timeoutMs: remainingMs }));
    if (remainingMs <= 0) throw notFound(found);
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A text is the reason why there is none yet. Throws if waiting cannot help. */
async function findApp(substrate: Substrate, which: Which, call: CallOptions): Promise<AppSummary | string> {
  const all = await substrate.apps(call);
  // The list keeps ended apps for a while.
  const apps = all.filter(({ probe_status }) => probe_status !== 'detached');
  if (typeof which === 'object' && 'port' in which) {
    const pids = await listenersAt(which.port);
    if (pids.length === 0) return `No process of this user listens on port ${which.port}.`;
    const found = apps.filter(({ pid }) => pids.includes(pid));
    return (
      only(found, `Port ${which.port}`) ??
      `The daemon tracks no app with pid ${pids.join(' or ')}, which listens on port ${which.port}.`
    );
  }
  if (typeof which !== 'string') {
    const wanted = typeof which === 'number' ? which : which.pid;
    if (wanted === undefined) throw notFound('The process has no pid: it could not be started.');
    return all.find(({ pid }) => pid === wanted) ?? `There is no app with pid ${wanted}.`;
  }
  const found = appsNamed(apps, which);
  const isOneApp = new Set(found.map(({ app_id }) => app_id)).size === 1;
  const newest = found.findLast(({ has_state }) => has_state) ?? found.at(-1);
  const names = [...new Set(apps.map(({ app_id }) => app_id))].join(', ');
  return (
    (isOneApp ? newest : only(found, `"${which}"`)) ?? `There is no app "${which}". Tracked are: ${names || 'none'}.`
  );
}

function only(found: readonly AppSummary[], wanted: string): AppSummary | undefined {
  if (found.length <= 1) return found[0];
  const candidates = found.map(({ pid, app_id }) => `${app_id} (pid ${pid})`).join(', ');
  throw notFound(`${wanted} may be any of ${candidates}. Name it by its pid.`);
}

function notFound(message: string): SubstrateError {
  return new SubstrateError(404, { error: { code: 'not_found', message, request_id: '' } });
}

export class AppHandle {
  /** The client for this app. */
  readonly substrate: Substrate;
  readonly pid: number;
  readonly appId: string;
  readonly name: string;

  constructor(substrate: Substrate, { pid, app_id, app_name }: AppSummary) {
    this.substrate = substrate;
    this.pid = pid;
    this.appId = app_id;
    this.name = app_name;
  }

  /** The current state, unless `fresh: false` is given. */
  state(options: StateOptions = {}): Promise<SubstrateState> {
    return this.substrate.state(this.pid, { fresh: true, ...options });
  }

  verify(expression: string, options: CallOptions & { readonly timeoutMs?: number } = {}): Promise<VerifyResponse> {
    return this.substrate.verify(this.pid, expression, options);
  }

  /** Throws if it did not succeed. */
  action(
    name: string,
    parameters: Readonly<Record<string, unknown>> = {},
    options: ActionOptions = {},
  ): Promise<ActionResponse> {
    return this.substrate.action(this.pid, name, parameters, options);
  }

  watch(
    options: CallOptions & KeysOption & { readonly states?: boolean } = {},
  ): AsyncGenerator<WatchEvent, void, void> {
    return this.substrate.watch(this.pid, options);
  }
}
