/** Keeps the last steps of the work on one app, and writes them to the log at level `trace`. */
import type { Logger } from '../model/log.ts';
import { type OpenStep, problemOf, type StepFacts, type Trace } from '../model/trace.ts';
import type { TraceStep } from '../model/wire.ts';

/** The limit of one app; the oldest go first. */
const MAX_STEPS = 500;
/** The limit of one step: a page may need several hundred messages. */
const MAX_PARTS = 200;

interface Entry {
  readonly number: number;
  readonly step: string;
  readonly parent: Entry | null;
  readonly parts: Entry[];
  readonly startedAt: number;
  /** Null while it is under way. */
  ms: number | null;
  facts: StepFacts;
  problem: string | null;
  /** How often it was repeated in a row without anything new. */
  times: number;
  /** Number of parts that were dropped. */
  omitted: number;
  isRoutine: boolean;
  /** Changes are numbered, so that a reader can ask for those since its last read. */
  revision: number;
}

export interface RoutineStep extends OpenStep {
  /** It found nothing new: it is counted with its predecessors, and its parts are dropped. */
  endSame(facts?: StepFacts): void;
}

export interface AppTraceOptions {
  readonly pid: number;
  /** The attach may change it. */
  appId: string;
  readonly log: Logger;
}

export class AppTrace implements Trace {
  /** Wall clock. */
  readonly startedAt = new Date();
  private readonly origin = performance.now();
  private readonly options: AppTraceOptions;
  /** Steps without a parent. */
  private readonly entries: Entry[] = [];
  /** Steps under way, the innermost last. A new step becomes part of the innermost. */
  private readonly open: Entry[] = [];
  private kept = 0;
  private lastNumber = 0;
  private revision = 0;

  constructor(options: AppTraceOptions) {
    this.options = options;
  }

  set appId(appId: string) {
    this.options.appId = appId;
  }

  begin(step: string, facts: StepFacts = {}): OpenStep {
    return this.handleOf(this.push(step, facts));
  }

  /** A step that is repeated often, mostly with the same result. It is logged at its end. */
  beginRoutine(step: string, facts: StepFacts = {}): RoutineStep {
    const entry = this.push(step, facts);
    entry.isRoutine = true;
    return { ...this.handleOf(entry), endSame: (more) => this.endSame(entry, more ?? {}) };
  }

  call(step: string, facts: StepFacts = {}): OpenStep {
    const parent = this.open.at(-1) ?? null;
    const entry = this.make(step, facts, parent);
    // Between steps the probe waits for changes of the app: such messages would fill the trace, so only failures are
    // kept.
    if (parent !== null) this.keep(entry);
    return {
      end: (more) => this.finish(entry, more ?? {}, null),
      fail: (error) => {
        if (parent === null) this.keep(entry);
        this.finish(entry, {}, error);
      },
    };
  }

  note(step: string, facts: StepFacts = {}): void {
    const entry = this.make(step, facts, this.open.at(-1) ?? null);
    entry.ms = 0;
    this.keep(entry);
    this.log(entry);
  }

  ignored(step: string, error: unknown): void {
    const parent = this.open.at(-1) ?? null;
    const problem = problemOf(error);
    const before = (parent?.parts ?? this.entries).at(-1);
    if (before?.step === step && before.problem === problem) {
      before.times++;
      before.revision = ++this.revision;
      return;
    }
    const entry = this.make(step, { result: 'went on without it' }, parent);
    entry.ms = 0;
    entry.problem = problem;
    this.keep(entry);
    this.log(entry);
  }

  /** The steps that are new since this revision; 0 for all that are kept. */
  read(since: number): { revision: number; steps: TraceStep[] } {
    const steps: TraceStep[] = [];
    const add = (entry: Entry, depth: number) => {
      if (entry.revision > since) steps.push(this.shown(entry, depth));
      for (const part of entry.parts) add(part, depth + 1);
    };
    for (const entry of this.entries) add(entry, 0);
    return { revision: this.revision, steps };
  }

  private shown(entry: Entry, depth: number): TraceStep {
    const { number, step, startedAt, ms, facts, problem, times, omitted } = entry;
    return {
      number,
      depth,
      step,
      at_ms: round(startedAt - this.origin),
      ms: ms === null ? null : round(ms),
      ...facts,
      ...(problem === null ? {} : { problem }),
      ...(times === 1 ? {} : { times }),
      ...(omitted === 0 ? {} : { omitted }),
    };
  }

  private push(step: string, facts: StepFacts): Entry {
    const entry = this.make(step, facts, this.open.at(-1) ?? null);
    this.keep(entry);
    this.open.push(entry);
    return entry;
  }

  private make(step: string, facts: StepFacts, parent: Entry | null): Entry {
    return {
      number: ++this.lastNumber,
      step,
      parent,
      parts: [],
      startedAt: performance.now(),
      ms: null,
      facts,
      problem: null,
      times: 1,
      omitted: 0,
      isRoutine: false,
      revision: ++this.revision,
    };
  }

  private keep(entry: Entry): void {
    const { parent } = entry;
    if (parent && parent.parts.length >= MAX_PARTS) {
      parent.omitted++;
      return;
    }
    (parent?.parts ?? this.entries).push(entry);
    this.kept++;
    while (this.kept > MAX_STEPS && this.entries.length > 1) {
      const [oldest] = this.entries.splice(0, 1);
      if (oldest) this.kept -= sizeOf(oldest);
    }
  }

  private handleOf(entry: Entry): OpenStep {
    return {
      end: (facts) => {
        this.close(entry);
        this.finish(entry, facts ?? {}, null);
      },
      fail: (error) => {
        this.close(entry);
        this.finish(entry, {}, error);
      },
    };
  }

  private endSame(entry: Entry, facts: StepFacts): void {
    this.close(entry);
    const siblings = entry.parent?.parts ?? this.entries;
    const at = siblings.indexOf(entry);
    const before = siblings[at - 1];
    this.kept -= sizeOf(entry) - 1;
    entry.parts.length = 0;
    if (before?.isRoutine && before.step === entry.step && before.facts.result === facts.result) {
      siblings.splice(at, 1);
      this.kept--;
      before.times++;
      before.ms = performance.now() - entry.startedAt;
      before.facts = { ...before.facts, ...facts };
      before.revision = ++this.revision;
      return;
    }
    this.finish(entry, facts, null);
  }

  private close(entry: Entry): void {
    const at = this.open.indexOf(entry);
    if (at >= 0) this.open.splice(at, 1);
  }

  private finish(entry: Entry, facts: StepFacts, error: unknown): void {
    // A step that was given up may still report its end later.
    if (entry.ms !== null) return;
    entry.ms = performance.now() - entry.startedAt;
    entry.facts = { ...entry.facts, ...facts };
    if (error !== null) entry.problem = problemOf(error);
    entry.revision = ++this.revision;
    if (entry.isRoutine) this.logRepeated(entry);
    this.log(entry);
  }

  /** How often the previous step was repeated. */
  private logRepeated(entry: Entry): void {
    const siblings = entry.parent?.parts ?? this.entries;
    const before = siblings[siblings.indexOf(entry) - 1];
    if (before && before.times > 1) this.write(before);
  }

  private log(entry: Entry): void {
    // Only at its end is it known whether a routine step deserves a line.
    for (let above = entry.parent; above !== null; above = above.parent)
      if (above.isRoutine && above.ms === null) return;
    this.write(entry);
  }

  private write(entry: Entry): void {
    const { log, pid, appId } = this.options;
    if (log.trace === undefined) return;
    if (entry.isRoutine) for (const part of entry.parts) this.write(part);
    const { number: _, step, depth, ...facts } = this.shown(entry, depthOf(entry));
    log.trace({ pid, app_id: appId, depth, ...facts }, step);
  }
}

function depthOf({ parent }: Entry): number {
  return parent === null ? 0 : depthOf(parent) + 1;
}

function sizeOf({ parts }: Entry): number {
  return parts.reduce((sum, part) => sum + sizeOf(part), 1);
}

const round = (ms: number) => Math.round(ms * 10) / 10;
