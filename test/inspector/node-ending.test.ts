/** Node aborts if SIGUSR1 comes while it shuts down: programs that end just when they are attached to. */
import { afterEach, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { attach } from '../contract/probe-contract.ts';
import { endAll } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 0 });
const PROGRAMS = 40;
const AT_ONCE = 4;
/** An attach sends its signal, if at all, within this many milliseconds. */
const SPREAD_MS = 60;

describe('attaching to a Node program that ends', () => {
  afterEach(endAll);

  /** Resolves with its exit code; null if a signal ended it. */
  async function attachWhileItEnds(target: Target, afterMs: number): Promise<number | null> {
    target.write(`${afterMs}\n`);
    const probe = await attach(driver, target).catch(() => null);
    await probe?.detach();
    return target.exited;
  }

  it(`aborts none of ${PROGRAMS} that end by a timer around that moment`, async () => {
    const ends: (number | null)[] = [];
    for (let from = 0; from < PROGRAMS; from += AT_ONCE) {
      const targets = await Promise.all(Array.from({ length: AT_ONCE }, () => startTarget('ends-soon.cjs')));
      for (const [at, target] of targets.entries()) {
        ends.push(await attachWhileItEnds(target, ((from + at) * SPREAD_MS) / PROGRAMS));
      }
    }
    expect(ends).toEqual(Array.from({ length: PROGRAMS }, () => 0));
  });
});
