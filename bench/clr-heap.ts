/** The cost of a heap scan, which forces a full collection. */
import type { ProbeDriver } from '../src/probes/probe.ts';
import { attach, full } from '../test/contract/probe-contract.ts';
import { summary, type Timing } from './shared/stats.ts';
import type { TightTarget } from './shared/tight-target.ts';

const ROUNDS = 5;

export interface HeapFigures {
  /** The difference between first captures with and without a heap scan. */
  readonly look: Timing;
  /** Longest pause of the program meanwhile. */
  readonly pauseMs: number;
}

export async function measureHeapLook(target: TightTarget, driver: ProbeDriver): Promise<HeapFigures> {
  const times: number[] = [];
  let longest = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const probe = await attach(driver, target);
    await probe.capture(full());
    const began = performance.now();
    const { pauseMs } = await target.pauseDuring(() => probe.capture({ ...full(), depth: 'deep' }));
    const deep = performance.now() - began;
    const again = performance.now();
    await probe.capture(full());
    times.push(deep - (performance.now() - again));
    longest = Math.max(longest, pauseMs);
    await probe.detach();
  }
  return { look: summary(times), pauseMs: longest };
}
