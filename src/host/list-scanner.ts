/** The common part of systems whose tools list all processes, with few facts about each. */
import type {
  ProcessDetails,
  ProcessInfo,
  ProcessInspector,
  ProcessRef,
  ProcessScanner,
  ScanDelta,
} from '../model/process.ts';
import { OWN_NETWORK } from './own-network.ts';

/** Facts that these systems do not report read as "none". */
export const UNREPORTED = {
  portClients: () => [],
  exeHasSymbol: () => false,
  resolvePath: (_ref, path) => path,
  kernelFile: () => null,
  unixListeners: () => [],
  mainThreadWait: () => null,
  currentExe: () => null,
  activity: () => null,
  network: () => OWN_NETWORK,
  origin: () => null,
} as const satisfies Partial<ProcessInspector>;

export function detailsOf({ pid }: ProcessRef, modules: readonly string[]): ProcessDetails {
  return {
    modules,
    threads: [],
    caughtSignals: 0n,
    ignoredSignals: 0n,
    namespacePid: pid,
    effectiveUid: -1,
    effectiveGid: -1,
    stopped: false,
    residentBytes: 0,
    freeDescriptors: null,
  };
}

/** A scanner for systems that return all processes at once: the delta is the difference of two lists. */
export class ListScanner implements ProcessScanner {
  private readonly list: () => Promise<readonly ProcessInfo[]>;
  private known = new Map<number, ProcessInfo>();

  constructor(list: () => Promise<readonly ProcessInfo[]>) {
    this.list = list;
  }

  async scan(): Promise<ScanDelta> {
    const now = new Map((await this.list()).map((info) => [info.pid, info]));
    const before = this.known;
    this.known = now;
    const appeared: ProcessInfo[] = [];
    const gone: ProcessRef[] = [];
    for (const info of before.values()) {
      if (!isSame(info, now.get(info.pid))) gone.push({ pid: info.pid, startTime: info.startTime });
    }
    for (const info of now.values()) {
      if (!isSame(info, before.get(info.pid))) appeared.push(info);
    }
    return { appeared, gone, total: now.size };
  }

  /** True when the last scan saw this process. */
  saw(ref: ProcessRef): boolean {
    return this.known.get(ref.pid)?.startTime === ref.startTime;
  }
}

/** An exec keeps pid and start time; the arguments do not count, as a process may rewrite its own. */
function isSame(left: ProcessInfo, right: ProcessInfo | undefined): boolean {
  return right !== undefined && left.startTime === right.startTime && left.exe === right.exe;
}
