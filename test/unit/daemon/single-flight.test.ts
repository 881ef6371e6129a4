import { describe, expect, it } from 'vitest';
import { SingleFlight } from '../../../src/daemon/single-flight.ts';

/** Work that ends when the test ends it, and counts how much of it runs at once. */
function manualWork() {
  const runs: { resolve(): void; reject(error: Error): void }[] = [];
  let running = 0;
  const state = { runs, mostAtOnce: 0, started: 0 };
  const work = async () => {
    const number = ++state.started;
    state.mostAtOnce = Math.max(state.mostAtOnce, ++running);
    try {
      await new Promise<void>((resolve, reject) => runs.push({ resolve, reject }));
      return number;
    } finally {
      running--;
    }
  };
  return Object.assign(state, { flight: new SingleFlight(work) });
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('SingleFlight', () => {
  it('lets all who join share the run under way', async () => {
    const { flight, runs } = manualWork();
    const all = [flight.join(), flight.join(), flight.join()];
    runs[0]?.resolve();
    expect(await Promise.all(all)).toEqual([1, 1, 1]);
  });

  it('starts a new run for who asks when the last one is over', async () => {
    const { flight, runs } = manualWork();
    const first = flight.join();
    runs[0]?.resolve();
    await first;
    const second = flight.join();
    runs[1]?.resolve();
    expect(await second).toBe(2);
  });

  it('gives fresh a run that begins after the call, shared with all who ask meanwhile', async () => {
    const state = manualWork();
    const { flight, runs } = state;
    const joined = flight.join();
    const fresh = [flight.fresh(), flight.fresh()];
    await turn();
    expect(state.started).toBe(1);
    runs[0]?.resolve();
    expect(await joined).toBe(1);
    await turn();
    runs[1]?.resolve();
    expect(await Promise.all(fresh)).toEqual([2, 2]);
  });

  it('starts at once for fresh when nothing runs', async () => {
    const { flight, runs } = manualWork();
    const fresh = flight.fresh();
    runs[0]?.resolve();
    expect(await fresh).toBe(1);
  });

  it('makes fresh wait again when the waiting run has already begun', async () => {
    const { flight, runs } = manualWork();
    const first = flight.fresh();
    const second = flight.fresh();
    runs[0]?.resolve();
    await first;
    await turn();
    const third = flight.fresh();
    runs[1]?.resolve();
    expect(await second).toBe(2);
    await turn();
    runs[2]?.resolve();
    expect(await third).toBe(3);
  });

  it('fails only those who waited for the run that failed', async () => {
    const { flight, runs } = manualWork();
    const joined = flight.join();
    const fresh = flight.fresh();
    runs[0]?.reject(new Error('lost'));
    await expect(joined).rejects.toThrow('lost');
    await turn();
    runs[1]?.resolve();
    expect(await fresh).toBe(2);
    const next = flight.join();
    runs[2]?.resolve();
    expect(await next).toBe(3);
  });

  it('never runs two at once, whatever is asked', async () => {
    const state = manualWork();
    const asked: Promise<number>[] = [];
    for (let round = 0; round < 40; round++) {
      asked.push(round % 3 === 0 ? state.flight.fresh() : state.flight.join());
      if (round % 4 === 3) {
        state.runs.at(-1)?.resolve();
        await turn();
      }
    }
    for (let round = 0; round < 40; round++) {
      state.runs.at(-1)?.resolve();
      await turn();
    }
    await Promise.all(asked);
    expect(state.mostAtOnce).toBe(1);
  });

  it('turns work that throws at once into a rejection', async () => {
    const flight = new SingleFlight<number>(() => {
      throw new Error('at once');
    });
    await expect(flight.join()).rejects.toThrow('at once');
    await expect(flight.fresh()).rejects.toThrow('at once');
  });
});
