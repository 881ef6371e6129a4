/** One tracked process: its latest snapshot, its history, and its watchers. */

import { uuidv7 } from 'uuidv7';
import type { BudgetPart } from '../model/budget.ts';
import { SubstrateError } from '../model/errors.ts';
import type { ProbeHealth } from '../model/health.ts';
import { inSlices, type SliceOptions } from '../model/in-slices.ts';
import type { ProcessActivity, ProcessInfo } from '../model/process.ts';
import type { RawAction } from '../model/raw-action.ts';
import type { StateLook } from '../model/state-look.ts';
import { traced } from '../model/trace.ts';
import type { UnmatchedGlob } from '../model/unmatched-globs.ts';
import type { DiffResponse } from '../model/wire.ts';
import type { Capture, CaptureDepth, CaptureRequest, Probe, Recognition } from '../probes/probe.ts';
import { type Action, actionMap, buildActions } from '../semantic/actions.ts';
import type { Engine } from '../semantic/engine.ts';
import type { StateView } from '../semantic/predicate/predicate.ts';
import { redactText } from '../semantic/redact.ts';
import { GOOD_CONFIDENCE } from '../semantic/state-confidence.ts';
import { type Change, mergeChanges } from '../semantic/state-table.ts';
import type { AppTrace } from './app-trace.ts';
import { diffOf } from './diff.ts';
import { History } from './history.ts';
import { PartialStates } from './partial-state.ts';
import type { JsonBytes, Reading } from './service.ts';
import { lookAt, viewOf, watchEvent, withoutSecrets } from './session-view.ts';
import { SingleFlight } from './single-flight.ts';
import { isSameApp, renderState, type SnapshotHead } from './snapshot.ts';
import { StateJudge } from './state-judge.ts';
import { StateText } from './state-text.ts';
import { Watchers } from './watchers.ts';

export interface SessionOptions {
  readonly process: ProcessInfo;
  readonly recognition: Recognition;
  readonly engine: Engine;
  readonly trace: AppTrace;
  readonly historyLimit: number;
  readonly captureTimeoutMs: number;
  /** Activity of the process; null if the system does not report it. */
  readonly activity: () => ProcessActivity | null;
  readonly onSchemaChange: (engine: Engine) => void;
  readonly onCycle: (seconds: number, error: unknown) => void;
  /** Called after the first capture of each attach, with the part of the budget that ended it, if any. */
  readonly onSearched: (stoppedBy: BudgetPart | null) => void;
  /** `changes` is null when the state is no longer known. */
  readonly onChanges?: (changes: readonly Change[] | null) => void;
}

/** The cost of the probe for the app, in ms of its CPU time. */
interface SessionCost {
  readonly searchMs: number;
  readonly lastMs: number;
  readonly stoppedBy: BudgetPart | null;
}

/** A capture whose leaves and actions have been applied, and the earlier ones of the same cycle. */
interface Taken {
  readonly capture: Capture;
  readonly changes: readonly Change[];
  readonly capturingMs: number;
  readonly costMs: number;
}

type Look = Pick<CaptureRequest, 'isAsked' | 'signal'>;

const NO_COST: SessionCost = { searchMs: 0, lastMs: 0, stoppedBy: null };

const SCHEMA_SAVE_INTERVAL_MS = 10_000;

export class Session {
  readonly process: ProcessInfo;
  /** The attach may correct it. */
  recognition: Recognition;
  readonly engine: Engine;
  head: SnapshotHead | null = null;
  /** The process is gone. */
  hasEnded = false;
  cost: SessionCost = NO_COST;
  /** The budget ended the search; the next captures continue it. */
  isSearching = false;
  /** Outlives the snapshot, so that the last capture of an ended app has a time. */
  lastCapturedAt: string | null = null;
  actions: ReadonlyMap<string, Action> = new Map();
  rawActions: readonly RawAction[] = [];
  /** The reason why most actions are absent at the moment: an open dialog. */
  blockedBy: string | null = null;
  /** The view for predicates: one object for the whole life, because predicates cache their key index by it. */
  readonly view: StateView;
  private readonly options: SessionOptions;
  readonly history: History;
  private readonly text: StateText;
  private readonly judge: StateJudge;
  private readonly flight = new SingleFlight(() => this.nextCycle());
  readonly watchers = new Watchers();
  private actionsText = Buffer.from('{}');
  /** The answer to a cached read of this snapshot, kept until the next one. */
  private rendered: { head: SnapshotHead; bytes: JsonBytes } | null = null;
  private readonly parts: PartialStates<SnapshotHead>;
  /** The first capture since which neither keys nor anything else has changed. */
  sameSince = '';
  private publishedActions = this.actionsText;
  private actionsVersion = '';
  private probe: Probe | null = null;
  /** The probe of the last `invoke`; it may be lost by now. */
  private lastProbe: Probe | null = null;
  private lastHealth: ProbeHealth | null = null;
  /** The probe may be wrong about what we have, so it must send everything. */
  private wantsAll = true;
  private hasScannedHeap = false;
  /** Once per attach, regardless of the document, it looks deeper without being asked. */
  private hasLookedDeeper = false;
  private suggestsHeapScan = false;
  private wasEnded = false;
  private wantsHeapScan = false;
  private schemaSavedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SessionOptions) {
    this.options = options;
    this.process = options.process;
    this.recognition = options.recognition;
    this.engine = options.engine;
    this.history = new History(options.historyLimit);
    const { engine } = options;
    this.judge = new StateJudge(engine, options.activity);
    this.text = new StateText(engine.table, {
      get version() {
        return engine.salience.shownVersion;
      },
      isShown: (slot) => engine.isSlotShown(slot),
      rank: (slot) => engine.rankOfSlot(slot),
    });
    this.view = viewOf(this);
    const source = { table: engine.table, keyList: () => engine.keyList(), head: () => this.requireHead() };
    this.parts = new PartialStates(source);
  }

  get appId(): string {
    return this.engine.appId;
  }

  /** Its earlier ids. */
  get aliases(): readonly string[] {
    return this.engine.schema.aliases ?? [];
  }

  useProbe(probe: Probe | null): void {
    this.lastHealth = probe ? null : this.health;
    this.probe = probe;
    this.wantsAll = true;
    this.hasScannedHeap = false;
    this.hasLookedDeeper = false;
    this.judge.begin();
    if (probe) this.cost = NO_COST;
  }

  /** The first snapshot: tries deeper captures until one is good, and keeps the best. */
  cold(timeoutMs: number): Promise<void> {
    const isDeep = this.engine.schema.hints.deep === true;
    const depths: readonly CaptureDepth[] = !this.mayLookDeeper ? ['fast'] : isDeep ? ['deep'] : ['fast', 'deep'];
    return this.cycle(depths, timeoutMs);
  }

  /** False if a deep look did not help last time, or if even a shallow one exceeded the budget and continues. */
  private get mayLookDeeper(): boolean {
    const { deep, stopped_by: stoppedBy } = this.engine.schema.hints;
    const wasEnded = this.head === null ? typeof stoppedBy === 'string' : this.wasEnded;
    return !this.hasLookedDeeper && deep !== false && !wasEnded;
  }

  /** For the poll loop: joins a capture that is under way. */
  poll(): Promise<void> {
    return this.flight.join();
  }

  /** A capture that begins after this call; calls `spendSnapshot` if it has to scan the heap. */
  async refresh(spendSnapshot?: () => void): Promise<void> {
    await this.flight.fresh();
    // Once per attach or document: a second scan of the heap would not find more.
    if (
      spendSnapshot &&
      this.head &&
      !this.hasScannedHeap &&
      (this.suggestsHeapScan || this.head.confidence < GOOD_CONFIDENCE)
    ) {
      spendSnapshot();
      this.wantsHeapScan = true;
      await this.flight.fresh();
    }
  }

  invoke(binding: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal, limitMs: number) {
    const probe = this.requireProbe();
    this.lastProbe = probe;
    const work = () => probe.invoke(binding, args, signal, limitMs);
    return traced(this.options.trace, 'action', work, ({ ok }) => ({ result: ok ? 'done' : 'failed in the app' }));
  }

  judgeFirst(binding: string): void {
    this.probe?.judgeFirst?.(binding);
  }

  /** The health of the current or last probe; null if there was none. */
  get health(): ProbeHealth | null {
    return this.probe?.health?.() ?? this.lastHealth;
  }

  /** The exception that the app threw since the last `invoke`, outside of it. */
  takeThrown(): string | null {
    return this.lastProbe?.takeThrown?.() ?? null;
  }

  stateBytes(fromCache: boolean): JsonBytes {
    const head = this.handOut();
    if (!fromCache) return renderState(this, head, this.text.bytes(), this.actionsText, false);
    if (this.rendered?.head !== head) {
      this.rendered = { head, bytes: renderState(this, head, this.text.bytes(), this.actionsText, true) };
    }
    return this.rendered.bytes;
  }

  /** The last result of `stateBytes`, or the fact that the client has it; null if it would have to be made. */
  readFromMemory(known: readonly string[]): Reading | null {
    const current = this.stillTrue(known);
    if (current !== null) return { bytes: null, captureId: current };
    if (this.rendered === null || this.rendered.head !== this.head) return null;
    return { bytes: this.rendered.bytes, captureId: this.handOut().captureId };
  }

  /** The same for the keys that globs (separated by commas) select. */
  async readPart(globs: string, fromCache: boolean, slices: SliceOptions): Promise<Reading> {
    const part = this.parts.of(globs);
    await inSlices(part.preparing(), slices);
    const head = this.handOut();
    const objects = [part.bytes()];
    const bytes = renderState(this, head, objects, this.actionsText, fromCache, part.unmatched);
    return { bytes, captureId: head.captureId };
  }

  /** Globs that match no key at the moment. */
  async unmatched(globs: string, slices: SliceOptions): Promise<readonly UnmatchedGlob[]> {
    const part = this.parts.of(globs);
    await inSlices(part.preparing(), slices);
    return part.unmatched;
  }

  /** Prepares the bytes, so that taking them is cheap. */
  renderAhead(slices?: SliceOptions): Promise<void> {
    return inSlices(this.text.renewing(), slices);
  }

  /** A capture of the client that is still current, or null. */
  stillTrue(known: readonly string[]): string | null {
    const { captureId } = this.requireHead();
    const found = known.find((id) => id === captureId || (id >= this.sameSince && this.history.isNewest(id)));
    // The client keeps using it, so later changes must be kept for it.
    if (found !== undefined) this.history.handOut();
    return found ?? null;
  }

  look(): StateLook {
    return lookAt(this, this.handOut());
  }

  /** The latest snapshot, or the reason why there is none. */
  requireHead(): SnapshotHead {
    if (!this.head) {
      throw new SubstrateError(
        'probe_not_ready',
        `${this.recognition.appName} (pid ${this.process.pid}) has no state yet. Poll /substrate/v1/apps until has_state is true.`,
      );
    }
    return this.head;
  }

  /** The latest snapshot, for a client that may ask for the changes since. */
  handOut(): SnapshotHead {
    const head = this.requireHead();
    this.history.handOut();
    return head;
  }

  hasCapture(captureId: string): boolean {
    return this.history.has(captureId);
  }

  /** The differences between an earlier capture and now. `all` includes keys that are not shown. */
  changesSince(captureId: string, all = false): Change[] | null {
    const before = this.history.valuesAt(captureId);
    if (!before) return null;
    const changes: Change[] = [];
    for (const [key, value] of before) {
      const after = this.engine.table.get(key);
      if (!Object.is(value, after) && (all || this.engine.isShown(key))) changes.push({ key, before: value, after });
    }
    return changes;
  }

  diff(since: string, all = false): DiffResponse | null {
    const changes = this.changesSince(since, all);
    if (!changes) return null;
    return diffOf(changes, { pid: this.process.pid, appId: this.appId, since, captureId: this.handOut().captureId });
  }

  /** Whether the last capture found a change, and whether the app itself reports changes. */
  get pace(): 'quiet' | 'polledChange' | 'reportedChange' {
    if (this.head?.captureId !== this.sameSince) return 'quiet';
    return this.probe?.changed ? 'reportedChange' : 'polledChange';
  }

  /** Resolves when the app reports a change, or at once if it cannot report any. */
  async changed(signal: AbortSignal): Promise<void> {
    await this.probe?.changed?.(signal);
  }

  /** Saves discovered shapes; at every poll, apps with ever new keys would have it written all the time. */
  saveSchema(): void {
    if (!this.engine.schemaChanged) return;
    this.schemaSavedAt = performance.now();
    this.options.onSchemaChange(this.engine);
  }

  /** The process is gone. */
  end(): void {
    this.hasEnded = true;
    this.forget();
  }

  /** Drops its state. */
  forget(): void {
    this.saveSchema();
    this.probe = null;
    this.head = null;
    this.rendered = null;
    this.parts.clear();
    this.engine.clear();
    this.text.clear();
    this.history.clear();
    this.watchers.ended();
    this.options.onChanges?.(null);
  }

  private requireProbe(): Probe {
    if (this.probe) return this.probe;
    throw new SubstrateError('probe_not_ready', 'The probe is not attached at the moment; it is being attached again.');
  }

  /** Captures never overlap: each is a run of the flight. */
  private nextCycle(): Promise<void> {
    const isAsked = this.wantsHeapScan;
    this.wantsHeapScan = false;
    // Also for a state that was good at first: the judgement may have changed.
    const isPoor = this.head !== null && this.head.confidence < GOOD_CONFIDENCE && this.mayLookDeeper;
    const depths: readonly CaptureDepth[] = isAsked ? ['deep'] : isPoor ? ['fast', 'deep'] : ['fast'];
    return this.cycle(depths, this.options.captureTimeoutMs, isAsked);
  }

  private async cycle(depths: readonly CaptureDepth[], timeoutMs: number, isAsked = false): Promise<void> {
    const started = performance.now();
    try {
      const look = { isAsked, signal: AbortSignal.timeout(timeoutMs) };
      const best = await this.captureUntilGood(this.requireProbe(), depths, look);
      if (best) this.publish(best, performance.now() - started);
      this.options.onCycle((performance.now() - started) / 1000, null);
    } catch (error) {
      this.wantsAll = true;
      this.options.onCycle((performance.now() - started) / 1000, error);
      throw error;
    }
  }

  /** Ever deeper captures. If a deeper one fails, the shallower result is kept. */
  private async captureUntilGood(probe: Probe, depths: readonly CaptureDepth[], look: Look): Promise<Taken | null> {
    let best: Taken | null = null;
    let confidence = 0;
    for (const depth of depths) {
      const taken: Taken | null = await this.captureOnce(probe, depth, look, best);
      if (taken === null) {
        this.wantsAll = true;
        this.hasScannedHeap = true;
        return best;
      }
      const { suggestsHeapScan, stoppedBy, isSearching, foundInHeap } = taken.capture;
      const { confidence: now } = this.judge.judge(taken.capture);
      // Finding something means little: the shallower capture may have found constants, too.
      if (best !== null && foundInHeap === true) this.engine.schema.hints.deep = now > confidence;
      best = taken;
      confidence = now;
      const wasEnded = isSearching ?? stoppedBy === 'time';
      if (wasEnded || (now >= GOOD_CONFIDENCE && !suggestsHeapScan)) return best;
    }
    return best;
  }

  /** Null if it failed, and there is a shallower one. */
  private async captureOnce(
    probe: Probe,
    depth: CaptureDepth,
    look: Look,
    shallower: Taken | null,
  ): Promise<Taken | null> {
    const isOurs = () => {
      if (this.probe !== probe) throw new Error('the probe was replaced during the capture');
    };
    this.hasLookedDeeper ||= depth === 'deep';
    const step = this.options.trace.beginRoutine('capture', { result: depth });
    const began = performance.now();
    const capture = await probe.capture({ depth, full: this.wantsAll, ...look }).catch((error: unknown) => {
      step.fail(error);
      if (shallower === null) throw error;
      return null;
    });
    const tookMs = performance.now() - began;
    const { kind } = capture?.leaves ?? {};
    if (kind === 'same' && capture?.actions === null) step.endSame({ result: `${depth}, nothing new` });
    else step.end({ result: `${depth}, ${kind === 'full' ? 'all' : 'changes'}`, count: capture?.rawCount ?? 0 });
    isOurs();
    if (capture === null) return null;
    const costMs = (shallower?.costMs ?? 0) + (capture.costMs ?? tookMs);
    this.noteCost(capture, costMs);
    const naming = () => inSlices(this.engine.prepare(capture.leaves, capture.roots), { goOn: isOurs });
    const commit = await (kind === 'same' ? naming() : traced(this.options.trace, 'name the keys', naming));
    isOurs();
    // Another document in the same app: its heap was not searched yet.
    if (capture.leaves.kind === 'full' && !this.wantsAll) this.hasScannedHeap = false;
    this.wantsAll = false;
    this.hasScannedHeap ||= depth === 'deep' && capture.isDeep !== false;
    this.suggestsHeapScan = capture.suggestsHeapScan;
    this.isSearching = capture.isSearching ?? false;
    this.wasEnded = capture.isSearching ?? capture.stoppedBy !== null;
    const found = commit();
    this.takeActions(capture);
    const changes = shallower ? mergeChanges([...shallower.changes, ...found]) : found;
    return { capture, changes, capturingMs: (shallower?.capturingMs ?? 0) + tookMs, costMs };
  }

  /** All captures of a cold cycle count; a poll has one. */
  private noteCost({ stoppedBy }: Capture, lastMs: number): void {
    const isFirst = this.cost === NO_COST;
    const searchMs = this.head === null || this.cost === NO_COST ? lastMs : this.cost.searchMs;
    this.cost = { searchMs, lastMs, stoppedBy };
    if (isFirst) this.options.onSearched(stoppedBy);
  }

  private takeActions({ actions, foundInHeap, blockedBy }: Capture): void {
    this.blockedBy = blockedBy ? redactText(blockedBy) : null;
    const { schema } = this.engine;
    if (foundInHeap !== undefined) {
      // The next attach scans the heap at once, or not at all.
      schema.hints.deep = foundInHeap;
      this.engine.schemaChanged = true;
    }
    if (actions) this.rawActions = actions;
    if (!actions && this.actionsVersion === schema.schema_version) return;
    this.actions = buildActions(this.rawActions, schema, (name) => this.engine.confidenceOfName(name));
    this.actionsText = Buffer.from(JSON.stringify(actionMap(this.actions)));
    this.actionsVersion = schema.schema_version;
  }

  private publish({ capture, changes, capturingMs }: Taken, totalMs: number): void {
    const { engine } = this;
    const total = Math.round(totalMs);
    const capturing = Math.min(total, Math.round(capturingMs));
    const before = this.head;
    this.judge.noteCycle(this.cost.lastMs);
    const { confidence, reason } = this.judge.judge(capture);
    this.head = {
      captureId: uuidv7(),
      capturedAt: new Date().toISOString(),
      // A correction during the capture belongs to the next snapshot, which has its names.
      schemaVersion: (engine.isBehind && this.head?.schemaVersion) || engine.schema.schema_version,
      confidence,
      confidenceReason: reason,
      context: withoutSecrets(capture.context),
      isLoading: capture.isLoading === true,
      metadata: {
        capture_latency_ms: capturing,
        labeling_latency_ms: total - capturing,
        total_latency_ms: total,
        raw_object_count: capture.rawCount,
        filtered_object_count: engine.salience.shownKeys(),
        dom_tier_used: capture.domTierUsed,
        probe_tier: capture.tier,
      },
    };
    const isSame = before !== null && changes.length === 0 && isSameApp(before, this.head);
    if (!isSame || !this.actionsText.equals(this.publishedActions)) this.sameSince = this.head.captureId;
    this.publishedActions = this.actionsText;
    this.lastCapturedAt = this.head.capturedAt;
    this.history.push(this.head.captureId, changes, Date.parse(this.head.capturedAt));
    if (performance.now() - this.schemaSavedAt > SCHEMA_SAVE_INTERVAL_MS) this.saveSchema();
    if (changes.length > 0) this.options.onChanges?.(changes);
    if (changes.length === 0 || this.watchers.isEmpty) return;
    this.history.handOut();
    this.watchers.changed(watchEvent(this, this.head, changes));
  }
}
