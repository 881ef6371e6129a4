import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import { LinuxInspector } from '../../../src/host/linux/linux-inspector.ts';
import { ProcFs } from '../../../src/host/linux/proc-fs.ts';
import { end, endAll, running, start, until } from '../../support/real-processes.ts';
import { FakeProc } from './fake-proc.ts';

const PID = 42;
const REF = { pid: PID, startTime: '1000' };

/** A process with these files of the main thread. Null: the kernel refuses, as it does to other users. */
function inspectorOf(files: { status?: string; syscall?: string | null; wchan?: string | null }): LinuxInspector {
  const proc = new FakeProc();
  onTestFinished(() => proc.destroy());
  proc.put(PID, { startTime: 1000 });
  const folder = join(proc.root, String(PID), 'task', String(PID));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    if (text === null) mkdirSync(join(folder, name));
    else writeFileSync(join(folder, name), text);
  }
  return new LinuxInspector(new ProcFs(proc.root));
}

const status = (state: string, switches: number | null) =>
  `Name:\tnode\nState:\t${state}\nUid:\t0\t0\t0\t0\n${switches === null ? '' : `voluntary_ctxt_switches:\t${switches}\n`}nonvoluntary_ctxt_switches:\t4\n`;
const SLEEPING = status('S (sleeping)', 7);

describe('how a main thread waits', () => {
  it('is told by the kernel function where the call may not be read', () => {
    const inspector = inspectorOf({ status: SLEEPING, syscall: null, wchan: 'do_epoll_wait' });
    expect(inspector.mainThreadWait(REF)).toEqual({ call: 'epoll', forMs: 'unknown', switches: 7n });
  });

  it('is not known where neither may be read, or sleeps are not counted', () => {
    expect(inspectorOf({ status: SLEEPING, syscall: null, wchan: '0' }).mainThreadWait(REF)).toBeNull();
    expect(inspectorOf({ status: SLEEPING, syscall: null, wchan: null }).mainThreadWait(REF)).toBeNull();
    expect(inspectorOf({ status: SLEEPING }).mainThreadWait(REF)).toBeNull();
    const uncounted = { status: status('S (sleeping)', null), syscall: null, wchan: 'do_epoll_wait' };
    expect(inspectorOf(uncounted).mainThreadWait(REF)).toBeNull();
    expect(inspectorOf({}).mainThreadWait(REF)).toBeNull();
  });

  it.each(['R (running)', 'T (stopped)', 't (tracing stop)', 'D (disk sleep)', 'Z (zombie)'])(
    'is no wait while it is %s, also where nothing else may be read',
    (state) => {
      expect(inspectorOf({ status: status(state, 7), syscall: null, wchan: '0' }).mainThreadWait(REF)).toBe('busy');
    },
  );

  it('is not told of a successor', () => {
    const inspector = inspectorOf({ status: SLEEPING, syscall: null, wchan: 'do_epoll_wait' });
    expect(inspector.mainThreadWait({ ...REF, startTime: '1001' })).toBeNull();
  });
});

describe.runIf(process.platform === 'linux')('how the main thread of a real process waits', () => {
  const { inspector } = createHost();
  afterEach(endAll);
  const node = async (code: string) => running(start(process.execPath, ['-e', code]), 'node');
  const seen = (ref: Awaited<ReturnType<typeof node>>) => {
    const wait = inspector.mainThreadWait(ref);
    return wait === 'busy' ? null : wait;
  };

  it('is seen in Node, with its time-out', async () => {
    const forever = await node('require("net").createServer().listen(0)');
    expect(await until('it to wait', () => seen(forever))).toMatchObject({ call: 'epoll', forMs: null });
    const hour = await node('setTimeout(() => {}, 3600_000)');
    const wait = await until('it to wait', () => seen(hour));
    expect(wait.call).toBe('epoll');
    expect(wait.forMs).toBeGreaterThan(0);
    expect(wait.forMs).toBeLessThanOrEqual(3600_000);
  });

  it('is the same while nothing happens, and another one afterwards', async () => {
    const child = start(process.execPath, ['-e', 'process.stdin.on("data", (text) => process.stdout.write(text))']);
    const ref = await running(child, 'node');
    const first = await until('it to rest', () => {
      const wait = seen(ref);
      return wait?.forMs === null && inspector.mainThreadWait(ref) !== 'busy' && wait;
    });
    child.child.stdin?.write('x');
    await new Promise((resolve) => child.child.stdout?.once('data', resolve));
    const next = await until('it to rest again', () => seen(ref));
    expect(next.switches).toBeGreaterThan(first.switches);
  });

  it('is no wait while it computes, sleeps elsewhere or is stopped', async () => {
    const busy = await node('for (;;);');
    const blocked = await node('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)');
    const sleep = await running(start('sleep', ['60']), 'sleep');
    for (const ref of [busy, blocked, sleep]) {
      await until('it to have started', () => inspector.mainThreadWait(ref) === 'busy');
    }
    const stopped = await node('require("net").createServer().listen(0)');
    await until('it to wait', () => seen(stopped));
    process.kill(stopped.pid, 'SIGSTOP');
    await until('the stop', () => inspector.details(stopped)?.stopped);
    expect(inspector.mainThreadWait(stopped)).toBe('busy');
  });

  it('is not known of a process that has ended', async () => {
    const child = start('sleep', ['60']);
    const ref = await running(child, 'sleep');
    await end(child);
    expect(inspector.mainThreadWait(ref)).toBeNull();
  });
});
