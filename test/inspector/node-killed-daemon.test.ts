/** The inspector that a daemon has opened, if it is killed before its agent is in, or has given up. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { OWN_NETWORK } from '../../src/host/own-network.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { closeLeftInspectors } from '../../src/probes/drivers/v8/node/left-inspectors.ts';
import { withPortLock } from '../../src/probes/drivers/v8/node/port-lock.ts';
import { leaveMark, removeMark } from '../../src/probes/drivers/v8/node/signal-mark.ts';
import type { AttachTools } from '../../src/probes/probe.ts';
import { attach, full } from '../contract/probe-contract.ts';
import { startAttacher } from '../support/attacher.ts';
import { AMPLE } from '../support/budget.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector } = createHost();
const NOBODY = 65534;
const isRoot = process.geteuid?.() === 0;

const INJECT = `
  import { injectAgent } from './src/probes/drivers/v8/node/node-inject.ts';
  await again(() => injectAgent(info, tools, { maxKeys: 1000, heapScan: false, heapScanMaxMb: 0 }));
`;
const KILLED_AT_THE_SIGNAL = `
  tools.signal = (ref, name) => {
    signal(ref, name);
    process.kill(process.pid, 'SIGKILL');
  };
  ${INJECT}
`;
const KILLED_AFTER_THE_FIRST_QUESTION = `
  import { CdpConnection } from './src/probes/drivers/v8/cdp/cdp-connection.ts';
  const { send } = CdpConnection.prototype;
  let asked = 0;
  CdpConnection.prototype.send = function (...question) {
    if (asked++ > 0) process.kill(process.pid, 'SIGKILL');
    return send.apply(this, question);
  };
  ${INJECT}
`;
/** The agent has been evaluated, and nobody connects to it. */
const KILLED_WITH_THE_AGENT_IN = `
  import { FramedChannel } from './src/probes/support/framed/framed-channel.ts';
  FramedChannel.connect = () => process.kill(process.pid, 'SIGKILL');
  ${INJECT}
`;

const ATTACHED = `
  import { createV8Driver } from './src/probes/drivers/v8/driver.ts';
  import { LeafReader } from './test/support/leaf-reader.ts';
  const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
  const probe = await again(() => driver.attach(info, { ...tools, maxKeys: 200_000 }));
  const { leaves } = await probe.capture({ depth: 'fast', full: true, signal: AbortSignal.timeout(25_000) });
  console.log(JSON.stringify(Object.keys(new LeafReader().apply(leaves).state()).sort()));
  console.log('attached');
`;

const socketsOf = ({ pid }: Target) =>
  fs.readdirSync(`/proc/${pid}/fd`).filter((name) => linkOf(`/proc/${pid}/fd/${name}`).startsWith('socket:')).length;
const marksOf = (target: Target) =>
  fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(`substrate-signalled-${target.pid}-`));
const portsOf = (target: Target) => inspector.listeners(target.info);

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}

/** Opened by a daemon that is gone. */
async function leftOpen(nodeArgs: string[] = []): Promise<Target> {
  const target = await startTarget('inbox.mjs', { nodeArgs });
  const attacher = await startAttacher(target, KILLED_AT_THE_SIGNAL);
  expect(await attacher.exited).toBe('SIGKILL');
  await until('the inspector', () => portsOf(target).length > 0);
  expect(marksOf(target)).toHaveLength(1);
  return target;
}

/** Like a person. */
async function open(target: Target): Promise<void> {
  process.kill(target.pid, 'SIGUSR1');
  await until('the inspector', () => portsOf(target).length > 0);
}

describe('an inspector that a killed daemon has left open', () => {
  afterEach(endAll);

  it.each([[[]], [['--inspect-port=127.0.0.1:0']]])(
    'is closed by the next one at its start: node %s',
    async (nodeArgs) => {
      const target = await leftOpen(nodeArgs);
      driver.sweep?.(inspector);
      await until('it to be closed', () => portsOf(target).length === 0);
      expect(marksOf(target)).toEqual([]);
      const probe = await attach(driver, target);
      expect((await probe.capture(full())).leaves.kind).toBe('full');
      await probe.detach();
    },
  );

  it('is closed at once, though the program is attached to at the same time', async () => {
    const target = await leftOpen();
    driver.sweep?.(inspector);
    const probe = await attach(driver, target);
    await until('it to be closed', () => portsOf(target).length === 0);
    expect(marksOf(target)).toEqual([]);
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await probe.detach();
  });

  it.each([[[]], [['--inspect-port=127.0.0.1:0']]])(
    'is closed by an attach, too, when it was opened late: node %s',
    async (nodeArgs) => {
      const target = await leftOpen(nodeArgs);
      const probe = await attach(driver, target);
      await until('it to be closed', () => portsOf(target).length === 0);
      expect(marksOf(target)).toEqual([]);
      expect((await probe.capture(full())).leaves.kind).toBe('full');
      await probe.detach();
    },
  );

  it('is not closed while another daemon has its turn, whose it may be', async () => {
    const target = await leftOpen();
    const { closing } = await withPortLock(OWN_NETWORK, async () => {
      const closing = closeLeftInspectors(inspector);
      // It accepts no requests, so it cannot be closed.
      await open(await startTarget('inbox.mjs', { nodeArgs: ['--inspect-port=127.0.0.1:0'] }));
      expect(portsOf(target)).toHaveLength(1);
      return { closing };
    });
    await closing;
    expect(portsOf(target)).toEqual([]);
  });

  it('is told from that of a person by its mark', async () => {
    const target = await startTarget('inbox.mjs');
    await open(target);
    await closeLeftInspectors(inspector);
    expect(portsOf(target)).toHaveLength(1);
  });

  it.runIf(isRoot)('counts only with a mark that nobody else could have made', async () => {
    const target = await startTarget('inbox.mjs');
    await open(target);
    leaveMark(target.info);
    for (const name of marksOf(target)) fs.chownSync(path.join(os.tmpdir(), name), NOBODY, NOBODY);
    await closeLeftInspectors(inspector);
    expect(portsOf(target)).toHaveLength(1);
    removeMark(target.info);
  });

  it('is closed by the program itself, some seconds after the first thing that it was asked', async () => {
    const target = await startTarget('held-timers.cjs');
    const attacher = await startAttacher(target, KILLED_AFTER_THE_FIRST_QUESTION);
    expect(await attacher.exited).toBe('SIGKILL');
    expect(portsOf(target)).toHaveLength(1);
    // It would outlive the inspector, and make a person's look like ours.
    expect(marksOf(target)).toEqual([]);
    target.write('fire\n');
    await until('the timer', () => target.output().includes('fired 1'));
    await until('it to be closed', () => portsOf(target).length === 0);
    expect(inspector.isAlive(target.info)).toBe(true);
  });

  it('is not taken for one that a person opens within these seconds', async () => {
    const target = await startTarget('held-timers.cjs');
    const probe = await attach(driver, target);
    await probe.detach();
    await until('ours to be closed', () => portsOf(target).length === 0);
    await open(target);
    target.write('fire\n');
    await until('the timer', () => target.output().includes('fired 1'));
    expect(portsOf(target)).toHaveLength(1);
  });

  it('needs no mark any more when the agent is in, which closes the inspector by itself', async () => {
    const target = await startTarget('inbox.mjs');
    const attacher = await startAttacher(target, KILLED_WITH_THE_AGENT_IN);
    expect(await attacher.exited).toBe('SIGKILL');
    expect(portsOf(target)).toHaveLength(1);
    expect(marksOf(target)).toEqual([]);
  });
});

describe('the agent of a daemon that is killed', () => {
  afterEach(endAll);

  it('leaves with it', async () => {
    const target = await startTarget('shop.cjs');
    const before = socketsOf(target);
    const attacher = await startAttacher(target, ATTACHED);
    await until('the attach', () => attacher.output().includes('attached'));
    expect(socketsOf(target)).toBeGreaterThan(before);
    await attacher.kill();
    await until('its connection to go', () => socketsOf(target) === before);
    expect(portsOf(target)).toHaveLength(1);
    expect(inspector.isAlive(target.info)).toBe(true);
    // Leftovers of the first one would be visible to the next one.
    const probe = await attach(driver, target);
    const keys = Object.keys(new LeafReader().apply((await probe.capture(full())).leaves).state());
    expect(attacher.output()).toContain(JSON.stringify(keys.sort()));
    await probe.detach();
  });
});

describe('an inspector that a program opens too late', () => {
  afterEach(endAll);

  it('is closed by the attach of another one, and the program is attached to after all', async () => {
    const target = await startTarget('inbox.mjs');
    const { signal } = createHost();
    const tooBusy: AttachTools['signal'] = (ref, name) => {
      process.kill(target.pid, 'SIGSTOP');
      signal(ref, name);
    };
    const tools: AttachTools = {
      inspect: inspector,
      signal: tooBusy,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      trace: NO_TRACE,
      maxKeys: 1000,
      budget: AMPLE,
      abort: new AbortController().signal,
    };
    await expect(driver.attach(target.info, tools)).rejects.toThrow(/did not open its inspector/);
    process.kill(target.pid, 'SIGCONT');
    await until('the inspector', () => portsOf(target).length > 0);
    const other = await attach(driver, await startTarget('inbox.mjs'));
    await until('it to be closed', () => portsOf(target).length === 0);
    const probe = await attach(driver, target);
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await Promise.all([other.detach(), probe.detach()]);
  });
});
