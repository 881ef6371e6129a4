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
  /** `http://127.0.0.1:7842` when nothing is said. */
  readonly baseUrl?: string;
  readonly key?: string;
  /** Instead of the one that is global. */
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
  /** How often a request that the rate limit refuses is made again: 8 when nothing is said. */
  readonly retries?: number;
}

export interface KeysOption {
  /** Globs such as `inbox.**` and `cart.total`: only the keys that they match. None: all keys. */
  readonly keys?: readonly string[] | undefined;
}

export interface StateOptions extends CallOptions, KeysOption {
  /** Look at the app now instead of giving what was seen at the last poll. */
  readonly fresh?: boolean;
  /** Also the keys that hardly matter to a user of the app. Globs find them anyhow. */
  readonly all?: boolean;
}

export interface ActionOptions extends CallOptions {
  /** What must be true afterwards. Needed for actions that cannot be undone. */
  readonly verify?: string;
  readonly verifyTimeoutMs?: number;
  /** Look at the app anew before it is touched. */
  readonly freshState?: boolean;
  /** A text of your choice: the action is run once, however often it is sent with it within 24 hours. */
  readonly idempotencyKey?: string;
  /** A capture_id: the action is not run if what it reads has changed since. */
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

  /** Which apps are attached to without being asked, and why. */
  async attachments(options: CallOptions = {}): Promise<Attachment[]> {
    return (await this.transport.request<{ apps: Attachment[] }>('/attach', options)).body.apps;
  }

  /** Any request for its state does the same. */
  async attach(app: App, options: CallOptions = {}): Promise<Attachment> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<Attachment>(`/attach/${pid}`, { ...options, body: {} })).body;
  }

  /** What the daemon did with it, step by step; with `since` what is new after an earlier answer's `revision`. */
  async trace(app: App, options: CallOptions & { readonly since?: number } = {}): Promise<TraceResponse> {
    const { since, ...call } = options;
    const { transport, pid } = await this.at(app, call);
    const query = since === undefined ? '' : `?since=${since}`;
    return (await transport.request<TraceResponse>(`/trace/${pid}${query}`, call)).body;
  }

  /** It stays detached until somebody asks for it. */
  async detach(app: App, options: CallOptions = {}): Promise<Attachment> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<Attachment>(`/detach/${pid}`, { ...options, body: {} })).body;
  }

  /**
   * The app when its state can be read: for one that was just started. Throws what the daemon says when that does not come
   * about in time (30 s when nothing is said).
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
        // It may be one that is not attached to by itself. What is wrong is said at the end, by its state.
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

  /** Null: nothing has changed since `known`, which was read with the same `keys` and still holds. */
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

  /** Looks at the app now, and leaves what was seen to `diff`: for whoever knows an earlier state of a large app. */
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

  /** What has changed since a capture. */
  async diff(app: App, since: string, options: CallOptions = {}): Promise<DiffResponse> {
    const { transport, pid } = await this.at(app, options);
    return (await transport.request<DiffResponse>(`/diff/${pid}`, { ...options, query: { since } })).body;
  }

  /** What keys held over the captures that the daemon keeps: a point for each change, the oldest first. */
  async history(app: App, keys: readonly string[], options: CallOptions = {}): Promise<HistoryResponse> {
    const { transport, pid } = await this.at(app, options);
    const query = { keys: keys.join(',') };
    return (await transport.request<HistoryResponse>(`/history/${pid}`, { ...options, query })).body;
  }

  /**
   * Does something and says what came of it. Never throws because the app failed or because `verify` did not come true:
   * `success` and `verification` tell.
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

  /** Whether something is true of the app, or becomes true in time. */
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

  /** What is known of an app, running or not. `all`: also what nobody confirmed. */
  async exportSchema(appId: string, options: CallOptions & { readonly all?: boolean } = {}): Promise<SchemaDocument> {
    const query = { app_id: appId, ...(options.all ? { all: 'true' } : {}) };
    return (await this.transport.request<SchemaDocument>('/schema/export', { ...options, query })).body;
  }

  /** `force`: what was confirmed there gives way. `create`: also where no such app is known. At most 1 MiB at a time. */
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

  /** What the dashboard does with the code of its link; needs no key. */
  async redeemDashboardCode(code: string, options: CallOptions = {}): Promise<DashboardKey> {
    return (await this.transport.request<DashboardKey>('/dashboard/key', { ...options, body: { code } })).body;
  }

  /**
   * The state, and then every change, until the app ends or the signal is aborted. Connections that are lost are made
   * again; the state is told anew after that. `states: false` tells the changes only, and reads nothing. With `keys`, of
   * those only.
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

  /** A name that no app has is left to the daemon, which says what is wrong. */
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
  // One that was detached by hand is still there.
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
