/** The agent's costs for a program: time, pauses in between, memory. */

import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import type { AttachTools, Probe } from '../../src/probes/probe.ts';
import { fast, full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { startJava } from '../support/java.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const driver = createJvmDriver(jvm.settings.parse({}));
const { inspector, signal } = createHost();
const LEAVES_PER_ACCOUNT = 4;

type Budget = AttachTools['budget'];

afterEach(endAll);

function startLedger(accounts: number): Promise<Target> {
  return startJava(
    { target: 'ledger', main: 'com.example.ledger.Ledger' },
    { args: [String(accounts)], ready: /ready/, options: ['-Xmx1g', '-Xms256m'] },
  );
}

function attach(target: Target, budget: Budget, maxKeys = 200_000): Promise<Probe> {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const abort = new AbortController().signal;
  return driver.attach(target.info, {
    inspect: inspector,
    signal,
    log,
    trace: NO_TRACE,
    maxKeys,
    budget,
    abort,
  });
}

/** The first capture, and its duration. */
async function firstCapture(target: Target, budget: Budget, maxKeys?: number) {
  const probe = await attach(target, budget, maxKeys);
  const began = performance.now();
  const capture = await probe.capture(full());
  const wallMs = performance.now() - began;
  const reader = new LeafReader().apply(capture.leaves);
  return { probe, capture, wallMs, reader, count: Object.keys(reader.state()).length };
}

describe('the time of the first search', () => {
  const ACCOUNTS = 40_000;
  const SMALL = { ...AMPLE, searchMs: 100 };

  it('is kept to, and what was found by then is served', async () => {
    const target = await startLedger(ACCOUNTS);
    const { probe, capture, reader, count } = await firstCapture(target, SMALL);
    expect(capture.stoppedBy).toBe('time');
    // A piece of work that has begun is finished.
    expect(capture.costMs).toBeLessThan(2 * SMALL.searchMs);
    expect(capture.coverage).toBeLessThan(1);
    expect(capture.rawCount).toBeGreaterThan(count);
    expect(reader.state()).toMatchObject({
      'Ledger.accounts.length': ACCOUNTS,
      'Ledger.accounts[0].owner': 'owner 0',
      'Ledger.accounts[0].balance': 0,
    });
    await probe.detach();

    const ample = await firstCapture(target, AMPLE);
    expect(ample.capture.stoppedBy).toBeNull();
    expect(ample.capture.costMs).toBeGreaterThan(capture.costMs ?? Number.POSITIVE_INFINITY);
    expect(ample.count).toBeGreaterThan(ACCOUNTS * LEAVES_PER_ACCOUNT);
    expect(ample.count).toBeGreaterThan(count);
    await ample.probe.detach();
  });

  it('does not bind the captures after it, which read on a little at a time', async () => {
    const target = await startLedger(ACCOUNTS);
    const { probe, reader, count } = await firstCapture(target, SMALL);
    let last = count;
    for (let poll = 0; poll < 5; poll++) {
      reader.apply((await probe.capture(fast())).leaves);
      const now = Object.keys(reader.state()).length;
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
    expect(last).toBeGreaterThan(count);
    expect(last).toBeLessThan(ACCOUNTS * LEAVES_PER_ACCOUNT);
    await probe.detach();
  });

  it('is spread over time', async () => {
    const target = await startLedger(ACCOUNTS);
    const searchPercent = 3;
    const { probe, capture, wallMs } = await firstCapture(target, { ...AMPLE, searchMs: 250, searchPercent });
    const share = searchPercent / 100;
    // One second's share may be used at once; and a piece of work that has begun is finished.
    const saved = 1000 * share + 20;
    expect(capture.costMs).toBeGreaterThan(saved);
    expect(capture.costMs).toBeLessThan(wallMs * share + saved);
    await probe.detach();
  });
});

describe('a detach', () => {
  it('does not wait for a search that is at rest', async () => {
    const target = await startLedger(40_000);
    const probe = await attach(target, { ...AMPLE, searchPercent: 1 });
    const search = probe.capture(full()).then(
      () => 'done',
      () => 'given up',
    );
    await until('the search to begin', () => threadsOf(target).some((name) => name.startsWith('substrate-capt')));
    await probe.detach();
    expect(await search).toBe('given up');
    await until('the agent to be gone', () => !threadsOf(target).some((name) => name.startsWith('substrate-')));
    expect(target.exitCode()).toBeNull();
  });
});

describe('memory', () => {
  const MB = 1024 * 1024;

  it('is kept to: what does not fit is not read', async () => {
    const target = await startLedger(2000);
    const small = await firstCapture(target, { ...AMPLE, memoryBytes: MB });
    expect(small.capture.stoppedBy).toBe('memory');
    expect(small.count).toBeGreaterThan(100);
    expect(small.count).toBeLessThan(2000);
    expect(small.reader.state()).toHaveProperty(['Ledger.accounts[0].owner']);
    await small.probe.detach();
    const ample = await firstCapture(target, AMPLE);
    expect(ample.capture.stoppedBy).toBeNull();
    expect(ample.count).toBeGreaterThan(2000 * LEAVES_PER_ACCOUNT);
    await ample.probe.detach();
  });

  it('is not what stops it where all keys that are wanted were read', async () => {
    const target = await startLedger(2000);
    const { probe, capture, count } = await firstCapture(target, AMPLE, 500);
    expect(count).toBeLessThanOrEqual(500);
    expect(capture).toMatchObject({ stoppedBy: null });
    expect(capture.coverage).toBeLessThan(1);
    await probe.detach();
  });

  it('is hardly used by a capture that finds nothing new', async () => {
    const target = await startLedger(4000);
    const { probe } = await firstCapture(target, AMPLE);
    // Effects of actions are analysed meanwhile.
    for (let poll = 0; poll < 5; poll++) await probe.capture(fast());
    const cold = await allocated(target);
    const polls = 20;
    for (let poll = 0; poll < polls; poll++) expect((await probe.capture(fast())).leaves).toEqual({ kind: 'same' });
    expect(((await allocated(target)) - cold) / polls).toBeLessThan(cold / 50);
    await probe.detach();
  });

  it('is given back: it does not grow from attach to attach', async () => {
    const target = await startLedger(5000);
    const left: number[] = [];
    for (let round = 0; round < 10; round++) {
      const { probe } = await firstCapture(target, { ...AMPLE, memoryBytes: 16 * MB }, 20_000);
      for (let poll = 0; poll < 5; poll++) await probe.capture(fast());
      await probe.detach();
      await until('the agent to be gone', () => !threadsOf(target).some((name) => name.startsWith('substrate-')));
      left.push(residentMb(target));
    }
    // The first attach uses permanent memory of the JVM: new code of its own, tables of its collector.
    expect(left.at(-1), left.join(' ')).toBeLessThan(1.1 * (left[1] ?? 0));
  });

  it('is not taken beyond the budget', async () => {
    const target = await startLedger(20_000);
    const before = residentMb(target);
    const budget = Math.max(16, before / 10);
    const { probe } = await firstCapture(target, { ...AMPLE, memoryBytes: budget * MB }, 20_000);
    for (let poll = 0; poll < 20; poll++) await probe.capture(fast());
    expect(residentMb(target) - before).toBeLessThan(budget);
    await probe.detach();
  });
});

/** Bytes that the capturing thread has allocated so far. */
async function allocated(target: Target): Promise<number> {
  const said = () => target.output().match(/allocated \d+/g) ?? [];
  const before = said().length;
  target.write('\n');
  await until('the answer', () => said().length > before);
  return Number(said().at(-1)?.split(' ')[1]);
}

function threadsOf({ pid }: Target): string[] {
  return fs.readdirSync(`/proc/${pid}/task`).map((task) => {
    try {
      return fs.readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8');
    } catch {
      return 'ended';
    }
  });
}

function residentMb({ pid }: Target): number {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
