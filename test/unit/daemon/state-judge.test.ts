import { expect, it } from 'vitest';
import { StateJudge } from '../../../src/daemon/state-judge.ts';
import type { ProcessActivity } from '../../../src/model/process.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { FakeProbe } from '../../support/fake-probe.ts';

const STILL = 'The program works, but nothing that is read changes.';

async function watched() {
  let now: ProcessActivity | null = { startedMs: 0, ageMs: 60_000, cpuMs: 5000 };
  const engine = new Engine('shop-00000000', 'shop', null);
  const capture = await new FakeProbe().capture({ depth: 'fast', full: true, signal: new AbortController().signal });
  engine.apply({ kind: 'full', paths: ['shop.name', 'shop.open'], values: ['Corner', true] }, null);
  const judge = new StateJudge(engine, () => now);
  judge.noteCycle(10);
  return {
    engine,
    judge,
    reason: () => judge.judge(capture).reason,
    /** After this time, with this much work of the program and of the probe. */
    after: (ms: number, cpuMs: number, probeMs: number) => {
      now = { startedMs: 0, ageMs: (now?.ageMs ?? 0) + ms, cpuMs: (now?.cpuMs ?? 0) + cpuMs };
      judge.noteCycle(probeMs);
    },
    lose: () => {
      now = null;
      judge.noteCycle(10);
    },
  };
}

it('is less sure of a program that works while nothing changes', async () => {
  const { reason, after } = await watched();
  expect(reason()).not.toBe(STILL);
  after(30_000, 4000, 10);
  expect(reason()).toBe(STILL);
});

it.each([
  ['idle', 30_000, 100, 10],
  ['looked at, and idle beside that', 30_000, 4000, 3900],
  ['slow at its own housekeeping', 600_000, 4000, 10],
  ['busy, but only for a moment so far', 3000, 2500, 10],
])('is as sure as before of one that is %s', async (_, ms, cpuMs, probeMs) => {
  const { reason, after } = await watched();
  after(ms, cpuMs, probeMs);
  expect(reason()).not.toBe(STILL);
});

it('is sure again when something changes, and begins anew with another probe', async () => {
  const { reason, after, engine, judge } = await watched();
  after(30_000, 4000, 10);
  engine.apply({ kind: 'delta', changed: [[1, false]], added: [], removed: [] }, null);
  expect(reason()).toBe('Values of the program were seen to change.');
  const other = await watched();
  other.after(30_000, 4000, 10);
  other.judge.begin();
  expect(other.reason()).not.toBe(STILL);
  judge.begin();
});

it('says nothing of it where the system does not report it', async () => {
  const { reason, lose } = await watched();
  lose();
  expect(reason()).not.toBe(STILL);
});
