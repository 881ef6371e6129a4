/**
 * Finds the changes among the processes since the last scan, at a cost that follows the changes: one directory listing,
 * a full read of new pids only, and one small read for each pid that is due for a re-check.
 *
 * Due for a re-check is a pid that
 * - may have been given out again: the kernel hands pids out in a circle, so a reused one lies between the last pid
 *   given out at the previous scan and the one given out now, and this finds it at once;
 * - is young, because a launcher's exec keeps pid and start time and comes soon after the start;
 * - has its turn: everything else (a late exec, pids chosen by checkpoint/restore) is found within RECHECK_TURNS scans.
 *
 * An exec is reported as `gone` and `appeared` with equal pid and start time: to the rest of the program it is another
 * application. A changed command line alone is none, since `process.title` rewrites it at will.
 */

import type { StatLine } from '../../model/proc-stat.ts';
import type { ProcessInfo, ProcessRef, ProcessScanner, ScanDelta } from '../../model/process.ts';
import type { ProcFs } from './proc-fs.ts';
import type { Absence } from './proc-read.ts';

/** At a scan per 500 ms: exec is checked at each scan for three seconds, later every five seconds. */
const YOUNG_SCANS = 6;
const RECHECK_TURNS = 10;

interface KnownProcess {
  readonly pid: number;
  /** Null when the kernel denied access: kept so that it is not tried again at every scan. */
  readonly stat: StatLine | null;
  /** The reported process; null for kernel threads, zombies and hidden processes, which never are. */
  readonly info: ProcessInfo | null;
  readonly firstScan: number;
  lastScan: number;
}

interface Delta {
  readonly appeared: ProcessInfo[];
  readonly gone: ProcessRef[];
}

export class LinuxScanner implements ProcessScanner {
  private readonly proc: ProcFs;
  private readonly known = new Map<number, KnownProcess>();
  private scans = 0;
  private lastPid: number | null = null;

  constructor(proc: ProcFs) {
    this.proc = proc;
  }

  async scan(): Promise<ScanDelta> {
    const delta: Delta = { appeared: [], gone: [] };
    this.scans++;
    // Read before the listing: a pid given out after this point lies in the range that the next scan checks.
    const lastPid = this.proc.lastPid();
    const mayBeReused = pidsGivenOut(this.lastPid, lastPid);
    const pids = this.proc.pids();
    this.lastPid = lastPid;
    for (const pid of pids) {
      const known = this.known.get(pid);
      if (known === undefined) {
        this.admit(pid, this.proc.stat(pid), delta);
        continue;
      }
      known.lastScan = this.scans;
      if (mayBeReused(pid) || this.isDue(known)) this.recheck(known, delta);
    }
    for (const known of this.known.values()) {
      if (known.lastScan !== this.scans) this.drop(known, delta);
    }
    return { ...delta, total: pids.length };
  }

  private isDue(known: KnownProcess): boolean {
    return this.isYoung(known) || (known.pid + this.scans) % RECHECK_TURNS === 0;
  }

  private isYoung(known: KnownProcess): boolean {
    return this.scans - known.firstScan <= YOUNG_SCANS;
  }

  private recheck(known: KnownProcess, delta: Delta): void {
    const stat = this.proc.stat(known.pid);
    // Hidden: a process that hides itself (it changed its user) is still the same one.
    if (stat === 'hidden') return;
    if (stat !== 'gone' && this.isSame(known, stat)) return;
    this.drop(known, delta);
    this.admit(known.pid, stat, delta);
  }

  private isSame(known: KnownProcess, now: StatLine): boolean {
    const before = known.stat;
    if (before === null || before.startTime !== now.startTime) return false;
    if (before.hasEnded !== now.hasEnded || before.isKernelThread !== now.isKernelThread) return false;
    if (known.info === null) return true;
    if (before.image !== null && now.image !== null) return before.image === now.image;
    // Where the kernel hides the image the names must be enough, the arguments only while a launcher's exec is to be
    // expected.
    if (known.info.exe !== this.proc.exe(known.pid)) return false;
    return !this.isYoung(known) || areEqual(known.info.argv, this.proc.argv(known.pid));
  }

  private drop(known: KnownProcess, delta: Delta): void {
    this.known.delete(known.pid);
    if (known.info !== null) delta.gone.push({ pid: known.pid, startTime: known.info.startTime });
  }

  private admit(pid: number, found: StatLine | Absence, delta: Delta): void {
    if (found === 'gone') return;
    const stat = found === 'hidden' ? null : found;
    const isReported = stat !== null && !stat.isKernelThread && !stat.hasEnded;
    const info = isReported ? this.read(pid, stat) : null;
    // The process ended while it was read: its pid, if it is seen again, is read from the start.
    if (isReported && info === null) return;
    this.known.set(pid, { pid, stat, info, firstScan: this.scans, lastScan: this.scans });
    if (info !== null) delta.appeared.push(info);
  }

  /** Null when the process vanished. An exec in between shows at the next scan, as `stat` was read first. */
  private read(pid: number, stat: StatLine): ProcessInfo | null {
    const status = this.proc.status(pid);
    if (status === null) return null;
    return {
      pid,
      startTime: stat.startTime,
      ppid: stat.ppid,
      uid: status.uid,
      name: stat.name,
      exe: this.proc.exe(pid),
      argv: this.proc.argv(pid),
      cwd: this.proc.cwd(pid),
    };
  }
}

/** The pids that the kernel gave out since `before`; it counts up and starts again at the bottom. */
function pidsGivenOut(before: number | null, now: number | null): (pid: number) => boolean {
  if (before === null || now === null) return () => false;
  if (before <= now) return (pid) => pid > before && pid <= now;
  return (pid) => pid > before || pid <= now;
}

function areEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, at) => value === right[at]);
}
