/** This folder's reads of /proc, one method each. The root can be another directory for tests. */

import { readdirSync } from 'node:fs';
import { parseStatLine, type StatLine } from '../../model/proc-stat.ts';
import type { ProcessRef } from '../../model/process.ts';
import { withoutDeletedMark } from './mapped-files.ts';
import { type Absence, PROC_BUFFER_BYTES, readProcFile, readProcLink } from './proc-read.ts';
import { splitArgv } from './split-argv.ts';
import { parseStatus, type StatusFile } from './status-file.ts';
import { cpuOfReader, type KernelCpu } from './thread-call.ts';

export class ProcFs {
  readonly root: string;
  private knownCpu: KernelCpu | null | undefined;

  constructor(root = '/proc') {
    this.root = root;
  }

  pids(): number[] {
    const pids: number[] = [];
    for (const name of readdirSync(this.root)) {
      const pid = Number(name);
      if (Number.isInteger(pid)) pids.push(pid);
    }
    return pids;
  }

  stat(pid: number): StatLine | Absence {
    const bytes = readProcFile(`${this.root}/${pid}/stat`);
    return typeof bytes === 'string' ? bytes : (parseStatLine(bytes) ?? 'hidden');
  }

  status(pid: number): StatusFile | null {
    const bytes = readProcFile(`${this.root}/${pid}/status`);
    return typeof bytes === 'string' ? null : parseStatus(bytes.toString('latin1'));
  }

  /** The kernel's file on the main thread alone; null where there is none. */
  mainThread(pid: number, file: 'status' | 'syscall' | 'wchan'): string | null {
    const bytes = readProcFile(`${this.root}/${pid}/task/${pid}/${file}`);
    return typeof bytes === 'string' ? null : bytes.toString('latin1');
  }

  /** The CPU whose system call numbers the kernel uses; null if it is not a known one. */
  cpu(): KernelCpu | null {
    if (this.knownCpu === undefined) {
      const bytes = readProcFile(`${this.root}/thread-self/syscall`);
      this.knownCpu = typeof bytes === 'string' ? null : cpuOfReader(bytes.toString('latin1'));
    }
    return this.knownCpu;
  }

  argv(pid: number): string[] {
    const bytes = readProcFile(`${this.root}/${pid}/cmdline`);
    return typeof bytes === 'string' ? [] : splitArgv(bytes, bytes.length === PROC_BUFFER_BYTES);
  }

  /** The name only: to read the file use `/proc/PID/exe`, which works for deleted files and in containers. */
  exe(pid: number): string | null {
    const path = readProcLink(`${this.root}/${pid}/exe`);
    return path === null ? null : withoutDeletedMark(path);
  }

  cwd(pid: number): string | null {
    const path = readProcLink(`${this.root}/${pid}/cwd`);
    return path === null ? null : withoutDeletedMark(path);
  }

  /** The pid that the kernel gave out last, or null where that cannot be known. */
  lastPid(): number | null {
    // The number is counted in the namespace of the reader, the directory's names in that of the mount.
    if (readProcLink(`${this.root}/self`) !== String(process.pid)) return null;
    const bytes = readProcFile(`${this.root}/loadavg`);
    if (typeof bytes === 'string') return null;
    const lastPid = Number(bytes.toString('latin1').trim().split(' ')[4]);
    return Number.isInteger(lastPid) ? lastPid : null;
  }

  isAlive(ref: ProcessRef): boolean {
    const stat = this.stat(ref.pid);
    return typeof stat !== 'string' && stat.startTime === ref.startTime && !stat.hasEnded;
  }
}
