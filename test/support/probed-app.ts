/** A probe and its engine, connected as in the daemon: keys and actions as clients see them. */

import { createHost } from '../../src/host/host.ts';
import type { Logger } from '../../src/model/log.ts';
import type { ProcessInfo } from '../../src/model/process.ts';
import type { ActionOutcome, RawAction } from '../../src/model/raw-action.ts';
import type { Scalar } from '../../src/model/scalar.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import type { ActionSchema } from '../../src/model/wire.ts';
import type { Capture, CaptureDepth, Probe, ProbeDriver } from '../../src/probes/probe.ts';
import { type Action, buildActions } from '../../src/semantic/actions.ts';
import { Engine } from '../../src/semantic/engine.ts';
import { AMPLE } from './budget.ts';
import { until } from './real-processes.ts';

const silentLog: Logger = { debug() {}, info() {}, warn() {}, error() {} };
const CAPTURE_TIMEOUT_MS = 25_000;

/** Number of keys in the message about a wrong capture. */
const NAMED_KEYS = 50;

export class ProbedApp {
  readonly probe: Probe;
  readonly engine = new Engine('app-under-test', 'app', null);
  /** The last capture. */
  capture: Capture | null = null;
  private rawActions: readonly RawAction[] = [];
  private wantsAll = true;

  static async attach(
    driver: Pick<ProbeDriver, 'attach'>,
    process: ProcessInfo,
    maxKeys = 200_000,
  ): Promise<ProbedApp> {
    const { inspector, signal } = createHost();
    const abort = new AbortController().signal;
    const tools = {
      inspect: inspector,
      signal,
      log: silentLog,
      trace: NO_TRACE,
      maxKeys,
      budget: AMPLE,
      abort,
    };
    return new ProbedApp(await driver.attach(process, tools));
  }

  private constructor(probe: Probe) {
    this.probe = probe;
  }

  /** Takes a capture; returns the keys after it. */
  async read(depth: CaptureDepth = 'fast'): Promise<Record<string, Scalar>> {
    const signal = AbortSignal.timeout(CAPTURE_TIMEOUT_MS);
    try {
      this.capture = await this.probe.capture({ depth, full: this.wantsAll, signal });
    } catch (error) {
      this.wantsAll = true;
      throw error;
    }
    this.wantsAll = false;
    this.engine.apply(this.capture.leaves, this.capture.roots);
    this.rawActions = this.capture.actions ?? this.rawActions;
    return this.state;
  }

  get state(): Record<string, Scalar> {
    const state: Record<string, Scalar> = Object.create(null);
    for (const key of this.engine.table.keys()) state[key] = this.engine.table.get(key) ?? null;
    return state;
  }

  get confidence(): number {
    return this.engine.confidence();
  }

  get actions(): ReadonlyMap<string, Action> {
    return buildActions(this.rawActions, this.engine.schema, (name) => this.engine.confidenceOfName(name));
  }

  /** `compose_send(recipient: string) irreversible_write` */
  schema(name: string): ActionSchema {
    return this.action(name).schema;
  }

  /** Captures first if it is not known, like the daemon. */
  async invoke(name: string, args: Record<string, unknown> = {}, limitMs?: number): Promise<ActionOutcome> {
    if (!this.actions.has(name)) await this.read();
    return this.probe.invoke(this.action(name).binding, args, AbortSignal.timeout(CAPTURE_TIMEOUT_MS), limitMs);
  }

  /** Captures repeatedly until the state is as expected. */
  async until(what: string, isThere: (state: Record<string, Scalar>) => boolean): Promise<Record<string, Scalar>> {
    let problem: unknown = null;
    try {
      return await until(what, async () => {
        try {
          const state = await this.read();
          problem = null;
          return isThere(state) && state;
        } catch (error) {
          problem = error;
          return null;
        }
      });
    } catch (error) {
      const { context } = this.capture ?? {};
      const keys = Object.keys(this.state);
      const named = `${keys.length} keys: ${keys.slice(0, NAMED_KEYS).join(' ')}`;
      const seen = problem ?? `${named} of ${JSON.stringify(context)}`;
      throw new Error(`${error instanceof Error ? error.message : error}; the last capture: ${seen}`, { cause: error });
    }
  }

  private action(name: string): Action {
    const action = this.actions.get(name);
    if (!action) throw new Error(`no action ${name} among ${[...this.actions.keys()].join(', ')}`);
    return action;
  }
}
