/** Which processes are apps, and which session belongs to whom. Fed by the scanner. */

import type { AppSchema } from '../model/app-schema.ts';
import type { BudgetPart, ProbeBudget } from '../model/budget.ts';
import type { Config } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import type { ProcessInfo, ProcessInspector, ProcessRef, ScanDelta, Signaller } from '../model/process.ts';
import type { AppSummary, Attachment } from '../model/wire.ts';
import type { FactsStore, Recognition } from '../probes/probe.ts';
import type { DriverRegistry } from '../probes/registry.ts';
import { makeAppId } from '../semantic/app-id.ts';
import { Engine } from '../semantic/engine.ts';
import { AppTrace } from './app-trace.ts';
import { AttachFactFinder } from './attach-facts.ts';
import { type AttachFacts, judge, type Verdict } from './attach-policy.ts';
import { isExcluded, isOurs } from './own-processes.ts';
import { ProbeLoop } from './probe-loop.ts';
import { Session, STOPPED_BY } from './session.ts';
import { attachmentOf, attachVerdict, summarise, type TrackedApp } from './tracked-app.ts';

/** Where schemas are kept between starts. */
export interface SchemaStore {
  load(appId: string): AppSchema | null;
  save(schema: AppSchema): void;
}

/** What drivers keep of each app. */
export interface FactsStores {
  of(appId: string): FactsStore;
}

export interface ProbeMetrics {
  probeCycle(runtime: string, seconds: number, ok: boolean): void;
  budgetSpent(runtime: string, part: BudgetPart): void;
}

export interface TrackerOptions {
  readonly config: Pick<Config, 'probe' | 'scanner'>;
  readonly inspector: ProcessInspector;
  readonly signal: Signaller;
  readonly schemas: SchemaStore;
  /** Absent: nothing is kept. */
  readonly facts?: FactsStores;
  readonly metrics: ProbeMetrics;
  readonly log: Logger;
  /** Never tracked: the daemon, and those that started it. */
  readonly ownPids: ReadonlySet<number>;
  /** Whose programs are attached to without being asked; null: everybody's. */
  readonly users: ReadonlySet<number> | null;
  readonly limits?: typeof LIMITS;
  /** Keys whose values are not redacted. */
  readonly isAllowed?: (key: string) => boolean;
}

/** A process may not have loaded yet what it will be known by: it is looked at again, ever later, for some minutes. */
const FIRST_LOOK_MS = 500;
const LATER_LOOK_FACTOR = 1.7;
const LAST_LOOK_MS = 120_000;
/** What is young may soon listen; what is old seldom becomes an app. */
const JUDGE_YOUNG_MS = 1000;
const JUDGE_OLD_MS = 10_000;
const YOUNG_MS = 30_000;
const ASKED = 'asked';
/** `attached`: of one user, without being asked. `keys`: of all apps together; each gets some, however many there are. */
const LIMITS = { attached: 500, keys: 2_000_000 };
const LEAST_KEYS = 1000;
const SHORT_LIFE_MS = 10_000;
const SHORT_LIVED = 'short_lived';
const ENDED_LISTED_MS = 30_000;
const MAX_ENDED_LISTED = 100;
/** A capture may take some polls' time, but an answer must still fit into a request's 30 s. */
const CAPTURE_TIMEOUT_POLLS = 12;
const CAPTURE_TIMEOUT_MIN_MS = 2000;
const CAPTURE_TIMEOUT_MAX_MS = 25_000;

export class Tracker {
  private readonly options: TrackerOptions;
  private readonly apps = new Map<number, TrackedApp>();
  private readonly unknown = new Map<number, { process: ProcessInfo; lookAt: number; pauseMs: number }>();
  private readonly facts: AttachFactFinder;
  private readonly limits: typeof LIMITS;
  /** Ends of apps that are gone: what is left of them in the file system is being removed. */
  private readonly leaving = new Set<Promise<void>>();

  constructor(options: TrackerOptions) {
    this.options = options;
    this.limits = options.limits ?? LIMITS;
    this.facts = new AttachFactFinder(options.inspector);
  }

  takeScan(delta: ScanDelta, drivers: DriverRegistry): void {
    const now = performance.now();
    this.facts.takeScan(delta);
    for (const ref of delta.gone) this.processGone(ref);
    for (const process of delta.appeared)
      if (!this.isExcluded(process)) this.unknown.set(process.pid, { process, lookAt: now, pauseMs: FIRST_LOOK_MS });
    for (const [pid, entry] of this.unknown) {
      if (entry.lookAt > now) continue;
      if (this.isDecided(entry.process, drivers) || entry.pauseMs > LAST_LOOK_MS) this.unknown.delete(pid);
      entry.lookAt = now + entry.pauseMs;
      entry.pauseMs *= LATER_LOOK_FACTOR;
    }
    for (const app of this.live()) if (app.judgeAt !== null && app.judgeAt <= now) this.judgeAgain(app);
    this.forgetEnded();
  }

  /** A request names it: it is attached to now, and by itself the next time. */
  ask(pid: number): Session {
    const app = this.tracked(pid);
    const { session } = app;
    const { hints } = session.engine.schema;
    if (hints[ASKED] !== true) {
      hints[ASKED] = true;
      session.engine.schemaChanged = true;
    }
    if (!app.isStarted) {
      app.isAsked = true;
      this.decide(app, { attach: true, why: 'somebody asked for it', mayChange: false });
      this.startProbe(app, 0);
    } else if (app.loop.hurry()) app.isAsked = true;
    return session;
  }

  /** It is being attached to because it was asked for, and has no state yet. */
  isComing({ process, head }: Session): boolean {
    const app = this.apps.get(process.pid);
    return app?.isAsked === true && app.endedAt === null && head === null && app.loop.isTrying;
  }

  /** By hand: it stays detached until it is asked for. Resolves when nothing of ours is left in it. */
  async detach(pid: number): Promise<void> {
    const app = this.tracked(pid);
    app.isStarted = false;
    app.isAsked = false;
    app.judgeAt = null;
    this.decide(app, { attach: false, why: 'it was detached by hand', mayChange: false });
    await app.loop.stop();
    app.session.forget();
  }

  /** Whether an app is attached to by itself, and why. */
  attachment(pid: number): Attachment {
    return attachmentOf(this.tracked(pid));
  }

  /** What was done to it so far. */
  trace(pid: number): AppTrace {
    return this.tracked(pid).trace;
  }

  attachments(isMeant: (session: Session) => boolean): Attachment[] {
    return this.live()
      .filter(({ session }) => isMeant(session))
      .map(attachmentOf);
  }

  get liveCount(): number {
    return this.live().length;
  }

  summaries(isMeant: (session: Session) => boolean = () => true): AppSummary[] {
    return [...this.apps.values()].filter(({ session }) => isMeant(session)).map(summarise);
  }

  /** It is tracked, or was a moment ago. */
  knows(pid: number): boolean {
    return this.apps.has(pid);
  }

  /** By pid, for everything but actions. */
  session(pid: number): Session {
    return this.tracked(pid).session;
  }

  /** Null: it is not tracked, or has ended. */
  find(pid: number): Session | null {
    const app = this.apps.get(pid);
    return app && app.endedAt === null ? app.session : null;
  }

  private tracked(pid: number): TrackedApp {
    const app = this.apps.get(pid);
    if (app && app.endedAt === null) return app;
    throw new SubstrateError('not_found', `No tracked application has pid ${pid}. GET /substrate/v1/apps lists them.`);
  }

  /** By pid or app_id; null when neither resolves. Of several instances the newest that has state. */
  resolve(pid: number | undefined, appId: string | undefined): Session | null {
    const byPid = this.live().find(({ session }) => session.process.pid === pid)?.session;
    if (byPid) {
      if (appId === undefined || byPid.appId === appId) return byPid;
      throw new SubstrateError('invalid_request', `pid ${pid} is ${byPid.appId}, not ${appId}. Name one of the two.`);
    }
    const instances = appId === undefined ? [] : this.instancesByAge(appId);
    if (new Set(instances.map(({ process }) => process.uid)).size > 1) {
      const pids = instances.map(({ process }) => process.pid).join(', ');
      throw new SubstrateError('invalid_request', `Different users run ${appId}: name one pid of ${pids}.`);
    }
    return instances.find(({ head }) => head !== null) ?? instances[0] ?? null;
  }

  instances(appId: string): Session[] {
    return this.live().flatMap(({ session }) => (session.appId === appId ? [session] : []));
  }

  /** The app that took this capture, for telling a foreign capture from an unknown one. */
  ownerOfCapture(captureId: string): Session | null {
    return this.live().find(({ session }) => session.hasCapture(captureId))?.session ?? null;
  }

  /** Why an app without state has none, and whether that is for good; null: nothing is in the way. */
  problemOf(pid: number): string | null {
    const app = this.apps.get(pid);
    return app?.loop.lastProblem ? attachVerdict(app).blocker : null;
  }

  async stop(): Promise<void> {
    this.unknown.clear();
    for (const { session } of this.live()) session.saveSchema();
    await Promise.all([...this.leaving, ...this.live().map(({ loop }) => loop.stop())]);
  }

  /** The newest first. */
  private instancesByAge(appId: string): Session[] {
    const instances = this.live()
      .filter(({ session }) => session.appId === appId)
      .map(({ session, foundAt }) => ({ session, startedMs: this.facts.startedMs(session.process, foundAt) }));
    // Of two that started in the same moment, the one that was found last.
    return instances
      .reverse()
      .sort((one, other) => other.startedMs - one.startedMs)
      .map(({ session }) => session);
  }

  private live(): TrackedApp[] {
    return [...this.apps.values()].filter(({ endedAt }) => endedAt === null);
  }

  private isExcluded(process: ProcessInfo): boolean {
    const { config, ownPids } = this.options;
    return isOurs(process) || ownPids.has(process.pid) || isExcluded(process, config.scanner.exclude);
  }

  /** What a driver cannot bear in one process must not keep the others from being found. */
  private isDecided(process: ProcessInfo, drivers: DriverRegistry): boolean {
    try {
      return this.tryToTrack(process, drivers);
    } catch (error) {
      this.options.log.error({ pid: process.pid, err: error }, 'a process could not be looked at');
      return false;
    }
  }

  private tryToTrack(process: ProcessInfo, drivers: DriverRegistry): boolean {
    const { inspector, log, facts } = this.options;
    const began = performance.now();
    const found = drivers.recognise(process, inspector);
    // What a browser forks is often gone by then.
    if (!found || !inspector.isAlive(process)) return false;
    const ms = performance.now() - began;
    const appId = makeAppId(found.recognition.appName, found.recognition.identity, process.uid);
    if (this.options.config.scanner.exclude.includes(found.recognition.appName)) return true;
    log.info({ pid: process.pid, app_id: appId, runtime: found.recognition.runtimeName }, 'application found');
    const trace = new AppTrace({ pid: process.pid, appId, log });
    trace.note('recognised', { result: `${found.recognition.runtimeName}, in ${ms.toFixed(1)} ms` });
    this.track(process, found.recognition, appId, trace, (engine, abort) =>
      found.driver.attach(process, {
        inspect: inspector,
        signal: this.options.signal,
        log,
        trace,
        hints: engine.schema.hints,
        ...(facts ? { facts: facts.of(appId) } : {}),
        maxKeys: this.keysLeft(),
        budget: this.budgetFor(process),
        abort,
      }),
    );
    return true;
  }

  /** However many apps there are, the daemon's memory has an end. */
  private keysLeft(): number {
    const shown = this.live().reduce((sum, { session }) => sum + session.engine.table.size, 0);
    return Math.min(this.options.config.probe.max_keys, Math.max(LEAST_KEYS, this.limits.keys - shown));
  }

  /** One user's programs must not keep the daemon from those of others. */
  private hasTooMany({ uid }: ProcessInfo): boolean {
    const theirs = this.live().filter(({ isStarted, session }) => isStarted && session.process.uid === uid);
    return theirs.length >= this.limits.attached;
  }

  private tooMany(): Verdict {
    const why = `${this.limits.attached} programs of this user are attached to already`;
    return { attach: false, why, mayChange: true };
  }

  private budgetFor(process: ProcessInfo): ProbeBudget {
    const { probe } = this.options.config;
    const residentBytes = this.options.inspector.details(process)?.residentBytes ?? 0;
    return {
      searchMs: probe.budget_search_ms,
      searchPercent: probe.budget_search_percent,
      memoryBytes: Math.max(probe.budget_memory_mb * 1024 * 1024, (residentBytes * probe.budget_memory_percent) / 100),
    };
  }

  private track(
    process: ProcessInfo,
    recognition: Recognition,
    appId: string,
    trace: AppTrace,
    attach: (engine: Engine, abort: AbortSignal) => ReturnType<ProbeLoopAttach>,
  ): void {
    const { config, schemas, metrics, log, isAllowed } = this.options;
    // Instances of one app share what is known of it: a correction made on one holds for all.
    const sibling = this.instances(appId)[0];
    const stored = schemas.load(appId);
    const engine = new Engine(appId, recognition.appName, sibling?.engine.schema ?? stored, isAllowed);
    const isKnown =
      (stored !== null || (sibling !== undefined && sibling.head !== null)) &&
      engine.schema.hints[SHORT_LIVED] !== true;
    const session: Session = new Session({
      process,
      recognition,
      engine,
      trace,
      historyLimit: config.probe.history,
      captureTimeoutMs: captureTimeoutMs(config.probe.interval_ms),
      onSchemaChange: (changed) => {
        changed.schemaChanged = false;
        schemas.save(changed.schema);
      },
      onCycle: (seconds, error) => {
        metrics.probeCycle(recognition.runtime, seconds, error === null);
        loop.noteCycle(error);
      },
      onSearched: (stoppedBy) => {
        const { hints } = engine.schema;
        if (stoppedBy !== null) {
          metrics.budgetSpent(recognition.runtime, stoppedBy);
          log.warn({ pid: process.pid, app_id: appId, budget: stoppedBy }, 'not all was read: the budget is spent');
        }
        if ((hints[STOPPED_BY] ?? null) === stoppedBy) return;
        hints[STOPPED_BY] = stoppedBy;
        engine.schemaChanged = true;
      },
    });
    const loop = new ProbeLoop({
      process,
      session,
      attach: async (abort) => {
        const probe = await attach(engine, abort);
        // The connection usually breaks before the next scan sees that the process is gone.
        void probe.closed.then(() => {
          if (!this.options.inspector.isAlive(process)) this.processGone(process);
        });
        return probe;
      },
      intervalMs: config.probe.interval_ms,
      pollBudgetPercent: config.probe.budget_poll_percent,
      coldTimeoutMs: config.probe.cold_timeout_ms,
      log,
      trace,
    });
    const app: TrackedApp = {
      session,
      loop,
      trace,
      settleMs: isKnown ? 0 : config.probe.settle_ms,
      foundAt: performance.now(),
      verdict: { attach: false, why: '', mayChange: true },
      judgeAt: null,
      isStarted: false,
      isAsked: false,
      endedAt: null,
    };
    // Also where an earlier process had this pid: the newest is the last.
    this.apps.delete(process.pid);
    this.apps.set(process.pid, app);
    this.judgeAgain(app);
  }

  private judgeAgain(app: TrackedApp): void {
    const { config, users } = this.options;
    const { process, recognition, engine } = app.session;
    const { hints } = engine.schema;
    const seen = this.facts;
    const facts: AttachFacts = {
      ...seen.timesOf(process, app.foundAt),
      settleMs: app.settleMs,
      tool: seen.toolOf(process.pid),
      startedBy: seen.toolAbove(process.pid),
      isKnown: hints[ASKED] === true && hints[SHORT_LIVED] !== true,
      isForeign: users !== null && !users.has(process.uid),
      get isExposed() {
        const isRoots = process.uid === 0 && recognition.opensInspector === true;
        return isRoots && !config.scanner.root_inspectors && seen.hasOtherUsers();
      },
      get hasWindow() {
        return recognition.hasWindow === true || seen.hasWindow(process);
      },
      get listens() {
        return seen.listens(process);
      },
      get runsOthers() {
        return seen.runsOthers(process.pid);
      },
    };
    const verdict = judge(facts, config.scanner.attach);
    this.decide(app, verdict.attach && this.hasTooMany(process) ? this.tooMany() : verdict);
    app.judgeAt = null;
    if (app.verdict.attach) this.startProbe(app, Math.max(0, app.settleMs - facts.ageMs));
    else if (app.verdict.mayChange)
      app.judgeAt = performance.now() + (facts.ageMs < YOUNG_MS ? JUDGE_YOUNG_MS : JUDGE_OLD_MS);
  }

  private decide(app: TrackedApp, verdict: Verdict): void {
    const { attach, why } = verdict;
    if (attach !== app.verdict.attach || why !== app.verdict.why)
      app.trace.note('judged', { result: `${attach ? 'attach' : 'leave it alone'}: ${why}` });
    app.verdict = verdict;
  }

  private startProbe(app: TrackedApp, settleMs: number): void {
    app.isStarted = true;
    app.judgeAt = null;
    app.loop.start(settleMs);
  }

  private processGone({ pid, startTime }: ProcessRef): void {
    if (this.unknown.get(pid)?.process.startTime === startTime) this.unknown.delete(pid);
    const app = this.apps.get(pid);
    if (!app || app.endedAt !== null || app.session.process.startTime !== startTime) return;
    app.endedAt = performance.now();
    noteLifetime(app);
    app.session.end();
    app.trace.note('ended');
    const left: Promise<void> = app.loop.stop().finally(() => this.leaving.delete(left));
    this.leaving.add(left);
    this.options.log.info({ pid, app_id: app.session.appId }, 'application ended');
  }

  private forgetEnded(): void {
    const ended = [...this.apps].flatMap(([pid, { endedAt }]) => (endedAt === null ? [] : [{ pid, endedAt }]));
    ended.sort((one, other) => one.endedAt - other.endedAt);
    for (const [at, { pid, endedAt }] of ended.entries())
      if (at < ended.length - MAX_ENDED_LISTED || performance.now() - endedAt > ENDED_LISTED_MS) this.apps.delete(pid);
  }
}

/**
 * SIGUSR1 in the very moment in which a process ends can make Node abort. Commands that are over soon are therefore left
 * alone at first, however well they are known; what lived long once is taken at once again.
 */
function noteLifetime({ session, foundAt }: TrackedApp): void {
  if (!session.head) return;
  const isShort = performance.now() - foundAt < SHORT_LIFE_MS;
  if (isShort === (session.engine.schema.hints[SHORT_LIVED] === true)) return;
  session.engine.schema.hints[SHORT_LIVED] = isShort;
  session.engine.schemaChanged = true;
}

function captureTimeoutMs(intervalMs: number): number {
  return Math.min(CAPTURE_TIMEOUT_MAX_MS, Math.max(CAPTURE_TIMEOUT_MIN_MS, intervalMs * CAPTURE_TIMEOUT_POLLS));
}

type ProbeLoopAttach = ConstructorParameters<typeof ProbeLoop>[0]['attach'];
