/** A directory like /proc, for facts that real processes do not produce on demand: reused pids, hidden files. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FakeProcess {
  readonly startTime: number;
  readonly ppid?: number;
  readonly name?: string;
  readonly state?: string;
  readonly flags?: number;
  readonly threads?: number;
  readonly startStack?: number;
  readonly argv?: readonly string[];
  readonly exe?: string;
  readonly residentKb?: number;
  readonly uid?: number;
  readonly cgroup?: string;
  readonly environ?: readonly string[];
  /** `{ mnt: 'mnt:[2]' }`; what is not named cannot be read. */
  readonly namespaces?: Readonly<Record<string, string>>;
}

const KERNEL_FLAG = 0x00200000;

export class FakeProc {
  readonly root = mkdtempSync(join(tmpdir(), 'fake-proc-'));

  constructor() {
    symlinkSync(String(process.pid), join(this.root, 'self'));
  }

  setLastPid(pid: number): void {
    writeFileSync(join(this.root, 'loadavg'), `0.00 0.01 0.05 1/123 ${pid}\n`);
  }

  forgetLastPid(): void {
    rmSync(join(this.root, 'loadavg'));
  }

  put(pid: number, fake: FakeProcess): void {
    const directory = join(this.root, String(pid));
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory);
    writeFileSync(join(directory, 'stat'), statLine(pid, fake));
    const resident = fake.residentKb === undefined ? '' : `VmRSS:\t${fake.residentKb} kB\n`;
    const uids = Array(4)
      .fill(fake.uid ?? 1000)
      .join('\t');
    writeFileSync(join(directory, 'status'), `Name:\tx\nUid:\t${uids}\n${resident}`);
    writeFileSync(join(directory, 'cmdline'), (fake.argv ?? ['/bin/app']).map((argument) => `${argument}\0`).join(''));
    symlinkSync(fake.exe ?? '/bin/app', join(directory, 'exe'));
    symlinkSync('/', join(directory, 'cwd'));
    if (fake.cgroup !== undefined) writeFileSync(join(directory, 'cgroup'), `${fake.cgroup}\n`);
    if (fake.environ) writeFileSync(join(directory, 'environ'), fake.environ.map((line) => `${line}\0`).join(''));
    mkdirSync(join(directory, 'ns'));
    for (const [kind, target] of Object.entries(fake.namespaces ?? {}))
      symlinkSync(target, join(directory, 'ns', kind));
  }

  putKernelThread(pid: number, startTime: number): void {
    this.put(pid, { startTime, flags: KERNEL_FLAG, startStack: 0 });
  }

  /** A listed pid whose files cannot be read: a directory in the place of the file fails for root, too. */
  putHidden(pid: number): void {
    mkdirSync(join(this.root, String(pid), 'stat'), { recursive: true });
  }

  remove(pid: number): void {
    rmSync(join(this.root, String(pid)), { recursive: true });
  }

  removeFile(pid: number, name: string): void {
    rmSync(join(this.root, String(pid), name));
  }

  destroy(): void {
    rmSync(this.root, { recursive: true });
  }
}

export function statLine(pid: number, fake: FakeProcess): string {
  const { ppid = 1, name = 'app', state = 'S', flags = 4194304, threads = 1, startTime, startStack = 140_000 } = fake;
  const upToStart = `${state} ${ppid} 1 1 0 -1 ${flags} 0 0 0 0 0 0 0 0 20 0 ${threads} 0 ${startTime} 5000 10 18446744073709551615`;
  return `${pid} (${name}) ${upToStart} 4096 8192 ${startStack} 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n`;
}
