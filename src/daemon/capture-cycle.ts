/** The captures of one app: one at a time, deeper ones where a shallow one is not good enough, the cost of each noted. */
import type { BudgetPart } from '../model/budget.ts';
import { SubstrateError } from '../model/errors.ts';
import { inSlices } from '../model/in-slices.ts';
import type { ProcessActivity } from '../model/process.ts';
import { traced } from '../model/trace.ts';
import type { Capture, CaptureDepth, CaptureRequest, Probe } from '../probes/probe.ts';
import type { Engine } from '../semantic/engine.ts';
import { GOOD_CONFIDENCE, type StateConfidence } from '../semantic/state-confidence.ts';
import { type Change, mergeChanges } from '../semantic/state-table.ts';
import type { AppTrace } from './app-trace.ts';
import { SingleFlight } from './single-flight.ts';
import { StateJudge } from './state-judge.ts';

export interface CaptureCycleOptions {
  readonly engine: Engine;
  readonly trace: AppTrace;
  readonly captureTimeoutMs: number;
  /** Activity of the process; null if the system does not report it. */
  readonly activity: () => ProcessActivity | null;
  readonly onCycle: (seconds: number, error: unknown) => void;
  /** Called after the first capture of each attach, with the part of the budget that ended it, if any. */
  readonly onSearched: (stoppedBy: BudgetPart | null) => void;
}

/** The session that the captures are for. */
export interface CaptureReceiver {
  /** Confidence of the latest snapshot; null before the first. */
  confidence(): number | null;
  /** Called for each capture after its keys were applied. */
  takeActions(capture: Capture): void;
  /** Called at the end of a cycle that brought anything. */
  publish(result: CycleResult): void;
}

/** The best capture of a cycle, and the changes of all of its captures. */
export interface CycleResult {
  readonly capture: Capture;
  readonly changes: readonly Change[];
  readonly confidence: StateConfidence;
  readonly capturingMs: number;
  readonly totalMs: number;
}

/** The cost of the probe for the app, in ms of its CPU time. */
interface CaptureCost {
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

const NO_COST: CaptureCost = { searchMs: 0, lastMs: 0, stoppedBy: null };

export class CaptureCycle {
  cost: CaptureCost = NO_COST;
  /** The budget ended the search; the next captures continue it. */
  isSearching = false;
  private current: Probe | null = null;
  private readonly options: CaptureCycleOptions;
  private readonly receiver: CaptureReceiver;
  private readonly judge: StateJudge;
  private readonly flight = new SingleFlight(() => this.nextCycle());
  /** The probe may be wrong about what we have, so it must send everything. */
  private wantsAll = true;
  private hasScannedHeap = false;
  /** Once per attach, regardless of the document, it looks deeper without being asked. */
  private hasLookedDeeper = false;
  private suggestsHeapScan = false;
  private wasEnded = false;
  private wantsHeapScan = false;

  constructor(options: CaptureCycleOptions, receiver: CaptureReceiver) {
    this.options = options;
    this.receiver = receiver;
    this.judge = new StateJudge(options.engine, options.activity);
  }

  get probe(): Probe | null {
    return this.current;
  }

  useProbe(probe: Probe | null): void {
    this.current = probe;
    this.wantsAll = true;
    this.hasScannedHeap = false;
    this.hasLookedDeeper = false;
    this.judge.begin();
    if (probe) this.cost = NO_COST;
  }

  /** Takes no more captures, until there is another probe. */
  stop(): void {
    this.current = null;
  }

  requireProbe(): Probe {
    if (this.current) return this.current;
    throw new SubstrateError('probe_not_ready', 'The probe is not attached at the moment; it is being attached again.');
  }

  /** The first snapshot: tries deeper captures until one is good, and keeps the best. */
  cold(timeoutMs: number): Promise<void> {
    const isDeep = this.options.engine.schema.hints.deep === true;
    const depths: readonly CaptureDepth[] = !this.mayLookDeeper ? ['fast'] : isDeep ? ['deep'] : ['fast', 'deep'];
    return this.cycle(depths, timeoutMs);
  }

  /** For the poll loop: joins a capture that is under way. */
  poll(): Promise<void> {
    return this.flight.join();
  }

  /** A capture that begins after this call; calls `spendSnapshot` if it has to scan the heap. */
  async refresh(spendSnapshot?: () => void): Promise<void> {
    await this.flight.fresh();
    const confidence = this.receiver.confidence();
    // Once per attach or document: a second scan of the heap would not find more.
    if (!spendSnapshot || confidence === null || this.hasScannedHeap) return;
    if (!this.suggestsHeapScan && confidence >= GOOD_CONFIDENCE) return;
    spendSnapshot();
    this.wantsHeapScan = true;
    await this.flight.fresh();
  }

  /** False if a deep look did not help last time, or if even a shallow one exceeded the budget and continues. */
  private get mayLookDeeper(): boolean {
    const { deep, stopped_by: stoppedBy } = this.options.engine.schema.hints;
    const wasEnded = this.receiver.confidence() === null ? typeof stoppedBy === 'string' : this.wasEnded;
    return !this.hasLookedDeeper && deep !== false && !wasEnded;
  }

  /** Captures never overlap: each is a run of the flight. */
  private nextCycle(): Promise<void> {
    const isAsked = this.wantsHeapScan;
    this.wantsHeapScan = false;
    // Also for a state that was good at first: the judgement may have changed.
    const confidence = this.receiver.confidence();
    const isPoor = confidence !== null && confidence < GOOD_CONFIDENCE && this.mayLookDeeper;
    const depths: readonly CaptureDepth[] = isAsked ? ['deep'] : isPoor ? ['fast', 'deep'] : ['fast'];
    return this.cycle(depths, this.options.captureTimeoutMs, isAsked);
  }

  private async cycle(depths: readonly CaptureDepth[], timeoutMs: number, isAsked = false): Promise<void> {
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    try {
      const look = { isAsked, signal: AbortSignal.timeout(timeoutMs) };
      const best = await this.captureUntilGood(this.requireProbe(), depths, look);
      if (best) this.publish(best, performance.now() - started);
      this.options.onCycle(seconds(), null);
    } catch (error) {
      this.wantsAll = true;
      this.options.onCycle(seconds(), error);
      throw error;
    }
  }

  private publish({ capture, changes, capturingMs }: Taken, totalMs: number): void {
    this.judge.noteCycle(this.cost.lastMs);
    this.receiver.publish({ capture, changes, confidence: this.judge.judge(capture), capturingMs, totalMs });
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
      if (best !== null && foundInHeap === true) this.options.engine.schema.hints.deep = now > confidence;
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
    const { engine, trace } = this.options;
    const isOurs = () => {
      if (this.current !== probe) throw new Error('the probe was replaced during the capture');
    };
    this.hasLookedDeeper ||= depth === 'deep';
    const step = trace.beginRoutine('capture', { result: depth });
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
    const naming = () => inSlices(engine.prepare(capture.leaves, capture.roots), { goOn: isOurs });
    const commit = await (kind === 'same' ? naming() : traced(trace, 'name the keys', naming));
    isOurs();
    // Another document in the same app: its heap was not searched yet.
    if (capture.leaves.kind === 'full' && !this.wantsAll) this.hasScannedHeap = false;
    this.wantsAll = false;
    this.hasScannedHeap ||= depth === 'deep' && capture.isDeep !== false;
    this.suggestsHeapScan = capture.suggestsHeapScan;
    this.isSearching = capture.isSearching ?? false;
    this.wasEnded = capture.isSearching ?? capture.stoppedBy !== null;
    const found = commit();
    this.receiver.takeActions(capture);
    const changes = shallower ? mergeChanges([...shallower.changes, ...found]) : found;
    return { capture, changes, capturingMs: (shallower?.capturingMs ?? 0) + tookMs, costMs };
  }

  /** All captures of a cold cycle count; a poll has one. */
  private noteCost({ stoppedBy }: Capture, lastMs: number): void {
    const isFirst = this.cost === NO_COST;
    const searchMs = this.receiver.confidence() === null || isFirst ? lastMs : this.cost.searchMs;
    this.cost = { searchMs, lastMs, stoppedBy };
    if (isFirst) this.options.onSearched(stoppedBy);
  }
}
