/** A probe whose target is a plain map: for tests of the daemon with captures, failures and lost connections. */

import { AppTrace } from '../../src/daemon/app-trace.ts';
import { Session } from '../../src/daemon/session.ts';
import type { BudgetPart } from '../../src/model/budget.ts';
import { HEALTHY, type ProbeHealth } from '../../src/model/health.ts';
import type { LeafRoot, LeafUpdate } from '../../src/model/leaves.ts';
import type { ProcessInfo } from '../../src/model/process.ts';
import type { RawAction } from '../../src/model/raw-action.ts';
import type { Scalar } from '../../src/model/scalar.ts';
import type { Capture, CaptureRequest, Probe } from '../../src/probes/probe.ts';
import { Engine } from '../../src/semantic/engine.ts';

export const FAKE_PROCESS: ProcessInfo = {
  pid: 4242,
  startTime: '1',
  ppid: 1,
  uid: 0,
  name: 'fake',
  exe: null,
  argv: [],
  cwd: null,
};

const NO_LOG = { debug() {}, info() {}, warn() {}, error() {} };

export class FakeProbe implements Probe {
  state: Record<string, Scalar> = { count: 1 };
  actions: RawAction[] = [];
  roots: LeafRoot[] | null = null;
  blockedBy: string | null = null;
  isLoading = false;
  url: string | null = null;
  /** Thrown by captures while it is set. */
  failure: Error | null = null;
  costMs: number | null = 1;
  stoppedBy: BudgetPart | null = null;
  thrown: string | null = null;
  captures = 0;
  detached = false;
  closed: Promise<void>;
  close: () => void = () => {};
  onInvoke: () => void = () => {};
  judgeFirst?: (binding: string) => void;

  constructor() {
    this.closed = new Promise((resolve) => {
      this.close = resolve;
    });
  }

  health(): ProbeHealth {
    return HEALTHY;
  }

  async capture({ signal }: CaptureRequest): Promise<Capture> {
    this.captures++;
    signal.throwIfAborted();
    if (this.failure) throw this.failure;
    const leaves: LeafUpdate = { kind: 'full', paths: Object.keys(this.state), values: Object.values(this.state) };
    const context = { url: this.url, location: null, view: null, window_title: null, window_id: null };
    const rawCount = leaves.paths.length;
    return {
      leaves,
      isLoading: this.isLoading,
      roots: this.roots,
      blockedBy: this.blockedBy,
      actions: this.actions,
      context,
      tier: 'aso_fast',
      domTierUsed: false,
      rawCount,
      coverage: 1,
      costMs: this.costMs,
      stoppedBy: this.stoppedBy,
      suggestsHeapScan: false,
    };
  }

  takeThrown(): string | null {
    const { thrown } = this;
    this.thrown = null;
    return thrown;
  }

  async invoke() {
    this.onInvoke();
    return { ok: true, message: 'ran', rawReturn: null, invocationContext: null };
  }

  async detach(): Promise<void> {
    this.detached = true;
    this.close();
  }
}

export function fakeSession(onCycle: (error: unknown) => void = () => {}): Session {
  return new Session({
    process: FAKE_PROCESS,
    recognition: { runtime: 'v8', runtimeName: 'Node.js', appName: 'fake', identity: 'fake' },
    engine: new Engine('fake-00000000', 'fake', null),
    trace: new AppTrace({ pid: FAKE_PROCESS.pid, appId: 'fake-00000000', log: NO_LOG }),
    historyLimit: 10,
    captureTimeoutMs: 2000,
    activity: () => null,
    onSchemaChange: () => {},
    onCycle: (_seconds, error) => onCycle(error),
    onSearched: () => {},
  });
}
