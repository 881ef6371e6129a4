/** The confidence in the state of one app, from its captures and from the activity of the program. */
import type { ProcessActivity } from '../model/process.ts';
import type { Capture } from '../probes/probe.ts';
import type { Engine } from '../semantic/engine.ts';
import type { StateConfidence } from '../semantic/state-confidence.ts';

/** CPU time of the program itself, and its share of the time: runtimes use less than that for themselves. */
const LEAST_WORK_MS = 2000;
const LEAST_LOAD = 0.03;
const LEAST_WATCHED_MS = 20_000;

export class StateJudge {
  private readonly engine: Engine;
  private readonly activity: () => ProcessActivity | null;
  /** Activity at the first capture; null before that, or if the system does not report it. */
  private since: ProcessActivity | null = null;
  private worked = { cpuMs: 0, ms: 0 };
  /** Cost of all captures since then for the program. */
  private captureMs = 0;

  constructor(engine: Engine, activity: () => ProcessActivity | null) {
    this.engine = engine;
    this.activity = activity;
  }

  /** Called when the probe changes or is lost. */
  begin(): void {
    this.since = null;
    this.worked = { cpuMs: 0, ms: 0 };
    this.captureMs = 0;
  }

  /** Called once per cycle, with its cost for the program. */
  noteCycle(costMs: number): void {
    const now = this.activity();
    if (now === null) return;
    if (this.since === null) {
      this.since = now;
      return;
    }
    this.captureMs += costMs;
    this.worked = { cpuMs: now.cpuMs - this.since.cpuMs - this.captureMs, ms: now.ageMs - this.since.ageMs };
  }

  judge(capture: Capture): StateConfidence {
    const { stoppedBy, waitsFor = null, isLoading = false, isSearching = false, unseen = null } = capture;
    const { seesNoObject = false, hasMuchLeft = false } = capture;
    const search = { isSearching, hasMuchLeft, stoppedBy };
    return this.engine.judge({ ...search, waitsFor, isLoading, unseen, seesNoObject, works: this.works });
  }

  private get works(): boolean {
    const { cpuMs, ms } = this.worked;
    return ms >= LEAST_WATCHED_MS && cpuMs >= LEAST_WORK_MS && cpuMs >= ms * LEAST_LOAD;
  }
}
