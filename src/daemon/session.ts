/** One tracked process: its latest snapshot, its history, and its watchers. */

import { uuidv7 } from 'uuidv7';
import { SubstrateError } from '../model/errors.ts';
import type { ProbeHealth } from '../model/health.ts';
import type { SliceOptions } from '../model/in-slices.ts';
import type { ProcessInfo } from '../model/process.ts';
import type { RawAction } from '../model/raw-action.ts';
import type { StateLook } from '../model/state-look.ts';
import { traced } from '../model/trace.ts';
import type { UnmatchedGlob } from '../model/unmatched-globs.ts';
import type { DiffResponse } from '../model/wire.ts';
import type { Capture, Probe, Recognition } from '../probes/probe.ts';
import { type Action, actionMap, buildActions } from '../semantic/actions.ts';
import type { Engine } from '../semantic/engine.ts';
import type { StateView } from '../semantic/predicate/predicate.ts';
import { redactText } from '../semantic/redact.ts';
import type { Change } from '../semantic/state-table.ts';
import { CaptureCycle, type CaptureCycleOptions, type CycleResult } from './capture-cycle.ts';
import { diffOf } from './diff.ts';
import { History } from './history.ts';
import type { JsonBytes, Reading } from './service.ts';
import { lookAt, viewOf, watchEvent, withoutSecrets } from './session-view.ts';
import { isSameApp, type SnapshotHead } from './snapshot.ts';
import { StateRenderer } from './state-renderer.ts';
import { Watchers } from './watchers.ts';

export interface SessionOptions extends CaptureCycleOptions {
  readonly process: ProcessInfo;
  readonly recognition: Recognition;
  readonly historyLimit: number;
  readonly onSchemaChange: (engine: Engine) => void;
  /** `changes` is null when the state is no longer known. */
  readonly onChanges?: (changes: readonly Change[] | null) => void;
}

const SCHEMA_SAVE_INTERVAL_MS = 10_000;

export class Session {
  readonly process: ProcessInfo;
  /** The attach may correct it. */
  recognition: Recognition;
  readonly engine: Engine;
  head: SnapshotHead | null = null;
  /** The process is gone. */
  hasEnded = false;
  /** Outlives the snapshot, so that the last capture of an ended app has a time. */
  lastCapturedAt: string | null = null;
  actions: ReadonlyMap<string, Action> = new Map();
  rawActions: readonly RawAction[] = [];
  /** The reason why most actions are absent at the moment: an open dialog. */
  blockedBy: string | null = null;
  /** The view for predicates: one object for the whole life, because predicates cache their key index by it. */
  readonly view: StateView;
  readonly history: History;
  readonly watchers = new Watchers();
  /** The first capture since which neither keys nor anything else has changed. */
  sameSince = '';
  private readonly options: SessionOptions;
  private readonly captures: CaptureCycle;
  private readonly renderer: StateRenderer;
  private publishedActions: Buffer;
  private actionsVersion = '';
  /** The probe of the last `invoke`; it may be lost by now. */
  private lastProbe: Probe | null = null;
  private lastHealth: ProbeHealth | null = null;
  private schemaSavedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SessionOptions) {
    this.options = options;
    this.process = options.process;
    this.recognition = options.recognition;
    this.engine = options.engine;
    this.history = new History(options.historyLimit);
    this.view = viewOf(this);
    this.renderer = new StateRenderer(this);
    this.publishedActions = this.renderer.actions;
    this.captures = new CaptureCycle(options, {
      confidence: () => this.head?.confidence ?? null,
      takeActions: (capture) => this.takeActions(capture),
      publish: (result) => this.publish(result),
    });
  }

  get appId(): string {
    return this.engine.appId;
  }

  /** Its earlier ids. */
  get aliases(): readonly string[] {
    return this.engine.schema.aliases ?? [];
  }

  /** The cost of the probe for the app. */
  get cost(): CaptureCycle['cost'] {
    return this.captures.cost;
  }

  /** The budget ended the search; the next captures continue it. */
  get isSearching(): boolean {
    return this.captures.isSearching;
  }

  useProbe(probe: Probe | null): void {
    this.lastHealth = probe ? null : this.health;
    this.captures.useProbe(probe);
  }

  /** The first snapshot: tries deeper captures until one is good, and keeps the best. */
  cold(timeoutMs: number): Promise<void> {
    return this.captures.cold(timeoutMs);
  }

  /** For the poll loop: joins a capture that is under way. */
  poll(): Promise<void> {
    return this.captures.poll();
  }

  /** A capture that begins after this call; calls `spendSnapshot` if it has to scan the heap. */
  refresh(spendSnapshot?: () => void): Promise<void> {
    return this.captures.refresh(spendSnapshot);
  }

  invoke(binding: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal, limitMs: number) {
    const probe = this.captures.requireProbe();
    this.lastProbe = probe;
    const work = () => probe.invoke(binding, args, signal, limitMs);
    return traced(this.options.trace, 'action', work, ({ ok }) => ({ result: ok ? 'done' : 'failed in the app' }));
  }

  judgeFirst(binding: string): void {
    this.captures.probe?.judgeFirst?.(binding);
  }

  /** The health of the current or last probe; null if there was none. */
  get health(): ProbeHealth | null {
    return this.captures.probe?.health?.() ?? this.lastHealth;
  }

  /** The exception that the app threw since the last `invoke`, outside of it. */
  takeThrown(): string | null {
    return this.lastProbe?.takeThrown?.() ?? null;
  }

  stateBytes(fromCache: boolean): JsonBytes {
    return this.renderer.whole(this.handOut(), fromCache);
  }

  /** The last result of `stateBytes`, or the fact that the client has it; null if it would have to be made. */
  readFromMemory(known: readonly string[]): Reading | null {
    const current = this.stillTrue(known);
    if (current !== null) return { bytes: null, captureId: current };
    const bytes = this.renderer.keptFor(this.head);
    return bytes && { bytes, captureId: this.handOut().captureId };
  }

  /** The same for the keys that globs (separated by commas) select. */
  async readPart(globs: string, fromCache: boolean, slices: SliceOptions): Promise<Reading> {
    const render = await this.renderer.part(globs, slices);
    const head = this.handOut();
    return { bytes: render(head, fromCache), captureId: head.captureId };
  }

  /** Globs that match no key at the moment. */
  unmatched(globs: string, slices: SliceOptions): Promise<readonly UnmatchedGlob[]> {
    return this.renderer.unmatched(globs, slices);
  }

  /** Prepares the bytes, so that taking them is cheap. */
  renderAhead(slices?: SliceOptions): Promise<void> {
    return this.renderer.renderAhead(slices);
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
    return this.captures.probe?.changed ? 'reportedChange' : 'polledChange';
  }

  /** Resolves when the app reports a change, or at once if it cannot report any. */
  async changed(signal: AbortSignal): Promise<void> {
    await this.captures.probe?.changed?.(signal);
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
    this.captures.stop();
    this.head = null;
    this.renderer.clear();
    this.engine.clear();
    this.history.clear();
    this.watchers.ended();
    this.options.onChanges?.(null);
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
    this.renderer.actions = Buffer.from(JSON.stringify(actionMap(this.actions)));
    this.actionsVersion = schema.schema_version;
  }

  private publish({ capture, changes, confidence: judged, capturingMs, totalMs }: CycleResult): void {
    const { engine } = this;
    const total = Math.round(totalMs);
    const capturing = Math.min(total, Math.round(capturingMs));
    const before = this.head;
    this.head = {
      captureId: uuidv7(),
      capturedAt: new Date().toISOString(),
      // A correction during the capture belongs to the next snapshot, which has its names.
      schemaVersion: (engine.isBehind && this.head?.schemaVersion) || engine.schema.schema_version,
      confidence: judged.confidence,
      confidenceReason: judged.reason,
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
    const { actions } = this.renderer;
    if (!isSame || !actions.equals(this.publishedActions)) this.sameSince = this.head.captureId;
    this.publishedActions = actions;
    this.lastCapturedAt = this.head.capturedAt;
    this.history.push(this.head.captureId, changes, Date.parse(this.head.capturedAt));
    if (performance.now() - this.schemaSavedAt > SCHEMA_SAVE_INTERVAL_MS) this.saveSchema();
    if (changes.length > 0) this.options.onChanges?.(changes);
    if (changes.length === 0 || this.watchers.isEmpty) return;
    this.history.handOut();
    this.watchers.changed(watchEvent(this, this.head, changes));
  }
}
