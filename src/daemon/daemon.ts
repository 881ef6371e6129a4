/** Connects the parts: scans, tracks, and serves the front ends (service.ts). */

import type { Config } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import type { AppIdentity, Permissions } from '../model/permissions.ts';
import type { ProcessInspector, ProcessRef, ProcessScanner, ScanDelta, Signaller } from '../model/process.ts';
import type { ImportRequest, ImportResponse, SchemaDocument } from '../model/schema-document.ts';
import type { Knowledge } from '../model/shared-schema.ts';
import type { StateLook } from '../model/state-look.ts';
import type {
  ActionRequest,
  Approval,
  BrowserResponse,
  LearnRequest,
  LearnResponse,
  VerifyRequest,
  VerifyResponse,
} from '../model/wire.ts';
import type { DriverRegistry } from '../probes/registry.ts';
import { actionMap } from '../semantic/actions.ts';
import type { Predicate } from '../semantic/predicate/predicate.ts';
import { type ActionCall, type Confirmation, shownAction } from './action-call.ts';
import { checkExpression, gate, refusing, unresolved } from './action-gates.ts';
import { type ActionLog, type ActionTrace, eventEntry, logged, outcomeOfAction } from './action-log.ts';
import { ActionRunner, lookFor, withOutcome } from './action-runner.ts';
import { Approvals, currentOf, questionOf } from './approvals.ts';
import { explainCaptureFailure } from './capture-failure.ts';
import { compileExpression } from './compile-expression.ts';
import { historyOf } from './key-history.ts';
import { type Browsers, openBrowser } from './open-browser.ts';
import { findAncestors } from './own-processes.ts';
import { identityOf } from './pass-on.ts';
import { pause, untilAborted } from './pause.ts';
import type { SchemaStore } from './recall.ts';
import type { ActionResult, AppSelector, CallOptions, Reading, ReadOptions, Service, Watcher } from './service.ts';
import type { Session } from './session.ts';
import { SingleFlight } from './single-flight.ts';
import { Teaching } from './teaching.ts';
import { type FactsStores, type ProbeMetrics, Tracker, type TrackerOptions } from './tracker.ts';
import { waitFor } from './verifier.ts';
import { withoutState, withoutStateInError } from './without-state.ts';

export interface DaemonParts {
  readonly config: Config;
  readonly scanner: ProcessScanner;
  readonly inspector: ProcessInspector;
  readonly signal: Signaller;
  /** Drivers are half of the code, so they are loaded when the daemon can already answer. */
  readonly loadDrivers: () => Promise<DriverRegistry>;
  readonly schemas: SchemaStore;
  /** Absent if drivers keep nothing. */
  readonly facts?: FactsStores;
  readonly metrics: ProbeMetrics;
  readonly log: Logger;
  readonly actionLog: ActionLog;
  readonly browsers: Browsers;
  /** The users whose programs are attached to without being asked; null for all. */
  readonly users: ReadonlySet<number> | null;
  /** The users whose programs a key can select by name; null if this daemon reaches no others. */
  readonly owners: ReadonlySet<number> | null;
  /** Keys whose values are not redacted. */
  readonly isAllowed?: (key: string) => boolean;
  readonly feed?: TrackerOptions['feed'];
  readonly onFound?: TrackerOptions['onFound'];
}

/** Within the range that the API promises: 50 to 200 ms. */
const VERIFY_INTERVAL_MS = 100;
/** An app that a request names is attached to; the request waits this long for its state before it fails. */
const ASKED_WAIT_MS = 20_000;
const ASKED_LOOK_MS = 20;
/** Longer than undoing the longest attach takes. */
const DETACH_LIMIT_MS = 8000;

export class Daemon implements Service {
  private readonly parts: DaemonParts;
  private readonly tracker: Tracker;
  private readonly actions = new ActionRunner();
  private readonly waiting = new Approvals();
  private readonly teaching: Teaching;
  private readonly looking = new SingleFlight(() => this.lookAtProcesses());
  private readonly ownPids = new Set<number>([process.pid]);
  private drivers: DriverRegistry | null = null;
  private timer: NodeJS.Timeout | null = null;
  private stopped = false;

  constructor(parts: DaemonParts) {
    this.parts = parts;
    this.tracker = new Tracker({ ...parts, ownPids: this.ownPids });
    this.teaching = new Teaching({ ...parts, tracker: this.tracker });
  }

  /** Resolves after the first scan. With [scanner] attach = "none" there are no drivers, and scans find nothing. */
  async start(): Promise<void> {
    if (this.parts.config.scanner.attach !== 'none') this.drivers = await this.parts.loadDrivers();
    await this.scan();
  }

  /** Leaves every target as it was found. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (this.timer) clearTimeout(this.timer);
    const limit = new Promise<void>((resolve) => setTimeout(resolve, DETACH_LIMIT_MS).unref());
    await Promise.race([this.tracker.stop(), limit]);
  }

  trackedProcesses(): number {
    return this.tracker.liveCount;
  }

  allow({ pid, app_id }: AppSelector, permissions: Permissions): void {
    if (permissions.isForAllApps) return;
    const session = pid === undefined ? null : this.tracker.find(pid);
    if (session) permissions.requireApp(this.identityOf(session));
    if (app_id === undefined) return;
    const [running] = this.tracker.instances(app_id);
    permissions.requireApp(running ? this.identityOf(running) : this.storedIdentity(app_id));
  }

  listApps(permissions: Permissions) {
    return this.tracker.summaries((session) => permissions.includesApp(this.identityOf(session)));
  }

  /** The keys file has changed. */
  keysChanged(): void {
    this.waiting.dropDead();
  }

  async readState(pid: number, { fresh, keys, known }: ReadOptions, options: CallOptions): Promise<Reading> {
    const session = await this.upToDate(pid, fresh, options);
    const current = session.stillTrue(known);
    if (current !== null) return { bytes: null, captureId: current };
    const slices = { owner: options.keyId, goOn: () => options.signal.throwIfAborted() };
    if (keys !== null) return session.readPart(keys, !fresh, slices);
    await session.renderAhead(slices);
    return { bytes: session.stateBytes(!fresh), captureId: session.requireHead().captureId };
  }

  readFromMemory(pid: number, known: readonly string[]): Reading | null {
    const session = this.tracker.ask(pid);
    return session.head === null ? null : session.readFromMemory(known);
  }

  async lookAt(pid: number, fresh: boolean, options: CallOptions): Promise<StateLook> {
    return (await this.upToDate(pid, fresh, options)).look();
  }

  async ask(pid: number, options: CallOptions): Promise<void> {
    await this.untilReady(pid, options);
  }

  attachments(permissions: Permissions) {
    return this.tracker.attachments((session) => permissions.includesApp(this.identityOf(session)));
  }

  async attach(pid: number, options: CallOptions) {
    // It may have started since the last scan.
    if (!this.tracker.knows(pid)) await this.looking.fresh();
    this.allow({ pid }, options.permissions);
    await this.ask(pid, options);
    return this.tracker.attachment(pid);
  }

  trace(pid: number, since: number) {
    const { appId } = this.tracker.session(pid);
    const trace = this.tracker.trace(pid);
    return { pid, app_id: appId, found_at: trace.startedAt.toISOString(), ...trace.read(since) };
  }

  async detach(pid: number, { keyId }: CallOptions) {
    await this.tracker.detach(pid);
    const attachment = this.tracker.attachment(pid);
    this.parts.actionLog.note(eventEntry('detach', keyId, { pid, appId: attachment.app_id }, ''));
    return attachment;
  }

  readSchema(pid: number) {
    const session = this.sessionWithState(pid);
    const { schemaVersion } = session.requireHead();
    return {
      pid,
      app_id: session.appId,
      app_name: session.recognition.appName,
      schema_version: schemaVersion,
      actions: actionMap(session.actions),
    };
  }

  diff(pid: number, since: string, all: boolean, { permissions }: CallOptions) {
    const session = this.sessionWithState(pid);
    const diff = session.diff(since, all);
    if (!diff) throw this.unknownCapture(since, session, permissions);
    return diff;
  }

  keyHistory(pid: number, keys: readonly string[]) {
    return historyOf(this.sessionWithState(pid), keys);
  }

  async verify(request: VerifyRequest, { keyId, signal }: CallOptions): Promise<VerifyResponse> {
    const maxBytes = this.parts.config.action.verify_expression_max_bytes;
    const bytes = Buffer.byteLength(request.expression);
    if (bytes > maxBytes)
      throw new SubstrateError(
        'verify_expression_too_large',
        `expression has ${bytes} bytes; at most ${maxBytes} are allowed.`,
      );
    const predicate = await compileExpression(request.expression);
    const session = this.tracker.resolve(request.pid, request.app_id);
    if (!session)
      throw new SubstrateError(
        'not_found',
        'No tracked application has this pid or app_id. GET /substrate/v1/apps lists them.',
      );
    await this.untilReady(session.process.pid, { signal });
    this.requireHead(session);
    const since = session.handOut().captureId;
    const { evaluation, outcome } = await waitFor(predicate, session, {
      timeoutMs: request.timeout_ms,
      intervalMs: VERIFY_INTERVAL_MS,
      signal,
      owner: keyId,
      since,
      cachedFirst: true,
    });
    return {
      ...outcome,
      ...('actual' in evaluation ? { actual_value: evaluation.actual } : {}),
      evaluated_at: new Date().toISOString(),
    };
  }

  async act(request: ActionRequest, options: CallOptions, ifMatch: string | null = null): Promise<ActionResult> {
    const work = async (trace: ActionTrace) => {
      // Also for an action that is refused before its app is resolved.
      if (request.pid !== undefined) trace.appId = this.tracker.find(request.pid)?.appId ?? trace.appId;
      const [predicate, session] = await refusing(request, () => this.prepare(request, options));
      Object.assign(trace, { pid: session.process.pid, appId: session.appId });
      const app = this.identityOf(session);
      const asked = { request, predicate, session, app, options, ifMatch, confirmed: null, onDispatch: trace.begin };
      if (!options.permissions.confirm) return this.actions.run(asked);
      const confirmed = await refusing(request, () => this.confirm(asked));
      trace.confirmedBy = confirmed.by;
      return this.actions.run({ ...asked, confirmed });
    };
    const result = logged(this.parts.actionLog, request, options, work, outcomeOfAction);
    return options.permissions.has('read') ? result : result.then(withoutState, withoutStateInError);
  }

  openBrowser(url: string, options: CallOptions): Promise<BrowserResponse> {
    const { browsers, actionLog } = this.parts;
    return openBrowser(url, options, {
      browsers,
      actionLog,
      actions: this.actions,
      waiting: this.waiting,
      scan: () => this.looking.fresh(),
      find: (pid) => this.tracker.find(pid),
      untilReady: (pid, signal) => this.untilReady(pid, { signal }),
    });
  }

  async refuse(request: ActionRequest, options: CallOptions, error: unknown): Promise<never> {
    await logged(this.parts.actionLog, request, options, () => Promise.reject(error), outcomeOfAction);
    throw error;
  }

  approvals(permissions: Permissions): Approval[] {
    return this.waiting.list(permissions);
  }

  decide(id: string, approve: boolean, { keyId, permissions }: CallOptions): Approval {
    if (permissions.confirm)
      throw new SubstrateError(
        'forbidden_scope',
        'The actions of this key need a person themselves: it decides nothing.',
      );
    const decided = this.waiting.decide(id, approve, keyId, permissions);
    const { pid, app_id: appId, action, key_id } = decided;
    const about = `${action} for ${key_id}`;
    this.parts.actionLog.note(eventEntry(approve ? 'approve' : 'deny', keyId, { pid, appId }, about));
    return decided;
  }

  learn(pid: number, request: LearnRequest, { keyId, permissions }: CallOptions): LearnResponse {
    const session = this.sessionWithState(pid);
    if (!session.hasCapture(request.capture_id)) throw this.unknownCapture(request.capture_id, session, permissions);
    return this.teaching.learn(session, request, keyId);
  }

  exportSchema(appId: string, all: boolean): SchemaDocument {
    return this.teaching.exportSchema(appId, all);
  }

  importSchema(request: ImportRequest, { keyId }: CallOptions): ImportResponse {
    return this.teaching.importSchema(request, keyId);
  }

  /** For a fleet in which this host has this name. */
  knowledgeAs(host: string): Knowledge {
    return this.teaching.knowledgeAs(host);
  }

  watch(pid: number, watcher: Watcher): () => void {
    return this.tracker.ask(pid).watchers.add(watcher);
  }

  async unmatched(pid: number, keys: string, owner: string) {
    const session = this.tracker.find(pid);
    if (!session?.head) return null;
    const globs = await session.unmatched(keys, { owner });
    return session.head && { appId: session.appId, captureId: session.head.captureId, globs };
  }

  /** Runs before the action is queued, since others can act while a person thinks. The gates check again after it. */
  private async confirm(call: ActionCall): Promise<Confirmation> {
    const { request, session, app, options } = call;
    await lookFor(request, session);
    const known = await withOutcome(call);
    const action = gate(known);
    const { captureId } = session.handOut();
    const fields = { app_id: session.appId, key_id: options.keyId };
    this.parts.log.info(fields, 'an action waits for a person: substrate approve');
    const asking = {
      question: questionOf(call, action, this.actions.earlier.of(session, action.binding)),
      app,
      current: () => currentOf(known, captureId),
      checkKey: () => void options.permissionsNow(),
    };
    const by = await this.waiting.ask(asking, options.signal);
    return { by, shown: shownAction(action) };
  }

  private identityOf(session: Session): AppIdentity {
    return identityOf(session, this.parts.owners);
  }

  /** An app that is not running has names only, no values. */
  private storedIdentity(wanted: string): AppIdentity {
    const { schemas } = this.parts;
    const appId = schemas.currentId(wanted);
    const appName = schemas.load(appId)?.app_name ?? '';
    return { appId, aliases: [wanted], appName, isForeign: false };
  }

  private async prepare(request: ActionRequest, options: CallOptions): Promise<[Predicate | null, Session]> {
    options.permissions.requireScope('act');
    this.allow(request, options.permissions);
    const predicate = await checkExpression(request, this.parts.config.action.verify_expression_max_bytes);
    const session = this.tracker.resolve(request.pid, request.app_id);
    if (!session) throw unresolved(request);
    await this.untilReady(session.process.pid, options);
    this.requireHead(session);
    return [predicate, session];
  }

  private async lookAtProcesses(): Promise<void> {
    const { drivers } = this;
    // A request came before the drivers were loaded.
    if (drivers === null) return;
    try {
      const began = performance.now();
      const delta = await this.parts.scanner.scan();
      this.traceScan(delta, performance.now() - began);
      this.noteOwn(delta);
      if (!this.stopped) this.tracker.takeScan(delta, drivers);
    } catch (error) {
      this.parts.log.error({ err: error }, 'process scan failed');
    }
  }

  private async scan(): Promise<void> {
    await this.looking.join();
    if (!this.stopped) this.timer = setTimeout(() => void this.scan(), this.parts.config.scanner.interval_ms);
  }

  /** Most scans find nothing new. */
  private traceScan({ appeared, gone }: ScanDelta, ms: number): void {
    if (appeared.length + gone.length === 0) return;
    this.parts.log.trace?.({ appeared: appeared.length, gone: gone.length, ms: Math.round(ms * 10) / 10 }, 'scan');
  }

  private noteOwn({ appeared, gone }: ScanDelta): void {
    // A parent that becomes another program by exec is still our parent; a reused pid is not.
    const isGone = (ref: ProcessRef) =>
      !appeared.some(({ pid, startTime }) => pid === ref.pid && startTime === ref.startTime);
    for (const ref of gone) if (this.ownPids.has(ref.pid) && isGone(ref)) this.ownPids.delete(ref.pid);
    for (const pid of findAncestors(appeared)) this.ownPids.add(pid);
  }

  /**
   * Attaches to the named app if needed, and waits while its state is on its way. Creating the signal is expensive, so
   * it is only used where there is something to wait for.
   */
  private async untilReady(pid: number, options: Pick<CallOptions, 'signal'>): Promise<void> {
    const deadline = performance.now() + ASKED_WAIT_MS;
    const session = this.tracker.ask(pid);
    while (this.tracker.isComing(session) && performance.now() < deadline && !options.signal.aborted)
      await pause(ASKED_LOOK_MS, options.signal);
    if (!this.tracker.isComing(session)) return;
    const problem = this.tracker.problemOf(pid);
    const why = problem === null ? '' : ` So far it did not work: ${problem}`;
    throw new SubstrateError(
      'probe_not_ready',
      `${session.recognition.appName} (pid ${pid}) is being attached to, because it was asked for. Ask again in some seconds.${why}`,
    );
  }

  private async upToDate(pid: number, fresh: boolean, options: CallOptions): Promise<Session> {
    await this.untilReady(pid, options);
    const session = this.sessionWithState(pid);
    if (fresh) await untilAborted(session.refresh(options.spendSnapshot).catch(explainCaptureFailure), options.signal);
    return session;
  }

  private sessionWithState(pid: number): Session {
    const session = this.tracker.session(pid);
    this.requireHead(session);
    return session;
  }

  private requireHead(session: Session) {
    const problem = this.tracker.problemOf(session.process.pid);
    if (!session.head && problem !== null)
      throw new SubstrateError(
        'probe_not_ready',
        `${session.recognition.appName} (pid ${session.process.pid}) has no state: ${problem}`,
      );
    return session.requireHead();
  }

  /** A key that is not for this app must not learn that it exists. */
  private unknownCapture(captureId: string, session: Session, permissions: Permissions): SubstrateError {
    const owner = this.tracker.ownerOfCapture(captureId);
    if (owner && owner !== session && permissions.includesApp(this.identityOf(owner)))
      return new SubstrateError(
        'capture_pid_mismatch',
        `This capture belongs to pid ${owner.process.pid}, not to ${session.process.pid}.`,
      );
    return new SubstrateError(
      'capture_not_found',
      'This capture is not in the history (any more). Read the state for a new capture_id.',
    );
  }
}
