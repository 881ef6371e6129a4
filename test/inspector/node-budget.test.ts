import { afterEach, describe, expect, it } from 'vitest';
import type { ProbeBudget } from '../../src/model/budget.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import type { CaptureRequest, Probe } from '../../src/probes/probe.ts';
import { attach, fast, full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll } from '../support/real-processes.ts';
import { startTarget } from '../support/targets.ts';

const ROWS = 60_000;
const MAX_KEYS = 200_000;
const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });

async function attachWith(budget: Partial<ProbeBudget>): Promise<Probe> {
  const target = await startTarget('large.cjs', { args: [String(ROWS)] });
  return attach(driver, target, MAX_KEYS, { ...AMPLE, ...budget });
}

describe('the budget of a probe in Node', () => {
  afterEach(endAll);

  it('is not spent on a state of usual size, and what that took is told', async () => {
    const probe = await attachWith({});
    const { stoppedBy, costMs, coverage, rawCount } = await probe.capture(full());
    expect([stoppedBy, coverage, rawCount]).toEqual([null, 1, 2 * ROWS + 2]);
    expect(costMs).toBeGreaterThan(1);
    const { costMs: pollMs } = await probe.capture(fast());
    expect(pollMs).toBeLessThan(costMs ?? 0);
    await probe.detach();
  });

  it('ends the first look in time; what is left is read later, some of it at each', async () => {
    const probe = await attachWith({ searchMs: 200 });
    const first = await probe.capture(full());
    expect(first.stoppedBy).toBe('time');
    expect(first.coverage).toBeLessThan(1);
    const reader = new LeafReader();
    reader.apply(first.leaves);
    expect(reader.state()).toHaveProperty(['wall.ticks']);
    const sizes = [Object.keys(reader.state()).length];
    for (let polls = 0; polls < 2000 && (sizes.at(-1) ?? 0) < 2 * ROWS + 2; polls++) {
      const capture = await probe.capture(fast());
      // Each may use an eighth of the first; a slice that has begun is finished.
      expect(capture.costMs).toBeLessThan(200);
      reader.apply(capture.leaves);
      sizes.push(Object.keys(reader.state()).length);
    }
    expect(sizes.length).toBeGreaterThan(3);
    expect(reader.state()).toMatchObject({ 'wall.rows.row59999.name': 'name 59999' });
    expect((await probe.capture(fast())).coverage).toBeGreaterThan(0.999);
    await probe.detach();
  });

  it('goes on with a search that was ended, where it was, until it has come to all', async () => {
    const target = await startTarget('many-closures.cjs', { args: ['400'] });
    const probe = await attach(driver, target, MAX_KEYS, { ...AMPLE, searchMs: 60 });
    const reader = new LeafReader();
    const searching: (boolean | undefined)[] = [];
    const capture = async (request: CaptureRequest) => {
      const { leaves, isSearching } = await probe.capture(request);
      reader.apply(leaves);
      searching.push(isSearching);
    };
    await capture(full());
    for (let polls = 0; polls < 40 && searching.at(-1); polls++) await capture(fast());
    expect([searching[0], searching.at(-1)]).toEqual([true, false]);
    await probe.detach();
  });

  it('ends the first look before it takes too much memory', async () => {
    const probe = await attachWith({ memoryBytes: 8 * 1024 * 1024 });
    const { stoppedBy, coverage, leaves } = await probe.capture(full());
    expect(stoppedBy).toBe('memory');
    expect(coverage).toBeLessThan(1);
    expect(new LeafReader().apply(leaves).state()).toHaveProperty(['wall.ticks']);
    await probe.detach();
  });

  it('has no room for a look through a large heap, which holds the app up, unless somebody asks for it', async () => {
    const target = await startTarget('async-loop.mjs', { args: ['30'] });
    const probe = await attach(driver, target, MAX_KEYS, { ...AMPLE, searchMs: 500 });
    const byItself = await probe.capture({ ...full(), depth: 'deep' });
    expect(byItself.tier).toBe('aso_fast');
    const asked = await probe.capture({ ...full(), depth: 'deep', isAsked: true });
    expect(asked.tier).toBe('heap_snapshot');
    await probe.detach();
  });

  it('leaves the app its time: with a small share a look takes longer, and costs the same', async () => {
    const timed = async (searchPercent: number) => {
      const probe = await attachWith({ searchPercent });
      const began = performance.now();
      const { costMs, stoppedBy } = await probe.capture(full());
      const tookMs = performance.now() - began;
      await probe.detach();
      expect(stoppedBy).toBeNull();
      return { costMs: costMs ?? 0, share: (costMs ?? 0) / tookMs };
    };
    const greedy = await timed(100);
    const modest = await timed(10);
    expect(greedy.share).toBeGreaterThan(modest.share);
    // One second's share may be used at the start.
    expect(modest.share).toBeLessThan(0.5);
  });
});
