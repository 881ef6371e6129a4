import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import type { ProcessInfo, ProcessRef, ProcessScanner } from '../../../src/model/process.ts';
import { end, endAll, start, until } from '../../support/real-processes.ts';

describe.runIf(process.platform === 'linux')('the scanner over real processes', () => {
  let scanner: ProcessScanner;
  let appeared: ProcessInfo[];
  let gone: ProcessRef[];

  const scan = async () => {
    const delta = await scanner.scan();
    appeared.push(...delta.appeared);
    gone.push(...delta.gone);
  };
  /** With its arguments: in the middle of an exec it has none yet, and is reported again. */
  const appearance = (pid: number, program: string) =>
    until(`${program} to appear`, async () => {
      await scan();
      const isProgram = ({ exe }: ProcessInfo) => exe?.split('/').pop()?.startsWith(program);
      return appeared.findLast((info) => info.pid === pid && isProgram(info) && info.argv.length > 0);
    });
  /** The first bytes of its output: its exec is over then. */
  const hasPrinted = ({ child }: ReturnType<typeof start>) =>
    until('its first words', () => child.stdout?.read() ?? undefined);
  /** As many scans as needed until each process had its turn. */
  const scanAll = async () => {
    for (let scans = 0; scans < 12; scans++) await scan();
  };
  const goneCount = (pid: number) => gone.filter((ref) => ref.pid === pid).length;

  beforeEach(() => {
    scanner = createHost().scanner;
    appeared = [];
    gone = [];
  });
  afterEach(endAll);

  it('knows this very process and no kernel thread', async () => {
    const delta = await scanner.scan();
    const self = delta.appeared.find((info) => info.pid === process.pid);
    expect(self).toMatchObject({
      ppid: process.ppid,
      uid: process.getuid?.(),
      exe: process.execPath,
      cwd: process.cwd(),
    });
    expect(delta.appeared.some((info) => info.name === 'kthreadd')).toBe(false);
    expect(delta.total).toBeGreaterThanOrEqual(delta.appeared.length);
  });

  it('sees processes come and go', async () => {
    await scan();
    const script = 'console.log("here"); setInterval(() => {}, 1000)';
    const node = start(process.execPath, ['-e', script, 'über', ''], { cwd: '/tmp' });
    await hasPrinted(node);
    const info = await appearance(node.pid, 'node');
    expect(info).toMatchObject({ ppid: process.pid, cwd: '/tmp' });
    expect(info.argv.slice(1)).toEqual(['-e', script, 'über']);
    gone = [];
    await end(node);
    await scan();
    expect(gone).toContainEqual({ pid: node.pid, startTime: info.startTime });
    expect(goneCount(node.pid)).toBe(1);
  });

  it('sees an early and a late exec', async () => {
    const shell = start('/bin/sh', ['-c', 'read go; exec "$0" -c "echo here; read go; exec sleep 60"', '/bin/bash']);
    const sh = await until('the shell', async () => {
      await scan();
      // By its name, as its program may be any shell; before its exec it is this process.
      return appeared.findLast(({ pid, name, argv }) => pid === shell.pid && name === 'sh' && argv.length > 0);
    });
    const goneAsShell = goneCount(shell.pid);
    shell.child.stdin?.write('\n');
    const bash = await appearance(shell.pid, 'bash');
    expect(bash.startTime).toBe(sh.startTime);
    await hasPrinted(shell);
    await scanAll();
    const goneAsBash = goneCount(shell.pid);
    expect(goneAsBash).toBeGreaterThan(goneAsShell);
    await scanAll();
    expect(goneCount(shell.pid)).toBe(goneAsBash);
    shell.child.stdin?.write('\n');
    const sleep = await appearance(shell.pid, 'sleep');
    expect(sleep).toMatchObject({ pid: sh.pid, startTime: sh.startTime, argv: ['sleep', '60'] });
    expect(goneCount(shell.pid)).toBeGreaterThan(goneAsBash);
  });

  it('sees a program replace itself by the same program', async () => {
    const shell = start('/bin/bash', ['-c', 'read go; exec /bin/bash -c "read go; true"']);
    const before = await appearance(shell.pid, 'bash');
    expect(before.argv).toContain('read go; exec /bin/bash -c "read go; true"');
    shell.child.stdin?.write('\n');
    await until('the second shell', async () => {
      await scan();
      return appeared.find((info) => info.pid === shell.pid && info.argv.includes('read go; true'));
    });
  });

  it('is not misled by a process that changes its title', async () => {
    const retitle = 'process.stdin.once("data", () => { process.title = "worker" })';
    const node = start(process.execPath, ['-e', `${retitle}; setInterval(() => {}, 1000); console.log("here")`]);
    await hasPrinted(node);
    await appearance(node.pid, 'node');
    await scanAll();
    const countBefore = appeared.filter((info) => info.pid === node.pid).length;
    node.child.stdin?.write('go');
    await until('the title', () => readFileSync(`/proc/${node.pid}/cmdline`, 'utf8').startsWith('worker'));
    await scanAll();
    expect(appeared.filter((info) => info.pid === node.pid)).toHaveLength(countBefore);
  });
});
