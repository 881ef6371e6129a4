import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { OWN_NETWORK } from '../../src/host/own-network.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { attachDeno } from '../../src/probes/drivers/v8/deno/deno-attach.ts';
import { identifyDeno } from '../../src/probes/drivers/v8/deno/deno-identity.ts';
import { detectV8 } from '../../src/probes/drivers/v8/detect.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { closeLeftInspectors } from '../../src/probes/drivers/v8/node/left-inspectors.ts';
import { AttachError, type ProbeDriver } from '../../src/probes/probe.ts';
import { attach, bindingOf, fast, full, probeContract } from '../contract/probe-contract.ts';
import { startAttacher } from '../support/attacher.ts';
import { AMPLE } from '../support/budget.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, until } from '../support/real-processes.ts';
import { RUNTIME_TARGETS, removeHomes, startDeno } from '../support/runtimes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const { inspector } = createHost();
const SHARED_PORT = 9229;
const SIGUSR1_BIT = 1n << 9n;
const program = (name: string) => path.join(RUNTIME_TARGETS, 'deno', name);

const driver: Pick<ProbeDriver, 'recognise' | 'attach'> = {
  recognise(process, inspect) {
    if (detectV8(process, inspect) !== 'deno') return null;
    const identity = identifyDeno(process, (file) => inspect.resolvePath(process, file));
    return { runtime: 'v8', runtimeName: 'Deno', ...identity };
  },
  attach: (process, tools) =>
    attachDeno(process, tools, { maxKeys: tools.maxKeys, budget: AMPLE, heapScan: true, heapScanMaxMb: 256 }),
};

/** Deno handles the signal only some time after its start. */
async function startListening(args: readonly string[]): Promise<Target> {
  const target = await startDeno({ args });
  await until('the handler', () => ((inspector.details(target.info)?.caughtSignals ?? 0n) & SIGUSR1_BIT) !== 0n);
  return target;
}

const startInbox = () => startListening(['run', program('inbox.mts')]);
const portsOf = (target: Target) => inspector.listeners(target.info).map(({ port }) => port);

afterAll(removeHomes);

probeContract('Deno, without any permission or flag', {
  driver,
  start: startInbox,
  known: ['inbox.emails[1].subject', 'Invoice'],
  action: { name: 'inbox.markRead', args: { index: 0 }, changes: 'unread' },
  failingAction: { name: 'inbox.markRead', args: { index: 99 }, message: 'TypeError' },
});

probeContract('Deno.serve, with all permissions', {
  driver,
  start: () => startListening(['run', '-A', program('shop.mts')]),
  known: ['prices.apple', 2],
  action: { name: 'basket.add', args: { name: 'apple' }, changes: 'basket.items.length' },
  failingAction: { name: 'basket.add', args: { name: 'pear' }, message: 'not in this shop' },
});

describe('attaching to Deno', () => {
  afterEach(endAll);

  it('reads variables of all modules, closures and private fields', async () => {
    const target = await startInbox();
    expect(driver.recognise(target.info, inspector)).toMatchObject({
      appName: 'inbox',
      identity: `deno:${program('inbox.mts')}`,
    });
    const probe = await attach(driver, target);
    const first = await probe.capture(full());
    const reader = new LeafReader().apply(first.leaves);
    expect(reader.state()).toEqual({
      unread: 2,
      'inbox.emails.length': 2,
      'inbox.emails[0].subject': 'Hello',
      'inbox.emails[0].from': 'ann@example.org',
      'inbox.emails[0].read': false,
      'inbox.emails[1].subject': 'Invoice',
      'inbox.emails[1].from': 'bob@example.org',
      'inbox.emails[1].read': false,
      'inbox.seen': 0,
      'counter.count': 5,
      'outbox.queue.length': 1,
      'outbox.queue[0]': 'draft',
      'outbox.sent.size': 1,
      'outbox.sent.monday': 3,
    });
    await probe.invoke(bindingOf(first, 'counter.increment'), {}, AbortSignal.timeout(25_000));
    await probe.invoke(bindingOf(first, 'inbox.markRead'), { index: 1 }, AbortSignal.timeout(25_000));
    const archived = await probe.invoke(bindingOf(first, 'inbox.archive'), { index: 0 }, AbortSignal.timeout(25_000));
    expect(archived).toMatchObject({ ok: true, message: 'inbox.archive returned 1' });
    for (let round = 0; round < 20; round++) reader.apply((await probe.capture(fast())).leaves);
    expect(reader.state()).toMatchObject({ unread: 1, 'inbox.seen': 1, 'inbox.emails.length': 1, 'counter.count': 6 });
    await probe.detach();
  });

  it('uses an inspector that a person has opened, and leaves it open', async () => {
    const target = await startDeno({ args: ['run', '--inspect=127.0.0.1:0', program('inbox.mts')] });
    const before = inspector.listeners(target.info);
    const probe = await attach(driver, target);
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await probe.detach();
    expect(inspector.listeners(target.info)).toEqual(before);
    expect(target.output().match(/Debugger listening/g)).toHaveLength(1);
  });

  it('moves the inspector away from the shared port where the program may open one itself', async () => {
    const target = await startListening(['run', '--allow-sys', '--allow-net', program('inbox.mts')]);
    const probe = await attach(driver, target);
    expect(portsOf(target)).toHaveLength(1);
    expect(portsOf(target)).not.toContain(SHARED_PORT);
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await probe.detach();
    await until('the inspector to be closed', () => portsOf(target).length === 0);
  });

  it('stays where it is when only one of the permissions is there', async () => {
    const target = await startListening(['run', '--allow-sys', program('inbox.mts')]);
    const probe = await attach(driver, target);
    expect(portsOf(target)).toEqual([SHARED_PORT]);
    await probe.detach();
  });

  it('is known by its main module, whatever its title is', async () => {
    const ids: (readonly (string | undefined)[])[] = [];
    for (const name of ['titled-one.mjs', 'titled-two.mjs']) {
      const target = await startListening(['run', program(name)]);
      const outside = driver.recognise(target.info, inspector);
      expect(outside).toMatchObject({ appName: 'one title', identity: `deno-title:${target.info.cwd}:one title` });
      for (let times = 0; times < 2; times++) {
        const probe = await attach(driver, target);
        ids.push([probe.program?.appName, probe.program?.identity]);
        await probe.detach();
      }
    }
    const [one, two] = ['titled-one', 'titled-two'].map((name) => [name, `deno:${program(`${name}.mjs`)}`]);
    expect(ids).toEqual([one, one, two, two]);
  });

  it('gives the shared port back when another attach needs it', async () => {
    const target = await startInbox();
    const probe = await attach(driver, target);
    expect(portsOf(target)).toEqual([SHARED_PORT]);
    const node = await startTarget('inbox.mjs');
    const other = await attach(createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 }), node);
    await probe.closed;
    expect((await other.capture(full())).leaves.kind).toBe('full');
    const again = await attach(driver, target);
    expect((await again.capture(full())).leaves.kind).toBe('full');
    await again.detach();
    await other.detach();
  });

  it('lets a program end that has nothing left to do', async () => {
    const target = await startListening(['run', program('inbox.mts'), '3000']);
    const probe = await attach(driver, target);
    await probe.capture(full());
    expect(await target.exited).toBe(0);
    await probe.closed;
    await probe.detach();
  });

  it('closes the inspector some seconds after the daemon was killed', async () => {
    const target = await startInbox();
    const attacher = await startAttacher(target, ATTACHER);
    await until('the attach', () => attacher.output().includes('attached'));
    expect(portsOf(target)).toEqual([SHARED_PORT]);
    await attacher.kill();
    await until('the inspector to be closed', () => portsOf(target).length === 0);
    expect(target.exitCode()).toBeNull();
  });

  it('closes the inspector some seconds after the daemon was killed before there was an agent', async () => {
    const target = await startInbox();
    const attacher = await startAttacher(target, KILLED_BEFORE_THE_AGENT);
    expect(await attacher.exited).toBe('SIGKILL');
    expect(portsOf(target)).toEqual([SHARED_PORT]);
    await until('the inspector to be closed', () => portsOf(target).length === 0);
    expect(target.exitCode()).toBeNull();
  });

  it('closes at the start what a killed daemon has left open', async () => {
    const target = await startInbox();
    const attacher = await startAttacher(target, KILLED_AT_THE_SIGNAL);
    expect(await attacher.exited).toBe('SIGKILL');
    await until('the inspector', () => portsOf(target).length === 1);
    await closeLeftInspectors(inspector);
    expect(portsOf(target)).toEqual([]);
    expect(target.exitCode()).toBeNull();
  });

  it('does not start a program that waits for the debugger of a person', async () => {
    const args = ['run', '--inspect-wait=127.0.0.1:0', program('inbox.mts')];
    const target = await startDeno({ args, ready: /^/ });
    await until('the inspector', () => portsOf(target).length === 1);
    await expect(attach(driver, target)).rejects.toThrow(/waits for a person's debugger.*deno run --inspect=127/);
    expect(target.output()).not.toContain('ready');
  });

  it('does not signal a process that would die of it, and says what helps', async () => {
    const target = await startDeno({ args: ['run', program('inbox.mts')] });
    const details = inspector.details(target.info);
    const deaf = { ...inspector, details: () => details && { ...details, caughtSignals: 0n } };
    const signals: string[] = [];
    const { isAlive, listeners } = { isAlive: () => true, listeners: () => [] };
    const tools = {
      inspect: {
        ...deaf,
        isAlive,
        listeners,
        isPortTaken: () => false,
        portClients: () => [],
        exeHasSymbol: () => false,
        resolvePath: String,
        network: () => OWN_NETWORK,
      },
      signal: (_ref: unknown, name: string) => void signals.push(name),
      log: { debug() {}, info() {}, warn() {}, error() {} },
      trace: NO_TRACE,
      maxKeys: 100,
      budget: AMPLE,
      abort: new AbortController().signal,
    };
    const refused = await driver.attach(target.info, tools).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AttachError);
    expect(String(refused)).toContain('deno run --inspect=127.0.0.1:0');
    expect(signals).toEqual([]);
  });
});

const ATTACHER = `
  import { attachDeno } from './src/probes/drivers/v8/deno/deno-attach.ts';
  const options = { maxKeys: 1000, budget, heapScan: true, heapScanMaxMb: 256 };
  await again(() => attachDeno(info, tools, options, { leaseMs: 3000, armedMs: 3000 }));
  console.log('attached');
`;

const KILLED_AT_THE_SIGNAL = `
  tools.signal = (ref, name) => {
    signal(ref, name);
    process.kill(process.pid, 'SIGKILL');
  };
  ${ATTACHER}
`;

const KILLED_BEFORE_THE_AGENT = `
  import { CdpConnection } from './src/probes/drivers/v8/cdp/cdp-connection.ts';
  const { send } = CdpConnection.prototype;
  let asked = 0;
  CdpConnection.prototype.send = function (...question) {
    if (asked++ > 1) process.kill(process.pid, 'SIGKILL');
    return send.apply(this, question);
  };
  ${ATTACHER}
`;
