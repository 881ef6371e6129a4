import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { OWN_NETWORK } from '../../src/host/own-network.ts';
import type { ProcessInspector } from '../../src/model/process.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { CdpConnection } from '../../src/probes/drivers/v8/cdp/cdp-connection.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { askInspector } from '../../src/probes/drivers/v8/node/find-inspector.ts';
import { withPortLock } from '../../src/probes/drivers/v8/node/port-lock.ts';
import { leaveMark, removeMark } from '../../src/probes/drivers/v8/node/signal-mark.ts';
import { AttachError, type AttachTools, NotDispatchedError } from '../../src/probes/probe.ts';
import { attach, bindingOf, fast, full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, start, until } from '../support/real-processes.ts';
import { processInfo, startTarget, TARGET_NODE, type Target } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector } = createHost();
const agentFolders = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('substrate-agent-'));

async function stateOf(file: string, args: string[] = []) {
  const target = await startTarget(file, { args });
  const probe = await attach(driver, target);
  const capture = await probe.capture(full());
  return { target, probe, capture, state: new LeafReader().apply(capture.leaves).state() };
}

const marksOf = (target: Target) =>
  fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(`substrate-signalled-${target.pid}-`));
const sharedPorts = (target: Target) => inspector.listeners(target.info).filter(({ port }) => port === 9229);

/** Sends no signals, but records them. */
const quietTools = (signals: string[]): AttachTools => ({
  inspect: inspector,
  signal: (_, name) => void signals.push(name),
  log: { debug() {}, info() {}, warn() {}, error() {} },
  trace: NO_TRACE,
  maxKeys: 1000,
  budget: AMPLE,
  abort: new AbortController().signal,
});

describe('attaching to Node', () => {
  afterEach(endAll);

  it('reads module variables, class instances, private fields, maps and dates of CommonJS', async () => {
    const { state, probe } = await stateOf('shop.cjs');
    expect(state).toEqual({
      'ledger.entries.length': 1,
      'ledger.entries[0].kind': 'add',
      'ledger.entries[0].what': 'apple',
      visits: 0,
      'settings.currency': 'EUR',
      'settings.apiToken': 'tok_live_51Hx8KqLm29vTzR4',
      'settings.password': 'hunter2',
      'settings.theme.dark': true,
      'rates.size': 2,
      'rates.USD': 1.08,
      'rates["odd key"]': 7,
      'cart.items.length': 1,
      'cart.items[0].name': 'apple',
      'cart.items[0].price': 2,
      'cart.items[0].quantity': 3,
      'cart.opened': '2026-01-02T03:04:05.000Z',
      'cart.discount': 0,
    });
    await probe.detach();
  });

  it('leaves no mark of a signal that could not be sent', async () => {
    const target = await startTarget('shop.cjs');
    const signal = () => {
      throw new Error('EPERM');
    };
    await expect(driver.attach(target.info, { ...quietTools([]), signal })).rejects.toThrow(AttachError);
    expect(marksOf(target)).toEqual([]);
  });

  it('sends no signal once the attach is not wanted any more', async () => {
    const target = await startTarget('shop.cjs');
    const signals: string[] = [];
    const tools = { ...quietTools(signals), abort: AbortSignal.abort() };
    await expect(driver.attach(target.info, tools)).rejects.toThrow(AttachError);
    expect(signals).toEqual([]);
  });

  it('sends no signal to what the process has become by an exec, though that handles it', async () => {
    const former = await startTarget('shop.cjs');
    const script = 'trap : USR1; echo ready; while read -r; do :; done';
    const later = await startProgram('/bin/bash', ['-c', script]);
    let { info } = former;
    const inspect: ProcessInspector = {
      isAlive: () => inspector.isAlive(info),
      details: () => inspector.details(info),
      listeners: () => inspector.listeners(info),
      unixListeners: () => inspector.unixListeners(info),
      // It was checked by then.
      isPortTaken: (_, port) => {
        info = later.info;
        return inspector.isPortTaken(info, port);
      },
      portClients: () => [],
      exeHasSymbol: (_, symbol) => inspector.exeHasSymbol(info, symbol),
      resolvePath: (_, file) => inspector.resolvePath(info, file),
      kernelFile: (_, name) => inspector.kernelFile(info, name),
      mainThreadWait: () => inspector.mainThreadWait(info),
      activity: () => inspector.activity(info),
      currentExe: () => inspector.currentExe(info),
      network: () => inspector.network(info),
      origin: () => null,
    };
    const signals: string[] = [];
    const tools = { ...quietTools(signals), inspect };
    await expect(driver.attach(former.info, tools)).rejects.toThrow(/does not listen to SIGUSR1/);
    expect(info).toBe(later.info);
    expect(signals).toEqual([]);
  });

  it('waits for the turn of another daemon, whose inspector is closed by that one', async () => {
    const target = await startTarget('shop.cjs');
    const attached = await withPortLock(OWN_NETWORK, async () => {
      process.kill(target.pid, 'SIGUSR1');
      const { url } = await until('the inspector', () => askInspector(OWN_NETWORK, sharedPorts(target)));
      const promise = attach(driver, target);
      const other = await CdpConnection.open(OWN_NETWORK, url, 5000);
      await other.send('Runtime.evaluate', {
        // After the end of the connection: not two events at once.
        expression: 'setTimeout((inspector) => inspector.close(), 100, process.getBuiltinModule("inspector")); 0',
      });
      await other.close();
      await until('it to be closed', () => sharedPorts(target).length === 0);
      return { promise };
    });
    const probe = await attached.promise;
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    expect(target.output().match(/Debugger listening/g)).toHaveLength(2);
    await probe.detach();
  });

  it('closes what was left open by a program that was too busy, and does not wait for it', async () => {
    const left = await startTarget('shop.cjs');
    leaveMark(left.info);
    process.kill(left.pid, 'SIGUSR1');
    await until('the inspector', () => sharedPorts(left).length === 1);
    const other = await startTarget('inbox.mjs');
    const probe = await driver.attach(other.info, { ...quietTools([]), signal: createHost().signal });
    expect(sharedPorts(left)).toEqual([]);
    expect(marksOf(left)).toEqual([]);
    await probe.detach();
  });

  it('closes the inspector of a program that takes no agent, some time after our connection', async () => {
    const target = await startTarget('no-room.cjs');
    await expect(attach(driver, target)).rejects.toThrow(/there is no room/);
    await until('it to be closed', () => sharedPorts(target).length === 0);
    const [, ms] = await until('it to say so', () => /closed after (\d+) ms/.exec(target.output()));
    expect(Number(ms)).toBeGreaterThanOrEqual(100);
    expect(marksOf(target)).toEqual([]);
    expect(inspector.isAlive(target.info)).toBe(true);
  });

  it('does not say that the event loop is blocked when the inspector is closed', async () => {
    const target = await startTarget('shuts-inspector.cjs', { nodeArgs: ['--inspect=127.0.0.1:0'] });
    await expect(attach(driver, target)).rejects.toThrow(/did not take the agent/);
  });

  it('reads the variables that closures hide, where their functions hang', async () => {
    const { state, capture, probe } = await stateOf('closure.cjs');
    expect(state).toEqual({ sold: 0, 'till.open': true, 'counter.count': 5 });
    await probe.invoke(bindingOf(capture, 'counter.increment'), {}, AbortSignal.timeout(25_000));
    await probe.invoke(bindingOf(capture, 'till.sell'), { amount: 12 }, AbortSignal.timeout(25_000));
    const after = new LeafReader().apply((await probe.capture(full())).leaves).state();
    expect(after).toEqual({ sold: 12, 'till.open': true, 'counter.count': 6 });
    await probe.detach();
  });

  it('keeps its keys while everything changes, also when it looks for new things', async () => {
    const { state, probe } = await stateOf('ticking.cjs');
    const keys = (leaves: Record<string, unknown>) => Object.keys(leaves).filter((key) => !key.startsWith('rows['));
    expect(keys(state).sort()).toEqual(['box.a', 'left.level', 'right.level', 'rows.length', 'ticks']);
    const reader = new LeafReader().apply((await probe.capture(full())).leaves);
    for (let round = 0; round < 50; round++) reader.apply((await probe.capture(fast())).leaves);
    expect(keys(reader.state())).toEqual(keys(state));
    await probe.detach();
  });

  it('shows each name once, also of closures, private fields and maps that clash', async () => {
    const { state, probe } = await stateOf('awkward.cjs');
    expect(state).toMatchObject({
      'user.name': 'ann',
      'user.greetings': 0,
      'account.value': 1,
      'account.big': '5',
      'account.limit': 'Infinity',
      'stats.size': 2,
      'stats.hits': 3,
      'cache.full': true,
    });
    await probe.detach();
  });

  it('keeps the variables of two closures apart, also when they hold nothing at first', async () => {
    const { probe } = await stateOf('awkward.cjs');
    await until('both jobs', async () => {
      const leaves = new LeafReader().apply((await probe.capture(full())).leaves).state();
      const ids = Object.entries(leaves).flatMap(([key, value]) => (/^job\w*\.id$/.test(key) ? [value] : []));
      return ids.sort().join() === 'first,second';
    });
    await probe.detach();
  });

  it('forgets a global that the app deleted', async () => {
    const { target, probe } = await stateOf('awkward.cjs');
    target.write('forget\n');
    await until('the deletion', () => target.output().includes('done'));
    const { leaves } = await probe.capture(full());
    expect(new LeafReader().apply(leaves).state()).not.toHaveProperty(['cache.full']);
    await probe.detach();
  });

  it('does not call a method that was replaced since it was judged', async () => {
    const { target, capture, probe } = await stateOf('awkward.cjs');
    const binding = bindingOf(capture, 'box.report');
    target.write('replace\n');
    await until('the replacement', () => target.output().includes('done'));
    await expect(probe.invoke(binding, {}, AbortSignal.timeout(25_000))).rejects.toBeInstanceOf(NotDispatchedError);
    const next = await probe.capture(fast());
    expect(next.actions?.find(({ name }) => name === 'box.report')?.effect).toBe('unknown');
    expect(new LeafReader().apply((await probe.capture(full())).leaves).state()['box.count']).toBe(0);
    await probe.detach();
  });

  it('survives errors that cannot be described', async () => {
    const { target, capture, probe } = await stateOf('awkward.cjs');
    const outcome = await probe.invoke(bindingOf(capture, 'account.fail'), {}, AbortSignal.timeout(25_000));
    expect(outcome).toMatchObject({ ok: false });
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    expect(target.exitCode()).toBeNull();
    await probe.detach();
  });

  it('works where the clocks of the app stand still, and closes the inspector there too', async () => {
    const { target, state, probe } = await stateOf('fake-clock.cjs');
    expect(state).toMatchObject({ 'scores.home': 1, 'scores.away': 2 });
    await until('the inspector to be closed', () => inspector.listeners(target.info).length === 0);
    await probe.detach();
  });

  it('loses nothing when a capture was given up while the app stood still', async () => {
    const target = await startTarget('shop.cjs');
    const probe = await attach(driver, target);
    process.kill(target.pid, 'SIGSTOP');
    await until('the stop', () => inspector.details(target.info)?.stopped);
    const late = probe.capture({ ...fast(), signal: AbortSignal.timeout(100) });
    await expect(late).rejects.toThrow();
    const next = probe.capture(full());
    process.kill(target.pid, 'SIGCONT');
    const first = await next;
    const reader = new LeafReader().apply(first.leaves);
    await probe.invoke(bindingOf(first, 'cart.setCoupon'), { coupon: 'LATE' }, AbortSignal.timeout(25_000));
    reader.apply((await probe.capture(fast())).leaves);
    expect(reader.state()['cart.coupon']).toBe('LATE');
    expect(new LeafReader().apply((await probe.capture(full())).leaves).state()).toEqual(reader.state());
    await probe.detach();
  });

  it('reads top-level variables of node -e, whatever it calls itself', async () => {
    const { pid } = start(TARGET_NODE, [
      '-e',
      // Its inspector reports the title unescaped, in what should be JSON.
      'process.title = "a\\x1b[31m\\nb"; const level = { n: 7 }; var flag = true; setInterval(() => level, 1000)',
    ]);
    const info = await processInfo(pid);
    await until('the handler of SIGUSR1', () => ((inspector.details(info)?.caughtSignals ?? 0n) & (1n << 9n)) !== 0n);
    const probe = await attach(driver, {
      pid,
      info,
      output: () => '',
      exited: Promise.resolve(null),
      exitCode: () => null,
      write: () => {},
    });
    const { leaves } = await probe.capture(full());
    expect(new LeafReader().apply(leaves).state()).toEqual({ 'level.n': 7, flag: true });
    await probe.detach();
  });

  it('finds by a look through the heap what nothing cheaper leads to', async () => {
    const { state, probe } = await stateOf('async-loop.mjs');
    expect(state).toEqual({});
    const deep = await probe.capture({ ...full(), depth: 'deep' });
    expect(deep.tier).toBe('heap_snapshot');
    expect(new LeafReader().apply(deep.leaves).state()).toMatchObject({ 'jobs.pending': 3, 'jobs.done': 0 });
    await probe.detach();
  });

  it('never touches getters, Proxies or methods of the app, and survives odd values', async () => {
    const { state, probe, target } = await stateOf('hostile.cjs');
    expect(state).toMatchObject({
      touched: 0,
      'state.plain': 1,
      'state.trap': '[Proxy]',
      'state.cyclic.name': 'loop',
      'state.cyclic.self': '[ref] state.cyclic',
      'state.notANumber': 'NaN',
      'state.big': '12345678901234567890',
      'state.when': '1970-01-01T00:00:00.000Z',
      'state.list.length': 3,
      'state.list[0]': 1,
      'state.list[2]': 3,
      'state["a.b[\\"c\\"]"]': 'quoted',
      'state.nested.__proto__.polluted': true,
    });
    expect(String(state['state.text'])).toHaveLength('… [100000 characters]'.length + 4096);
    for (let round = 0; round < 5; round++) await probe.capture(fast());
    await probe.detach();
    expect(target.output()).not.toContain('touched');
  });

  it('is not misled by prototypes', async () => {
    const { state, probe } = await stateOf('odd-prototypes.cjs');
    expect(state).toMatchObject({
      'groups.size': 1,
      'groups.a': 1,
      'bag.size': 1,
      'bag[0]': 'x',
      'stack.length': 2,
      'bare.own': 1,
    });
    await probe.detach();
  });

  it('does not keep an app alive that has nothing left to do', async () => {
    const target = await startTarget('last-breath.cjs');
    const probe = await attach(driver, target);
    await probe.capture(full());
    target.write('go\n');
    expect(await target.exited).toBe(0);
    await probe.closed;
  });

  it('leaves no file, no port and no global behind', async () => {
    const before = agentFolders();
    const { probe, target } = await stateOf('shop.cjs');
    expect(agentFolders()).toEqual(before);
    await until('the inspector to be closed', () => sharedPorts(target).length === 0);
    await probe.detach();
  });

  it('sends no request to a server of the app, even one that starts to listen during the attach', async () => {
    const target = await startTarget('late-server.cjs');
    target.write('listen\n');
    const probe = await attach(driver, target);
    await until('the server', () => target.output().includes('listening'));
    const { leaves } = await probe.capture(full());
    expect(new LeafReader().apply(leaves).state().requests).toBe(0);
    await probe.detach();
  });

  it('uses an inspector that a person has opened, and leaves it open', async () => {
    const target = await startTarget('shop.cjs', { nodeArgs: ['--inspect=127.0.0.1:0'] });
    const listening = inspector.listeners(target.info);
    const probe = await attach(driver, target);
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await probe.detach();
    expect(inspector.listeners(target.info)).toEqual(listening);
  });

  it('gives way to a person who opens the inspector while a probe is attached', async () => {
    const { probe, target } = await stateOf('shop.cjs');
    await until('our inspector to be closed', () => sharedPorts(target).length === 0);
    process.kill(target.pid, 'SIGUSR1');
    await until('the inspector', () => sharedPorts(target).length > 0);
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await probe.detach();
    expect(sharedPorts(target)).not.toEqual([]);
  });

  it('leaves open what a person opened after an attach of ours had failed', async () => {
    const flag = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'busy-')), 'flag');
    const target = await startTarget('blocks-later.cjs', { args: [flag] });
    await expect(attach(driver, target)).rejects.toThrow(/event loop/);
    fs.writeFileSync(flag, '');
    await until('the loop to end', () => target.output().includes('free'));
    await until('our inspector to be closed', () => inspector.listeners(target.info).length === 0);
    const between = await attach(driver, target);
    await between.detach();
    await until('our inspector to be closed again', () => inspector.listeners(target.info).length === 0);
    process.kill(target.pid, 'SIGUSR1');
    await until('the inspector of a person', () => inspector.listeners(target.info).length === 1);
    const probe = await attach(driver, target);
    await probe.capture(full());
    await probe.detach();
    expect(inspector.listeners(target.info)).toHaveLength(1);
  });

  it.each(['/nowhere/at/all', `/tmp/${'long'.repeat(30)}`])(
    'finds another folder when TMPDIR is %s',
    async (folder) => {
      const target = await startTarget('inbox.mjs', { env: { TMPDIR: folder } });
      const probe = await attach(driver, target);
      expect((await probe.capture(full())).leaves.kind).toBe('full');
      await probe.detach();
    },
  );

  it('is not seen by the primary process of a cluster', async () => {
    const primary = await startTarget('cluster.cjs');
    const pid = Number(/worker (\d+)/.exec(primary.output())?.[1]);
    const worker = { ...primary, pid, info: await processInfo(pid) };
    const probe = await attach(driver, worker);
    expect(new LeafReader().apply((await probe.capture(full())).leaves).state()).toMatchObject({ 'jobs.done': 0 });
    await probe.detach();
    expect(primary.output()).not.toContain('listening on {');
  });

  it('does not even signal an app whose event loop is blocked, and gets in once it is free', async () => {
    const flag = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'busy-')), 'flag');
    const target = await startTarget('busy.cjs', { args: [flag] });
    const refused = await attach(driver, target).catch((error: unknown) => error);
    expect(refused).toMatchObject({ retry: true, message: expect.stringMatching(/never seen waiting/) });
    expect(target.output()).not.toContain('Debugger listening');
    expect(marksOf(target)).toEqual([]);
    fs.writeFileSync(flag, '');
    await until('the loop to end', () => target.output().includes('free'));
    const probe = await attach(driver, target);
    const { leaves } = await probe.capture(full());
    expect(new LeafReader().apply(leaves).state().rounds).toBeGreaterThan(0);
    await probe.detach();
  });

  it('does not put anything into an app whose event loop is blocked after the signal', async () => {
    const flag = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'busy-')), 'flag');
    const target = await startTarget('blocks-later.cjs', { args: [flag] });
    await expect(attach(driver, target)).rejects.toThrow(/event loop has been blocked/);
    fs.writeFileSync(flag, '');
    await until('the loop to end', () => target.output().includes('free'));
    await until('the inspector to be closed', () => inspector.listeners(target.info).length === 0);
    const probe = await attach(driver, target);
    const { leaves } = await probe.capture(full());
    expect(new LeafReader().apply(leaves).state().rounds).toBeGreaterThan(0);
    await probe.detach();
  });

  it('signals as before where nothing can be seen from outside', async () => {
    const target = await startTarget('shop.cjs');
    const host = createHost();
    const inspect = Object.assign(host.inspector, { mainThreadWait: () => null });
    const probe = await driver.attach(target.info, { ...quietTools([]), inspect, signal: host.signal });
    expect((await probe.capture(full())).leaves.kind).toBe('full');
    await probe.detach();
  });

  it('signals an app that uses SIGUSR1 itself once, and never again', async () => {
    const target = await startTarget('own-signal.cjs');
    for (let round = 0; round < 3; round++) {
      const refused = await attach(driver, target).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(AttachError);
      expect(String(refused)).toContain('SIGUSR1');
    }
    expect(target.output()).toContain('signal 1');
    expect(target.output()).not.toContain('signal 2');
    expect(target.exitCode()).toBeNull();
    // It may still open it after this daemon has ended.
    expect(marksOf(target)).toHaveLength(1);
    removeMark(target.info);
  });

  it('does not signal a stopped process', async () => {
    const target = await startTarget('shop.cjs');
    process.kill(target.pid, 'SIGSTOP');
    await until('the stop', () => inspector.details(target.info)?.stopped);
    await expect(attach(driver, target)).rejects.toThrow(/stopped/);
    process.kill(target.pid, 'SIGCONT');
    const probe = await attach(driver, target);
    await probe.detach();
    expect(target.output().match(/Debugger listening/g)).toHaveLength(1);
  });

  it('refuses a program that only looks like Node', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fake-'));
    const fake = path.join(folder, 'node');
    fs.copyFileSync('/bin/sleep', fake);
    const { pid } = start(fake, ['60']);
    const info = await processInfo(pid);
    expect(driver.recognise(info, inspector)).toBeNull();
    fs.rmSync(folder, { recursive: true });
  });

  it('notices at any moment that the process ends', async () => {
    const before = agentFolders();
    for (let delayMs = 0; delayMs < 120; delayMs += 15) {
      const target = await startTarget('shop.cjs');
      const killer = setTimeout(() => process.kill(target.pid, 'SIGKILL'), delayMs);
      const outcome = await attach(driver, target)
        .then(async (probe) => {
          await probe.closed;
          return 'closed';
        })
        .catch((error: unknown) => error);
      clearTimeout(killer);
      if (outcome !== 'closed') expect(outcome).toBeInstanceOf(AttachError);
    }
    expect(agentFolders()).toEqual(before);
  });

  it('attaches to 20 processes at once', async () => {
    const targets = await Promise.all(Array.from({ length: 20 }, () => startTarget('inbox.mjs')));
    const probes = await Promise.all(targets.map((target) => attach(driver, target)));
    const states = await Promise.all(
      probes.map(async (probe) => new LeafReader().apply((await probe.capture(full())).leaves).state()),
    );
    for (const state of states) expect(state['inbox.emails.length']).toBe(2);
    await Promise.all(probes.map((probe) => probe.detach()));
    for (const target of targets) expect(target.output()).not.toContain('address already in use');
  });
});
