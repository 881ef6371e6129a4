/**
 * A machine of fake processes: the real scanner and the real inspector read a folder like /proc, and one driver accepts
 * every program below /apps. It attaches a FakeProbe.
 */
import { onTestFinished } from 'vitest';
import { LinuxInspector } from '../../src/host/linux/linux-inspector.ts';
import { LinuxScanner } from '../../src/host/linux/linux-scanner.ts';
import { ProcFs } from '../../src/host/linux/proc-fs.ts';
import type { ProcessInfo } from '../../src/model/process.ts';
import type { AttachTools, Probe, ProbeDriver, Recognition } from '../../src/probes/probe.ts';
import type { DriverRegistry } from '../../src/probes/registry.ts';
import { makeAppId } from '../../src/semantic/app-id.ts';
import { FakeProc, type FakeProcess } from '../unit/host/fake-proc.ts';
import { FakeProbe } from './fake-probe.ts';

const APPS = '/apps/';

class FakeDriver implements ProbeDriver {
  /** The pids of all calls. */
  readonly asked: number[] = [];
  opensInspector = false;
  readonly attached: { readonly pid: number; readonly tools: AttachTools; readonly probe: Probe }[] = [];
  /** Called first; throws like a driver, or returns false for an unknown process. */
  onRecognise: (process: ProcessInfo) => boolean = () => true;
  onAttach: (process: ProcessInfo, tools: AttachTools) => Promise<Probe> = async () => new FakeProbe();

  recognise(process: ProcessInfo): Recognition | null {
    this.asked.push(process.pid);
    if (!this.onRecognise(process) || !process.exe?.startsWith(APPS)) return null;
    const appName = process.exe.slice(APPS.length);
    const { opensInspector } = this;
    return { runtime: 'v8', runtimeName: 'Node.js', appName, identity: process.exe, opensInspector };
  }

  async attach(process: ProcessInfo, tools: AttachTools): Promise<Probe> {
    const probe = await this.onAttach(process, tools);
    this.attached.push({ pid: process.pid, tools, probe });
    return probe;
  }

  async diagnose() {
    return { attachable: true, way: 'by being a fake', blocker: null, remedy: null };
  }

  help() {
    return null;
  }
}

export class FakeMachine {
  readonly driver = new FakeDriver();
  readonly scanner: LinuxScanner;
  readonly inspector: LinuxInspector;
  private readonly proc = new FakeProc();
  private startTime = 1000;

  /** Removed at the end of the running test. */
  constructor() {
    const proc = new ProcFs(this.proc.root);
    this.scanner = new LinuxScanner(proc);
    this.inspector = new LinuxInspector(proc);
    onTestFinished(() => this.proc.destroy());
  }

  get drivers(): DriverRegistry {
    const { driver } = this;
    return {
      help: () => null,
      isPart: () => false,
      agents: [],
      commands: [],
      folders: [],
      recognise(process) {
        const recognition = driver.recognise(process);
        return recognition && { driver, recognition };
      },
    };
  }

  /** Each has another start time, so that a second one with the same pid is another process. */
  start(pid: number, app: string, process: Partial<FakeProcess> = {}): void {
    const exe = APPS + app;
    this.proc.put(pid, { startTime: ++this.startTime, exe, argv: [exe], startStack: this.startTime, ...process });
  }

  /** The process that was started last becomes another program. */
  exec(pid: number, app: string): void {
    this.start(pid, app, { startTime: this.startTime, startStack: this.startTime + 1 });
  }

  end(pid: number): void {
    this.proc.remove(pid);
  }

  attachesTo(pid: number): number {
    return this.driver.attached.filter((one) => one.pid === pid).length;
  }

  /** The probe of the last attach. */
  probeOf(pid: number): FakeProbe {
    const probe = this.driver.attached.findLast((one) => one.pid === pid)?.probe;
    if (!(probe instanceof FakeProbe)) throw new Error(`nothing is attached to ${pid}`);
    return probe;
  }
}

export const appIdOf = (app: string): string => makeAppId(app, APPS + app, 1000);

/** Nobody signals a fake process. */
export function noSignal(): never {
  throw new Error('a signal was sent to a process that does not exist');
}

export const NO_LOG = { debug() {}, info() {}, warn() {}, error() {} };
