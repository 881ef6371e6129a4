import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinuxScanner } from '../../../src/host/linux/linux-scanner.ts';
import { ProcFs } from '../../../src/host/linux/proc-fs.ts';
import { FakeProc } from './fake-proc.ts';

/** More than the scans in which a process counts as young. */
const SETTLED = 8;

describe('the scanner over a made-up /proc', () => {
  let fake: FakeProc;
  let scanner: LinuxScanner;

  beforeEach(() => {
    fake = new FakeProc();
    fake.setLastPid(500);
    scanner = new LinuxScanner(new ProcFs(fake.root));
  });
  afterEach(() => fake.destroy());

  const settle = async () => {
    for (let scans = 0; scans < SETTLED; scans++) await scanner.scan();
  };
  /** The reports of ten scans: the longest that a change may go unnoticed. */
  const scanRound = async () => {
    const appeared = [];
    const gone = [];
    for (let scans = 0; scans < 10; scans++) {
      const delta = await scanner.scan();
      appeared.push(...delta.appeared);
      gone.push(...delta.gone);
    }
    return { appeared, gone };
  };

  it('reports each process once, with all that is known of it', async () => {
    fake.put(42, { startTime: 7, name: 'my app) R 1', argv: ['/bin/app', '--flag', ''], exe: '/bin/app (deleted)' });
    expect(await scanner.scan()).toEqual({
      appeared: [
        {
          pid: 42,
          startTime: '7',
          ppid: 1,
          uid: 1000,
          name: 'my app) R 1',
          exe: '/bin/app',
          argv: ['/bin/app', '--flag'],
          cwd: '/',
        },
      ],
      gone: [],
      total: 1,
    });
    expect(await scanner.scan()).toEqual({ appeared: [], gone: [], total: 1 });
    fake.remove(42);
    expect(await scanner.scan()).toEqual({ appeared: [], gone: [{ pid: 42, startTime: '7' }], total: 0 });
  });

  it.each([
    ['counting up', 500, 42 + 500, 520 + 42],
    ['starting again at the bottom', 32_000, 42, 60],
  ])('sees a reused pid at the very next scan, the kernel %s', async (_how, before, pid, after) => {
    fake.setLastPid(before);
    fake.put(pid, { startTime: 7 });
    await settle();
    fake.put(pid, { startTime: 900 });
    fake.setLastPid(after);
    const delta = await scanner.scan();
    expect(delta.gone).toEqual([{ pid, startTime: '7' }]);
    expect(delta.appeared).toMatchObject([{ pid, startTime: '900' }]);
  });

  it('sees a reused pid within ten scans where the kernel does not tell the last pid', async () => {
    fake.forgetLastPid();
    fake.put(42, { startTime: 7 });
    await settle();
    fake.put(42, { startTime: 900 });
    const delta = await scanRound();
    expect(delta.gone).toEqual([{ pid: 42, startTime: '7' }]);
    expect(delta.appeared).toMatchObject([{ pid: 42, startTime: '900' }]);
  });

  it('sees the exec of a young process at the next scan, of an old one within ten', async () => {
    fake.put(42, { startTime: 7, exe: '/bin/sh' });
    await scanner.scan();
    fake.put(42, { startTime: 7, exe: '/bin/node', startStack: 150_000 });
    const young = await scanner.scan();
    expect(young.gone).toEqual([{ pid: 42, startTime: '7' }]);
    expect(young.appeared).toMatchObject([{ pid: 42, startTime: '7', exe: '/bin/node' }]);
    await settle();
    fake.put(42, { startTime: 7, exe: '/bin/java', startStack: 160_000 });
    expect((await scanRound()).appeared).toMatchObject([{ pid: 42, exe: '/bin/java' }]);
  });

  it('takes a new title or a renamed executable for no exec', async () => {
    fake.put(42, { startTime: 7, argv: ['node', 'server.js'], exe: '/opt/node' });
    await scanner.scan();
    fake.put(42, { startTime: 7, argv: ['worker 1'], exe: '/opt/node.old' });
    expect(await scanRound()).toEqual({ appeared: [], gone: [] });
  });

  it('goes by names where the image is hidden, by arguments only while the process is young', async () => {
    fake.put(42, { startTime: 7, startStack: 0, argv: ['sudo', 'node'] });
    await scanner.scan();
    fake.put(42, { startTime: 7, startStack: 0, argv: ['node'] });
    expect((await scanner.scan()).appeared).toMatchObject([{ argv: ['node'] }]);
    await settle();
    fake.put(42, { startTime: 7, startStack: 0, argv: ['postgres: idle'] });
    expect(await scanRound()).toEqual({ appeared: [], gone: [] });
    fake.put(42, { startTime: 7, startStack: 0, exe: '/bin/other' });
    expect((await scanRound()).appeared).toMatchObject([{ exe: '/bin/other' }]);
  });

  it('counts kernel threads and zombies but never reports them', async () => {
    fake.putKernelThread(2, 1);
    fake.put(43, { startTime: 8, state: 'Z', startStack: 0 });
    expect(await scanner.scan()).toEqual({ appeared: [], gone: [], total: 2 });
    expect(await scanRound()).toEqual({ appeared: [], gone: [] });
  });

  it('reports a helper that the kernel started once it runs a program', async () => {
    fake.putKernelThread(44, 9);
    await scanner.scan();
    fake.put(44, { startTime: 9, exe: '/sbin/modprobe' });
    const delta = await scanner.scan();
    expect(delta.gone).toEqual([]);
    expect(delta.appeared).toMatchObject([{ pid: 44, exe: '/sbin/modprobe' }]);
  });

  it('takes a zombie for gone, but not a process whose main thread alone has ended', async () => {
    fake.put(42, { startTime: 7 });
    fake.put(43, { startTime: 7 });
    await scanner.scan();
    fake.put(42, { startTime: 7, state: 'Z', startStack: 0 });
    fake.put(43, { startTime: 7, state: 'Z', threads: 3 });
    expect(await scanner.scan()).toMatchObject({ appeared: [], gone: [{ pid: 42, startTime: '7' }] });
    fake.remove(42);
    expect((await scanner.scan()).gone).toEqual([]);
  });

  it('reports a hidden process once it can be looked at', async () => {
    fake.putHidden(42);
    expect(await scanner.scan()).toEqual({ appeared: [], gone: [], total: 1 });
    fake.put(42, { startTime: 7 });
    expect((await scanRound()).appeared).toMatchObject([{ pid: 42 }]);
  });

  it('keeps a process that hides itself later', async () => {
    fake.put(42, { startTime: 7 });
    await scanner.scan();
    fake.remove(42);
    fake.putHidden(42);
    expect(await scanRound()).toEqual({ appeared: [], gone: [] });
  });

  it('leaves out a process that ends while it is read, and finds its pid again', async () => {
    fake.put(42, { startTime: 7 });
    fake.removeFile(42, 'status');
    expect((await scanner.scan()).appeared).toEqual([]);
    fake.put(42, { startTime: 8 });
    expect((await scanner.scan()).appeared).toMatchObject([{ startTime: '8' }]);
  });

  it('reads what is left when executable, directory and arguments are not to be had', async () => {
    fake.put(42, { startTime: 7 });
    for (const name of ['exe', 'cwd', 'cmdline']) fake.removeFile(42, name);
    expect((await scanner.scan()).appeared).toMatchObject([{ pid: 42, exe: null, cwd: null, argv: [] }]);
  });

  it('limits the arguments of a process to 128 KiB, whole ones only', async () => {
    fake.put(42, { startTime: 7, argv: ['app', 'x'.repeat(100_000), 'y'.repeat(100_000)] });
    expect((await scanner.scan()).appeared[0]?.argv).toEqual(['app', 'x'.repeat(100_000)]);
  });
});
