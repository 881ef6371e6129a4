import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock, type Load } from '../../../../src/probes/drivers/v8/node/agent/clock.ts';
import { Pace, type PaceClock } from '../../../../src/probes/drivers/v8/node/agent/pace.ts';

/** Time advances with work and sleep. */
class FakeClock implements PaceClock {
  time = 0;
  worked = 0;
  heap = 0;
  busy = 0;
  readonly sleeps: number[] = [];
  turns = 0;

  now = () => this.time;
  cpu = () => this.worked;
  heapUsed = () => this.heap;
  heapKept = () => this.heap;
  markLoad = () => {};
  load = () => this.busy;

  work(ms: number): void {
    this.time += ms;
    this.worked += ms;
  }

  async nextTurn(): Promise<void> {
    this.turns++;
  }

  async sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    this.time += ms;
  }
}

const MB = 1024 * 1024;
const BUDGET = { ms: 500, percent: 5, bytes: 1e9, busyWaitMs: 8000 };

function paced(budget = BUDGET) {
  const clock = new FakeClock();
  const pace = new Pace(clock);
  pace.begin(budget);
  return { clock, pace };
}

describe('the pace of the agent', () => {
  it('keeps to its share of the time, once one second of it is used up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0.1, max: 60, noNaN: true }), { maxLength: 100 }),
        fc.integer({ min: 1, max: 99 }),
        async (slices, percent) => {
          const { clock, pace } = paced({ ...BUDGET, percent });
          for (const ms of slices) {
            clock.work(ms);
            await pace.rest();
            expect(clock.worked).toBeLessThanOrEqual(((clock.time + 1000) * percent) / 100 + 1);
          }
        },
      ),
    );
  });

  it('reads a known app in as long again as it takes, and spreads the same work of an unknown one over seconds', async () => {
    const pausesOf = async (percent: number) => {
      const { clock, pace } = paced({ ...BUDGET, percent });
      for (let slice = 0; slice < 40; slice++) {
        clock.work(4);
        await pace.rest();
      }
      return clock.sleeps.reduce((sum, ms) => sum + ms, 0);
    };
    expect(await pausesOf(50)).toBe(160);
    expect(await pausesOf(5)).toBeGreaterThan(2000);
  });

  it('never works back to back, unless it may take all of the time', async () => {
    const { clock, pace } = paced();
    clock.work(4);
    await pace.rest();
    expect(clock.sleeps).toEqual([12]);
    const { clock: free, pace: unbound } = paced({ ...BUDGET, percent: 100 });
    for (let slice = 0; slice < 100; slice++) {
      free.work(50);
      await unbound.rest();
    }
    expect([free.sleeps, free.turns]).toEqual([[], 100]);
  });

  it('ends a slice after some milliseconds', () => {
    const { clock, pace } = paced();
    expect(pace.isSliceOver).toBe(false);
    clock.work(4);
    expect(pace.isSliceOver).toBe(true);
  });

  it('ends a stage at its part of the budget, and all at the whole', async () => {
    const { clock, pace } = paced();
    pace.stage(0.4);
    clock.work(199);
    expect(pace.spentPart).toBeNull();
    clock.work(2);
    expect(pace.spentPart).toBe('time');
    pace.stage(1);
    expect(pace.spentPart).toBeNull();
    await pace.rest();
    clock.work(300);
    expect(pace.spentPart).toBe('time');
    expect(pace.costMs).toBe(501);
    pace.begin(BUDGET);
    expect([pace.spentPart, pace.costMs]).toEqual([null, 0]);
  });

  it('counts neither what other programs do, nor what others are waited for', async () => {
    const { clock, pace } = paced();
    clock.time += 1000;
    expect(pace.costMs).toBe(0);
    clock.work(5);
    await pace.outside(clock.sleep(2000).then(() => clock.work(50)));
    expect(pace.costMs).toBe(5);
  });

  it('ends when it has used its memory, whatever the app lets go meanwhile', async () => {
    const { clock, pace } = paced({ ...BUDGET, bytes: 1000 });
    clock.heap = 600;
    await pace.rest();
    // The app's own garbage was collected meanwhile.
    clock.heap = 100;
    await pace.rest();
    expect(pace.spentPart).toBeNull();
    clock.heap = 500;
    await pace.rest();
    expect(pace.spentPart).toBe('memory');
  });

  it('counts what it keeps, and no garbage', async () => {
    const load = createRequire(import.meta.url) as Load;
    const pace = new Pace(createClock(load));
    pace.begin({ ms: 1e9, percent: 100, bytes: 8 * MB, busyWaitMs: 0 });
    const kept: object[] = [];
    const make = () => Array.from({ length: 1000 }, (_, at) => ({ at }));
    for (let slice = 0; slice < 1000; slice++) {
      make();
      await pace.rest();
    }
    expect(pace.spentPart).toBeNull();
    // More than can be new.
    for (let slice = 0; slice < 2000; slice++) {
      kept.push(make());
      await pace.rest();
    }
    expect([pace.spentPart, kept.length]).toEqual(['memory', 2000]);
  });

  it('leaves some of the memory, as of the time, to the stages that follow', async () => {
    const { clock, pace } = paced({ ...BUDGET, bytes: 1000 });
    pace.stage(0.5);
    clock.heap = 600;
    await pace.rest();
    expect(pace.spentPart).toBe('memory');
    pace.stage(0.8);
    expect(pace.spentPart).toBeNull();
  });

  it('shares among the stages what is left by what had to be done before', () => {
    const { clock, pace } = paced({ ...BUDGET, ms: 100, bytes: 1000 });
    clock.heap = 5000;
    clock.work(60);
    pace.beginStages();
    pace.stage(0.5);
    clock.work(19);
    expect(pace.spentPart).toBeNull();
    clock.work(1);
    expect(pace.spentPart).toBe('time');
  });

  it('waits while the app is busy, but not for ever', async () => {
    const { clock, pace } = paced();
    clock.busy = 0.6;
    clock.work(1);
    await pace.rest();
    const waited = clock.time;
    expect(waited).toBeGreaterThan(5000);
    clock.work(1);
    await pace.rest();
    expect(clock.time - waited).toBeLessThan(1000);
    const { clock: other, pace: hurried } = paced({ ...BUDGET, busyWaitMs: 0 });
    other.busy = 1;
    other.work(1);
    await hurried.rest();
    expect(other.sleeps).toEqual([3]);
    clock.busy = 0.4;
    pace.begin(BUDGET);
    clock.work(1);
    await pace.rest();
    expect(clock.sleeps.at(-1)).toBe(3);
  });
});
