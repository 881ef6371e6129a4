/** The agent's costs for its program: it keeps its budget, and reports incomplete reads. */

import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import type { AttachTools, Capture, Probe } from '../../src/probes/probe.ts';
import { AMPLE } from '../support/budget.ts';
import { type Clr, here, startDotnet } from '../support/dotnet.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const MB = 1024 * 1024;
const MAX_KEYS = 1_000_000;
/** 400,000 keys, and next to none. */
const MANY = 100_000;
const FEW = 1;
const driver = createClrDriver(clr.settings.parse({}));
const { inspector, signal } = createHost();
const log = { debug() {}, info() {}, warn() {}, error() {} };

afterEach(endAll);

const plenty = (clr: Clr, items: number) => startDotnet(clr, 'plenty', { args: [String(items)], ready: /ready/ });

function attach({ info }: Target, budget: Partial<AttachTools['budget']>): Promise<Probe> {
  const abort = new AbortController().signal;
  const tools = { inspect: inspector, signal, log, trace: NO_TRACE, hints: {}, maxKeys: MAX_KEYS, abort };
  return driver.attach(info, { ...tools, budget: { ...AMPLE, ...budget } });
}

const capture = (probe: Probe, full = false) =>
  probe.capture({ depth: 'fast', full, signal: AbortSignal.timeout(40_000) });

/** The number of new keys in it. */
function added({ leaves }: Capture): number {
  if (leaves.kind === 'full') return leaves.paths.length;
  return leaves.kind === 'delta' ? leaves.added.length : 0;
}

/** CPU time of the first capture here: with little to read, the time for compiling the agent. */
async function costOf(clr: Clr, items: number): Promise<number> {
  const probe = await attach(await plenty(clr, items), {});
  const { costMs } = await capture(probe, true);
  await probe.detach();
  return costMs ?? 0;
}

const cpuMs = ({ info }: Target) => inspector.activity(info)?.cpuMs ?? 0;

function residentMb({ pid }: Target): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

describe.each(here<Clr>('mono', 'net9', 'net31'))('a program with more state than may be read, on %s', (clr) => {
  it('shows what was found in the time, and more of it with each poll', async () => {
    const [least, whole] = [await costOf(clr, FEW), await costOf(clr, MANY)];
    const searchMs = Math.round(least + (whole - least) * 0.6);
    const probe = await attach(await plenty(clr, MANY), { searchMs });
    const first = await capture(probe, true);
    expect(first).toMatchObject({ stoppedBy: 'time' });
    // It checks the clock after each step, not within one.
    expect(first.costMs).toBeLessThan(2 * searchMs);
    expect(added(first)).toBeGreaterThan(100);
    expect(first.coverage).toBeLessThan(1);
    expect(first.rawCount).toBeGreaterThan(added(first));
    const second = await capture(probe);
    expect(second).toMatchObject({ stoppedBy: 'time', leaves: { kind: 'delta', removed: [] } });
    expect(added(second)).toBeGreaterThan(0);
    expect(added(second)).toBeLessThan(MANY);
    expect(second.coverage).toBeGreaterThan(first.coverage);
    await probe.detach();
  });

  it('is searched with pauses', async () => {
    const probe = await attach(await plenty(clr, MANY), { searchMs: 600, searchPercent: 10 });
    const began = performance.now();
    const { costMs } = await capture(probe, true);
    const tookMs = performance.now() - began;
    // One second's share is available from the start, and no pause follows the last step.
    expect(costMs).toBeLessThan(100 + tookMs * 0.1 + 100);
    // Without pauses it would be all of the time.
    expect(costMs).toBeGreaterThan(300);
    await probe.detach();
  });

  it('does not wait for a search that nobody waits for', async () => {
    const target = await plenty(clr, MANY);
    const probe = await attach(target, { searchMs: 20_000, searchPercent: 1 });
    const before = cpuMs(target);
    const captured = capture(probe, true).catch(() => null);
    await until('the search to be under way', () => cpuMs(target) > before + 20);
    await probe.detach();
    expect(await captured).toBeNull();
    const again = await attach(target, {});
    expect(await capture(again, true)).toMatchObject({ stoppedBy: null, rawCount: 4 * MANY + 1 });
    await again.detach();
  });

  it('takes no more memory than it is given', async () => {
    const target = await plenty(clr, MANY);
    const before = residentMb(target);
    const probe = await attach(target, { memoryBytes: 16 * MB });
    const first = await capture(probe, true);
    expect(first).toMatchObject({ stoppedBy: 'memory' });
    expect(added(first)).toBeGreaterThan(10_000);
    expect(added(first)).toBeLessThan(4 * MANY);
    expect(first.coverage).toBeLessThan(1);
    expect(await capture(probe)).toMatchObject({ stoppedBy: 'memory', leaves: { kind: 'same' } });
    const grownMb = residentMb(target) - before;
    // Without the stop it is more than 60.
    expect(grownMb).toBeLessThan(1.5 * 16);
    await probe.detach();
  });
});

describe.each(here<Clr>('mono', 'net9', 'net31'))('a program on %s', (clr) => {
  it('costs little when nothing has changed, and says how much', async () => {
    const probe = await attach(await plenty(clr, 2500), {});
    const first = await capture(probe, true);
    expect(first).toMatchObject({ stoppedBy: null, coverage: 1, rawCount: 10_001 });
    await capture(probe);
    const { costMs, leaves } = await capture(probe);
    expect(leaves.kind).toBe('same');
    expect(costMs).toBeGreaterThan(0);
    expect(costMs).toBeLessThan((first.costMs ?? 0) / 2);
    await probe.detach();
  });

  it('is not larger after the tenth attach than after the first', async () => {
    const target = await plenty(clr, 250);
    const sizes: number[] = [];
    for (let round = 0; round < 10; round++) {
      const probe = await attach(target, {});
      await capture(probe, true);
      await capture(probe);
      await probe.detach();
      sizes.push(residentMb(target));
    }
    process.stdout.write(`${clr}: ${sizes.map((mb) => mb.toFixed(1)).join(' ')} MB\n`);
    expect((sizes.at(-1) ?? Number.NaN) / (sizes[0] ?? Number.NaN)).toBeLessThan(1.1);
  });
});
