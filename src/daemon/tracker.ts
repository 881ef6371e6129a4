/** Decides which processes are apps, and keeps their sessions. Fed by the scanner. */

import type { BudgetPart, ProbeBudget } from '../model/budget.ts';
import type { ChangeFeed } from '../model/change-feed.ts';
import type { Config } from '../model/config.ts';
import { SubstrateError } from '../model/errors.ts';
import type { Logger } from '../model/log.ts';
import type { ProcessInfo, ProcessInspector, ProcessRef, ScanDelta, Signaller } from '../model/process.ts';
import type { AppSummary, Attachment } from '../model/wire.ts';
import type { FactsStore, ProgramIdentity, Recognition } from '../probes/probe.ts';
import type { DriverRegistry } from '../probes/registry.ts';
import { makeAppId } from '../semantic/app-id.ts';
import { Engine } from '../semantic/engine.ts';
import { AppTrace } from './app-trace.ts';
import { AttachFactFinder } from './attach-facts.ts';
import { type AttachFacts, judge, type Verdict } from './attach-policy.ts';
import { inContainer, locate } from './in-container.ts';
import { isExcluded, isOurs } from './own-processes.ts';
import { passOn } from './pass-on.ts';
import { probeBudget } from './probe-budget.ts';
import { ProbeLoop } from './probe-loop.ts';
import { type Recalled, recall, type SchemaStore } from './recall.ts';
import { instancesOf, resolveSession } from './resolve-session.ts';
import { Session } from './session.ts';
import { attachmentOf, attachVerdict, summarise, type TrackedApp } from './tracked-app.ts';

/** The facts that drivers keep per app. */
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
  /** Absent if nothing is kept. */
  readonly facts?: FactsStores;
  readonly metrics: ProbeMetrics;
  readonly log: Logger;
  /** Never tracked: the daemon, and the programs that started it. */
  readonly ownPids: ReadonlySet<number>;
  /** The users whose programs are attached to without being asked; null for all. */
  readonly users: ReadonlySet<number> | null;
  readonly limits?: typeof LIMITS;
  /** Keys whose values are not redacted. */
  readonly isAllowed?: (key: string) => boolean;
  readonly owners?: ReadonlySet<number> | null;
  readonly feed?: ChangeFeed | undefined;
  /** An app of this id runs. */
  readonly onFound?: ((appId: string) => void) | undefined;
}

/**
 * A process may not have loaded the modules yet by which it is recognised: it is checked again, with growing pauses,
 * for some minutes.
 */
const FIRST_LOOK_MS = 500;
const LATER_LOOK_FACTOR = 1.7;
const LAST_LOOK_MS = 120_000;
/** A young program may soon listen; an old one seldom becomes an app. */
const JUDGE_YOUNG_MS = 1000;
const JUDGE_OLD_MS = 10_000;
const YOUNG_MS = 30_000;
/** `attached`: per user, without being asked. `keys`: all apps together; each gets some, however many there are. */
const LIMITS = { attached: 500, keys: 2_000_000 };
const LEAST_KEYS = 1000;
const SHORT_LIFE_MS = 10_000;
const ENDED_LISTED_MS = 30_000;
const MAX_ENDED_LISTED = 100;
/** A capture may take as long as several polls, but an answer must still fit into a request's 30 s. */
const CAPTURE_TIMEOUT_POLLS = 12;
const CAPTURE_TIMEOUT_MIN_MS = 2000;
const CAPTURE_TIMEOUT_MAX_MS = 25_000;

export class Tracker {
  private readonly options: TrackerOptions;
  private readonly apps = new Map<number, TrackedApp>();
  private readonly unknown = new Map<number, { process: ProcessInfo; lookAt: number; pauseMs: number }>();
  private readonly facts: AttachFactFinder;
  private readonly limits: typeof LIMITS;
  /** Clean-ups of ended apps: their leftovers in the file system are being removed. */
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

  /** A request names the app: it is attached to now, and next time without being asked. */
  ask(pid: number): Session {
    const app = this.tracked(pid);
    const { session } = app;
    const { hints } = session.engine.schema;
    if (hints.asked !== true) {
      hints.asked = true;
      session.engine.schemaChanged = true;
    }
    if (!app.isStarted) {
      app.isAsked = true;
      this.decide(app, { attach: true, why: 'somebody asked for it', mayChange: false });
      this.startProbe(app, 0);
    } else if (app.loop.hurry()) app.isAsked = true;
    return session;
  }

  /** True if it is being attached to on request, and has no state yet. */
  isComing({ process, head }: Session): boolean {
    const app = this.apps.get(process.pid);
    return app?.isAsked === true && app.endedAt === null && head === null && app.loop.isTrying;
  }

  /** By hand: it stays detached until somebody asks for it. Resolves when nothing of ours is left in it. */
  async detach(pid: number): Promise<void> {
    const app = this.tracked(pid);
    app.isStarted = false;
    app.isAsked = false;
    app.judgeAt = null;
    this.decide(app, { attach: false, why: 'it was detached by hand', mayChange: false });
    await app.loop.stop();
    app.session.forget();
  }

  /** Whether an app is attached to without being asked, and why. */
  attachment(pid: number): Attachment {
    return attachmentOf(this.tracked(pid));
  }

  /** The steps of the work on it so far. */
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

  /** True if it is tracked, or was a moment ago. */
  knows(pid: number): boolean {
    return this.apps.has(pid);
  }

  /** By pid, for everything but actions. */
  session(pid: number): Session {
    return this.tracked(pid).session;
  }

  /** Null if it is not tracked, or has ended. */
  find(pid: number): Session | null {
    const app = this.apps.get(pid);
    return app && app.endedAt === null ? app.session : null;
  }

  private tracked(pid: number): TrackedApp {
    const app = this.apps.get(pid);
    if (app && app.endedAt === null) return app;
    throw new SubstrateError('not_found', `No tracked application has pid ${pid}. GET /substrate/v1/apps lists them.`);
  }

  /** By pid or app_id; null if neither resolves. Among several instances, the newest with state. */
  resolve(pid: number | undefined, appId: string | undefined): Session | null {
    return resolveSession(this.live(), { pid, appId }, (app) => this.startedMs(app));
  }

  /** An earlier id of the app counts, unless several apps had it. */
  instances(appId: string): Session[] {
    return instancesOf(this.live(), appId);
  }

  private startedMs({ session, foundAt }: TrackedApp): number {
    return this.facts.startedMs(session.process, foundAt);
  }

  /** The app of this capture, to distinguish a foreign capture from an unknown one. */
  ownerOfCapture(captureId: string): Session | null {
    return this.live().find(({ session }) => session.hasCapture(captureId))?.session ?? null;
  }

  /** Why an app without state has none, and whether that is final; null if nothing is in the way. */
  problemOf(pid: number): string | null {
    const app = this.apps.get(pid);
    return app?.loop.lastProblem ? attachVerdict(app).blocker : null;
  }

  async stop(): Promise<void> {
    this.unknown.clear();
    for (const { session } of this.live()) session.saveSchema();
    await Promise.all([...this.leaving, ...this.live().map(({ loop }) => loop.stop())]);
  }

  private live(): TrackedApp[] {
    return [...this.apps.values()].filter(({ endedAt }) => endedAt === null);
  }

  private isExcluded(process: ProcessInfo): boolean {
    const { config, ownPids } = this.options;
    return isOurs(process) || ownPids.has(process.pid) || isExcluded(process, config.scanner.exclude);
  }

  /** A driver that fails on one process must not keep the others from being found. */
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
    // Processes that a browser forks have often ended by then.
    if (!found || !inspector.isAlive(process)) return false;
    const { recognition, plainName } = locate(found.recognition, process, inspector);
    const { appName, identity, runtimeName: runtime } = recognition;
    const ms = performance.now() - began;
    const appId = makeAppId(appName, identity, process.uid);
    if ([appName, plainName].some((name) => this.options.config.scanner.exclude.includes(name))) return true;
    log.info({ pid: process.pid, app_id: appId, runtime }, 'application found');
    const trace = new AppTrace({ pid: process.pid, appId, log });
    trace.note('recognised', { result: `${runtime}, in ${ms.toFixed(1)} ms` });
    this.track(process, recognition, appId, trace, (engine, abort) =>
      found.driver.attach(process, {
        inspect: inspector,
        signal: this.options.signal,
        log,
        trace,
        ...(facts ? { facts: factsOf(facts, engine) } : {}),
        maxKeys: this.keysLeft(),
        budget: this.budgetFor(process, engine),
        abort,
      }),
    );
    return true;
  }

  /** Limits the daemon's memory, however many apps there are. */
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

  private budgetFor(process: ProcessInfo, { schema }: Engine): ProbeBudget {
    const residentBytes = this.options.inspector.details(process)?.residentBytes ?? 0;
    return probeBudget(this.options.config.probe, schema, residentBytes);
  }

  private track(
    process: ProcessInfo,
    recognition: Recognition,
    appId: string,
    trace: AppTrace,
    attach: (engine: Engine, abort: AbortSignal) => ReturnType<ProbeLoopAttach>,
  ): void {
    const { config, schemas, metrics, log, isAllowed } = this.options;
    const known = this.recall(appId, recognition, process, []);
    const engine = new Engine(appId, recognition.appName, known.schema, isAllowed);
    engine.schemaChanged = known.isChanged;
    const isKnown = known.isKnown && engine.schema.hints.short_lived !== true;
    const session: Session = new Session({
      process,
      recognition,
      engine,
      trace,
      historyLimit: config.probe.history,
      captureTimeoutMs: captureTimeoutMs(config.probe.interval_ms),
      activity: () => this.options.inspector.activity(process),
      onSchemaChange: (changed) => {
        changed.schemaChanged = false;
        schemas.save(changed.schema);
      },
      onCycle: (seconds, error) => {
        metrics.probeCycle(recognition.runtime, seconds, error === null);
        loop.noteCycle(error);
      },
      onChanges: (changes) => passOn(this.options, session, changes),
      onSearched: (stoppedBy) => {
        const { hints } = engine.schema;
        if (stoppedBy !== null) {
          metrics.budgetSpent(recognition.runtime, stoppedBy);
          log.warn(
            { pid: process.pid, app_id: session.appId, budget: stoppedBy },
            'not all was read: the budget is spent',
          );
        }
        if ((hints.stopped_by ?? null) === stoppedBy) return;
        hints.stopped_by = stoppedBy;
        engine.schemaChanged = true;
      },
    });
    const loop = new ProbeLoop({
      process,
      session,
      attach: async (abort) => {
        const probe = await attach(engine, abort);
        if (probe.program) this.takeProgram(session, trace, probe.program);
        // The connection usually breaks before the next scan sees that the process is gone.
        void probe.closed.then(() => {
          if (!this.options.inspector.isAlive(process)) this.processGone(process);
        });
        return probe;
      },
      intervalMs: config.probe.interval_ms,
      pollBudgetPercent: config.probe.budget_poll_percent,
      searchBudgetPercent: config.probe.budget_search_percent,
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
    // Also if an earlier process had this pid: the newest is the last.
    this.apps.delete(process.pid);
    this.apps.set(process.pid, app);
    this.judgeAgain(app);
    this.options.onFound?.(appId);
  }

  /** Others know an app that may have been unknown here: it starts as a known one does. */
  becameKnown(appId: string): void {
    for (const app of this.live().filter(({ session }) => session.appId === appId)) {
      if (!app.session.engine.schema.hints.short_lived) app.settleMs = 0;
      if (app.judgeAt !== null) this.judgeAgain(app);
    }
  }

  /** By this id and by earlier ones, including `seen`. Instances share it: a correction of one is valid for all. */
  private recall(
    appId: string,
    { appName, earlier = [] }: ProgramIdentity,
    { uid }: ProcessInfo,
    seen: readonly string[],
  ): Recalled {
    const sibling = this.live().find(({ session }) => session.appId === appId)?.session;
    const stored = this.options.schemas.load(appId);
    const ids = [...earlier.map((identity) => makeAppId(appName, identity, uid)), ...seen];
    const recalled = recall({ appId, appName }, sibling?.engine.schema ?? stored, ids, this.options.schemas);
    return sibling?.head === null && stored === null ? { ...recalled, isKnown: false } : recalled;
  }

  /** The runtime's answer is right; from outside a program can look like another one. */
  private takeProgram(session: Session, trace: AppTrace, said: ProgramIdentity): void {
    const { appId: seen, recognition, process, engine } = session;
    const program = inContainer(said, recognition.origin);
    const appId = makeAppId(program.appName, program.identity, process.uid);
    // Once it has been read, clients know its id and its keys.
    if (appId === seen || session.head !== null) return;
    // An uncertain id may belong to another program, which keeps it.
    const known = this.recall(appId, program, process, recognition.isGuess ? [] : [seen]);
    session.recognition = { ...recognition, ...program, isGuess: false };
    engine.becomes(appId, program.appName, known.schema);
    engine.schemaChanged = known.isChanged;
    if (this.apps.get(process.pid)?.isAsked) engine.schema.hints.asked = true;
    this.options.onFound?.(appId);
    trace.appId = appId;
    trace.note('identified', { result: `${appId}, not ${seen}` });
    this.options.log.info({ pid: process.pid, app_id: appId, before: seen }, 'application identified');
  }

  private judgeAgain(app: TrackedApp): void {
    const { config, users } = this.options;
    const { process, recognition, engine } = app.session;
    const { asked, asked_elsewhere, short_lived } = engine.schema.hints;
    const seen = this.facts;
    const tools = { tool: seen.toolOf(process.pid), startedBy: seen.toolAbove(process.pid) };
    // Interest on another host is no reason to attach to a developer's tool here.
    const isAsked = asked || (asked_elsewhere && tools.tool === null && tools.startedBy === null);
    const facts: AttachFacts = {
      ...seen.timesOf(process, app.foundAt),
      settleMs: app.settleMs,
      ...tools,
      isKnown: isAsked === true && short_lived !== true,
      isForeign: users !== null && !users.has(process.uid),
      get isExposed() {
        const isRoots = process.uid === 0 && recognition.opensInspector === true;
        return isRoots && !config.scanner.root_inspectors && seen.hasOtherUsers(process);
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
 * SIGUSR1 at the very moment when a process ends can make Node abort. Short-lived commands are therefore left alone at
 * first, however well they are known; a program that lived long before is attached to at once.
 */
function noteLifetime({ session, foundAt }: TrackedApp): void {
  if (!session.head) return;
  const isShort = performance.now() - foundAt < SHORT_LIFE_MS;
  if (isShort === (session.engine.schema.hints.short_lived === true)) return;
  session.engine.schema.hints.short_lived = isShort;
  session.engine.schemaChanged = true;
}

function captureTimeoutMs(intervalMs: number): number {
  return Math.min(CAPTURE_TIMEOUT_MAX_MS, Math.max(CAPTURE_TIMEOUT_MIN_MS, intervalMs * CAPTURE_TIMEOUT_POLLS));
}

type ProbeLoopAttach = ConstructorParameters<typeof ProbeLoop>[0]['attach'];

/** The attach may change the id. */
function factsOf(facts: FactsStores, engine: Engine): FactsStore {
  return { load: () => facts.of(engine.appId).load(), save: (found) => facts.of(engine.appId).save(found) };
}
