/** The daemon's API as one object. For Node and for browsers; `index.ts` and `node.ts` give it a socket. */

import { ActionFailedError, SubstrateError, VerificationError } from './errors.ts';
import { hostAndApp } from './host-app.ts';
import { HttpWire } from './http-wire.ts';
import { appsNamed, isAppId } from './named-apps.ts';
import { NOT_MODIFIED, pause, Transport, type Wire } from './transport.ts';
import type {
  ActionResponse,
  ActionSchema,
  Approval,
  AppSummary,
  Attachment,
  BrowserResponse,
  Correction,
  DashboardCode,
  DashboardKey,
  DiffResponse,
  HealthResponse,
  HistoryResponse,
  HostsResponse,
  ImportResponse,
  LearnResponse,
  PublishedResponse,
  SchemaDocument,
  SchemaResponse,
  SubstrateState,
  TraceResponse,
  VerifyResponse,
} from './types.ts';
import { type OpenSocket, type WatchEvent, watchApp } from './watch.ts';

const DEFAULT_URL = 'http://127.0.0.1:7842';
const UNVERIFIED = 422;
const READY_MS = 30_000;
const READY_POLL_MS = 100;

export interface SubstrateOptions {
  /** Default: `http://127.0.0.1:7842`. */
  readonly baseUrl?: string;
  readonly key?: string;
  /** Replaces the global one. */
  readonly fetch?: typeof fetch;
  readonly openSocket?: OpenSocket;
}

/**
 * A pid, an app_id, or a name or words of one. Of several processes of one app the newest that has a state is meant. Of
 * another host of the fleet: `host/app`.
 */
export type App = number | string;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** How often a request that the rate limit refuses is repeated; default: 8. */
  readonly retries?: number;
}

export interface KeysOption {
  /** Globs such as `inbox.**` and `cart.total`: only the keys that they match. Without globs: all keys. */
  readonly keys?: readonly string[] | undefined;
}

export interface StateOptions extends CallOptions, KeysOption {
  /** Read the app now instead of returning the state of the last poll. */
  readonly fresh?: boolean;
  /** Includes the keys that hardly matter to a user of the app. Globs find them anyhow. */
  readonly all?: boolean;
}

export interface ActionOptions extends CallOptions {
  /** The condition that must be true afterwards. Needed for actions that cannot be undone. */
  readonly verify?: string;
  readonly verifyTimeoutMs?: number;
  /** Read the app again before it is touched. */
  readonly freshState?: boolean;
  /** A text of your choice: the action runs once, however often it is sent with this text within 24 hours. */
  readonly idempotencyKey?: string;
  /** A capture_id: the action does not run if the values that it reads have changed since. */
  readonly ifMatch?: string;
}

export class Substrate {
  private readonly transport: Transport;
  private readonly openSocket: OpenSocket;

  constructor(
    options: SubstrateOptions & { readonly openSocket: OpenSocket; readonly wire?: Wire; readonly host?: string },
  ) {
    const { baseUrl = DEFAULT_URL, key = null, fetch = globalThis.fetch, openSocket, host = null } = options;
    this.transport = new Transport(options.wire ?? new HttpWire({ baseUrl, key, fetch }), host);
    this.openSocket = openSocket;
  }

  /** The same for another host of the fleet, which the daemon passes requests on to. */
  on(host: string): Substrate {
    return new Substrate({ wire: this.transport.wire, openSocket: this.openSocket, host });
  }

  /** Which hosts the fleet has. */
  async hosts(options: CallOptions = {}): Promise<HostsResponse> {
    return (await this.transport.request<HostsResponse>('/hosts', options)).body;
  }

  async health(options: CallOptions = {}): Promise<HealthResponse> {
    return (await this.transport.request<HealthResponse>('/health', options)).body;
  }

  async apps(options: CallOptions = {}): Promise<AppSummary[]> {
    return (await this.transport.request<{ apps: AppSummary[] }>('/apps', options)).body.apps;
  }

  /** Opens an address in a browser that can be attached to. Resolves when its page can be read. */
  async openBrowser(url: string, options: CallOptions = {}): Promise<BrowserResponse> {
    return (await this.transport.request<BrowserResponse>('/browser', { ...options, body: { url } })).body;
  }

  /** Actions that wait for a person. */
  async approvals(options: CallOptions = {}): Promise<Approval[]> {
    return (await this.transport.request<{ approvals: Approval[] }>('/approvals', options)).body.approvals;
  }

  /** Lets an action run that waits for a person, or refuses it. */
  async decide(id: string, approve: boolean, options: CallOptions = {}): Promise<Approval> {
    return (await this.transport.request<Approval>('/approvals', { ...options, body: { id, approve } })).body;
  }

  /** The summary of one app. Throws `not_found` where the daemon knows none. */
  async app(app: App, options: CallOptions = {}): Promise<AppSummary> {
    const { there, named } = this.placeOf(app);
    const all = await there.apps(options);
    const found = typeof named === 'number' ? all.find(({ pid }) => pid === named) : oneNamed(all, named);
    if (found) return found;
    throw notFound(`There is no app ${app}. Tracked are: ${all.map(({ app_id }) => app_id).join(', ') || 'none'}.`);
  }

  /** The apps that are attached automatically, and why. */
  async attachments(options: CallOptions = {}): Promise<Attachment[]> {
    return (await this.transport.request<{ apps: Attachment[] }>('/attach', options)).body.apps;
  }

  /** Any request for the app's state does the same. */
  async attach(app: App, options: CallOptions = {}): Promise<Attachment> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<Attachment>(`/attach/${pid}`, { ...options, body: {} })).body;
  }

  /** The daemon's steps with the app; with `since` only those after an earlier answer's `revision`. */
  async trace(app: App, options: CallOptions & { readonly since?: number } = {}): Promise<TraceResponse> {
    const { since, ...call } = options;
    const { transport, pid } = await this.at(app, call);
    const query = since === undefined ? '' : `?since=${since}`;
    return (await transport.request<TraceResponse>(`/trace/${pid}${query}`, call)).body;
  }

  /** The app stays detached until somebody requests its state. */
  async detach(app: App, options: CallOptions = {}): Promise<Attachment> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<Attachment>(`/detach/${pid}`, { ...options, body: {} })).body;
  }

  /**
   * Waits until the state of the app can be read: for an app that was just started. Throws the daemon's error when that
   * takes too long (default: 30 s).
   */
  async ready(app: App, options: CallOptions & { readonly timeoutMs?: number } = {}): Promise<AppSummary> {
    const { there, named } = this.placeOf(app);
    if (there !== this) return there.ready(named, options);
    const deadline = performance.now() + (options.timeoutMs ?? READY_MS);
    let asked: number | null = null;
    for (;;) {
      const isLast = performance.now() >= deadline;
      try {
        const found = await this.app(app, options);
        if (found.has_state) return found;
        // The app may be one that is not attached automatically. The request for its state reports any error.
        if (asked !== found.pid) void this.attach(found.pid, options).catch(() => undefined);
        asked = found.pid;
        if (isLast) await this.state(found.pid, options);
      } catch (error) {
        if (isLast || !(error instanceof SubstrateError) || error.code !== 'not_found') throw error;
      }
      await pause(READY_POLL_MS, options.signal);
    }
  }

  async state(app: App, options: StateOptions = {}): Promise<SubstrateState> {
    const { signal, retries } = options;
    const { transport, pid } = await this.at(app, options);
    const query = stateQuery(options);
    return (await transport.request<SubstrateState>(`/state/${pid}`, { query, signal, retries })).body;
  }

  /** Null if nothing has changed since `known`, which was read with the same `keys` and is still valid. */
  async stateIfChanged(
    app: App,
    known: string | Pick<SubstrateState, 'capture_id'>,
    options: StateOptions = {},
  ): Promise<SubstrateState | null> {
    const { signal, retries } = options;
    const { transport, pid } = await this.at(app, options);
    const headers = { 'if-none-match': `"${typeof known === 'string' ? known : known.capture_id}"` };
    const request = { query: stateQuery(options), headers, signal, retries };
    const { status, body } = await transport.request<SubstrateState>(`/state/${pid}`, request);
    return status === NOT_MODIFIED ? null : body;
  }

  /**
   * Reads the app now, without returning the state; use `diff` for the changes. For callers who have an earlier state
   * of a large app.
   */
  async look(app: App, options: CallOptions = {}): Promise<void> {
    const { transport, pid } = await this.at(app, options);
    await transport.request<undefined>(`/state/${pid}`, {
      ...options,
      query: { fresh: 'true' },
      isBodyUnread: true,
    });
  }

  async schema(app: App, options: CallOptions = {}): Promise<SchemaResponse> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<SchemaResponse>(`/schema/${pid}`, options)).body;
  }

  async actions(app: App, options: CallOptions = {}): Promise<Record<string, ActionSchema>> {
    return (await this.schema(app, options)).actions;
  }

  /** The changes since a capture. */
  async diff(app: App, since: string, options: CallOptions = {}): Promise<DiffResponse> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<DiffResponse>(`/diff/${pid}`, { ...options, query: { since } })).body;
  }

  /** The values of keys over the captures that the daemon keeps: a point for each change, the oldest first. */
  async history(app: App, keys: readonly string[], options: CallOptions = {}): Promise<HistoryResponse> {
    const { transport, pid } = await this.at(app, options);
    const query = { keys: keys.join(',') };
    return (await transport.request<HistoryResponse>(`/history/${pid}`, { ...options, query })).body;
  }

  /**
   * The published values of keys at a time, or from that time until `to`, as the fleet's NATS server keeps them: also of
   * an app, a daemon or a host that is gone. `app`: an app_id or its beginning; of another host: `host/app`.
   */
  async published(
    app: string,
    keys: readonly string[],
    options: CallOptions & { readonly at?: Date | string; readonly to?: Date | string } = {},
  ): Promise<PublishedResponse> {
    const { at, to, ...call } = options;
    const elsewhere = hostAndApp(app);
    const { host, wire } = this.transport;
    const wanted = elsewhere?.host ?? host;
    const query = {
      ...(wanted === null ? {} : { host: wanted }),
      app: String(elsewhere?.app ?? app),
      keys: keys.join(','),
      ...(at === undefined ? {} : { from: new Date(at).toISOString() }),
      ...(to === undefined ? {} : { to: new Date(to).toISOString() }),
    };
    // Not by the host itself, which may be gone.
    return (await new Transport(wire, null).request<PublishedResponse>('/published', { ...call, query })).body;
  }

  /**
   * Runs an action and returns its result. Never throws because the app failed or because `verify` did not come true:
   * see `success` and `verification`.
   */
  async tryAction(
    app: App,
    action: string,
    parameters: Readonly<Record<string, unknown>> = {},
    options: ActionOptions = {},
  ): Promise<ActionResponse> {
    const { transport, selector } = await this.selected(app, options);
    const body = {
      ...selector,
      action,
      parameters,
      ...(options.verify === undefined ? {} : { verify_expression: options.verify }),
      ...(options.verifyTimeoutMs === undefined ? {} : { verify_timeout_ms: options.verifyTimeoutMs }),
      ...(options.freshState === undefined ? {} : { fresh_state: options.freshState }),
    };
    const { signal, retries, idempotencyKey, ifMatch } = options;
    const headers = {
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
    };
    const request = { body, headers, signal, retries, alsoGood: [UNVERIFIED] };
    return (await transport.request<ActionResponse>('/action', request)).body;
  }

  /** Like `tryAction`, but throws `VerificationError` or `ActionFailedError` when it did not succeed. */
  async action(
    app: App,
    action: string,
    parameters: Readonly<Record<string, unknown>> = {},
    options: ActionOptions = {},
  ): Promise<ActionResponse> {
    const response = await this.tryAction(app, action, parameters, options);
    if (response.success) return response;
    throw response.verification?.passed === false ? new VerificationError(response) : new ActionFailedError(response);
  }

  /** Whether a condition is true of the app, or becomes true in time. */
  async verify(
    app: App,
    expression: string,
    options: CallOptions & { readonly timeoutMs?: number } = {},
  ): Promise<VerifyResponse> {
    const timeout = options.timeoutMs === undefined ? {} : { timeout_ms: options.timeoutMs };
    const { transport, selector } = await this.selected(app, options);
    const body = { ...selector, expression, ...timeout };
    return (
      await transport.request<VerifyResponse>('/verify', {
        body,
        signal: options.signal,
        retries: options.retries,
      })
    ).body;
  }

  /** Teaches the daemon better names; `capture` is the one in which the keys were seen. */
  async learn(
    app: App,
    capture: Pick<SubstrateState, 'capture_id' | 'schema_version'>,
    corrections: readonly Correction[],
    options: CallOptions & {
      readonly feedbackType?: 'label_correction' | 'type_correction' | 'action_correction';
    } = {},
  ): Promise<LearnResponse> {
    const { capture_id, schema_version } = capture;
    const kind = options.feedbackType === undefined ? {} : { feedback_type: options.feedbackType };
    const body = { capture_id, schema_version, corrections, ...kind };
    const { transport, pid } = await this.at(app, options);
    return (
      await transport.request<LearnResponse>(`/learn/${pid}`, {
        body,
        signal: options.signal,
        retries: options.retries,
      })
    ).body;
  }

  /** The stored schema of an app, running or not. `all`: also the parts that nobody confirmed. */
  async exportSchema(appId: string, options: CallOptions & { readonly all?: boolean } = {}): Promise<SchemaDocument> {
    const query = { app_id: appId, ...(options.all ? { all: 'true' } : {}) };
    return (await this.transport.request<SchemaDocument>('/schema/export', { ...options, query })).body;
  }

  /** `force`: also replaces confirmed parts. `create`: also where no such app is known. At most 1 MiB at a time. */
  async importSchema(
    document: SchemaDocument,
    options: CallOptions & { readonly force?: boolean; readonly dryRun?: boolean; readonly create?: boolean } = {},
  ): Promise<ImportResponse> {
    const { force = false, dryRun = false, create = false, signal, retries } = options;
    const body = { document, force, dry_run: dryRun, create };
    return (await this.transport.request<ImportResponse>('/schema/import', { body, signal, retries })).body;
  }

  /** For a link to the dashboard: `<address>/#code=<code>`. */
  async dashboardCode(options: CallOptions = {}): Promise<DashboardCode> {
    return (await this.transport.request<DashboardCode>('/dashboard/code', { ...options, body: {} })).body;
  }

  /** Exchanges the code of a dashboard link; needs no key. */
  async redeemDashboardCode(code: string, options: CallOptions = {}): Promise<DashboardKey> {
    return (await this.transport.request<DashboardKey>('/dashboard/key', { ...options, body: { code } })).body;
  }

  /**
   * The state, and then every change, until the app ends or the signal is aborted. Lost connections are made again, and
   * the state is sent again after that. `states: false` sends the changes only, and reads nothing. `keys` limits both
   * to these keys.
   */
  async *watch(
    app: App,
    options: CallOptions & KeysOption & { readonly states?: boolean } = {},
  ): AsyncGenerator<WatchEvent, void, void> {
    const { there, named } = this.placeOf(app);
    if (there !== this) return yield* there.watch(named, options);
    const { transport, pid } = await this.at(app, options);
    const { baseUrl, key } = transport.wire;
    const query = new URLSearchParams({ ...(key === null ? {} : { key }), ...keysQuery(options) });
    const url = `${baseUrl.replace(/^http/, 'ws')}${transport.prefix}/watch/${pid}`;
    yield* watchApp({
      openSocket: this.openSocket,
      url: query.size === 0 ? url : `${url}?${query}`,
      readState: options.states === false ? null : () => this.state(pid, options),
      check: () => (options.states === false ? this.app(pid, options) : this.state(pid, options)),
      signal: options.signal,
    });
  }

  private placeOf(app: App): { readonly there: Substrate; readonly named: App } {
    const elsewhere = typeof app === 'string' ? hostAndApp(app) : null;
    if (elsewhere === null) return { there: this, named: app };
    return { there: this.on(elsewhere.host), named: elsewhere.app };
  }

  /** A name that no app has goes to the daemon, which reports the error. */
  private async selected(app: App, { signal, retries }: CallOptions) {
    const { there, named } = this.placeOf(app);
    const { transport } = there;
    if (typeof named === 'number') return { transport, selector: { pid: named } };
    if (isAppId(named)) return { transport, selector: { app_id: named } };
    const call = { ...(signal === undefined ? {} : { signal }), ...(retries === undefined ? {} : { retries }) };
    return { transport, selector: { app_id: oneNamed(await there.apps(call), named)?.app_id ?? named } };
  }

  private async at(app: App, options: CallOptions): Promise<{ readonly transport: Transport; readonly pid: number }> {
    const { there, named } = this.placeOf(app);
    const pid = typeof named === 'number' ? named : (await there.app(named, options)).pid;
    return { transport: there.transport, pid };
  }
}

function keysQuery({ keys = [] }: KeysOption): Record<string, string> {
  return keys.length === 0 ? {} : { keys: keys.join(',') };
}

function stateQuery(options: StateOptions): Record<string, string> {
  const { fresh = false, all = false } = options;
  return { ...(fresh ? { fresh: 'true' } : {}), ...(all ? { all: 'true' } : {}), ...keysQuery(options) };
}

/** Throws where it may mean several apps. Of several processes of one app the newest that has a state. */
function oneNamed(all: readonly AppSummary[], wanted: string): AppSummary | undefined {
  const running = all.filter(({ probe_status }) => probe_status !== 'detached');
  // An app that was detached by hand is still in the list.
  const found = [running, all].map((apps) => appsNamed(apps, wanted)).find(({ length }) => length > 0) ?? [];
  if (new Set(found.map(({ app_id }) => app_id)).size > 1) {
    const candidates = found.map(({ pid, app_id }) => `${app_id} (pid ${pid})`).join(', ');
    throw notFound(`"${wanted}" may be any of ${candidates}. Name it by its pid.`);
  }
  // The list has the newest last.
  return found.findLast(({ has_state }) => has_state) ?? found.at(-1);
}

function notFound(message: string): SubstrateError {
  return new SubstrateError(404, { error: { code: 'not_found', message, request_id: '' } });
}
