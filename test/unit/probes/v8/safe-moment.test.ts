import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../../src/host/host.ts';
import { isSafe, MomentWatch, type WatchedWait } from '../../../../src/probes/drivers/v8/node/safe-moment.ts';
import { endAll, start, until } from '../../../support/real-processes.ts';
import { processInfo } from '../../../support/targets.ts';

const WAIT: WatchedWait = { forMs: null, seenMs: 6, ageMs: null, processAgeMs: 60_000, watchedMs: 6, waits: 500 };

describe('a moment', () => {
  it.each<[string, Partial<WatchedWait>]>([
    ['a wait without end', {}],
    ['a long wait that was seen to begin', { forMs: 400, ageMs: 10 }],
    ['the long wait of a server', { forMs: 30_000 }],
    ['a wait that is longer than the process is old', { forMs: 2000, processAgeMs: 500 }],
    ['a wait of unknown length that has lasted', { forMs: 'unknown', seenMs: 60 }],
    ['a short wait of a program that never rests', { forMs: 16, seenMs: 0, ageMs: 5, watchedMs: 1500 }],
    ['a tick of a program that never rests', { forMs: 20, seenMs: 0, ageMs: 40, watchedMs: 1500 }],
    ['a short wait of an old program that has waited often', { forMs: 16, seenMs: 0, ageMs: null, waits: 1200 }],
    ['a wait that others soon end, of a program that never rests', { seenMs: 0, ageMs: 5, watchedMs: 1500 }],
  ])('is safe: %s', (_, wait) => {
    expect(isSafe({ ...WAIT, ...wait })).toBe(true);
  });

  it.each<[string, Partial<WatchedWait>]>([
    ['only seen once', { seenMs: 0 }],
    ['a short wait', { forMs: 40, ageMs: 1 }],
    ['a short wait of a young program that has waited often', { forMs: 40, processAgeMs: 9000, waits: 90_000 }],
    ['a wait that nobody saw begin', { forMs: 400 }],
    ['the same of an old program that has waited often', { forMs: 400, waits: 90_000 }],
    ['a wait that is nearly over', { forMs: 400, ageMs: 380 }],
    ['the only wait of a script, nearly over', { forMs: 2000, processAgeMs: 1990 }],
    ['the only wait of a script, which has taken a while to start', { forMs: 2000, processAgeMs: 2300 }],
    ['a wait of unknown length that has just begun', { forMs: 'unknown', seenMs: 6 }],
    ['the end of a longer wait of a program that never rests', { forMs: 400, ageMs: 390, watchedMs: 1500 }],
  ])('is not safe: %s', (_, wait) => {
    expect(isSafe({ ...WAIT, ...wait })).toBe(false);
  });

  it('is never safe at the known end of a wait, except of one that is as short as a tick', () => {
    const time = fc.double({ min: 0, max: 100_000, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 51, max: 100_000 }),
        time,
        time,
        time,
        fc.nat(),
        (forMs, seenMs, moreMs, watchedMs, waits) => {
          expect(isSafe({ forMs, ageMs: forMs, seenMs, processAgeMs: forMs + moreMs, watchedMs, waits })).toBe(false);
        },
      ),
    );
  });
});

describe.runIf(process.platform === 'linux')('the watch of a real program', () => {
  const { inspector } = createHost();
  afterEach(endAll);
  const watch = async (code: string, inspect = inspector) => {
    const { pid, child } = start(process.execPath, ['-e', `console.log('ready'); ${code}`]);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const info = await processInfo(pid);
    return new MomentWatch(info, inspect, ['epoll']);
  };

  it('finds the moment of one that waits, and tells when it has passed', async () => {
    const waiting = await watch('require("net").createServer().listen(0)');
    const moment = await until('the moment', () => waiting.look());
    expect(waiting.look()).toBe(moment);
    const ticking = await watch('setInterval(() => {}, 40)');
    const first = await until('a moment', () => ticking.look());
    expect(await until('the next one', () => [ticking.look()].find((found) => found !== first))).not.toBe(first);
  });

  it('finds none in one that computes, or whose main thread waits for something else', async () => {
    const watches = await Promise.all([
      watch('for (;;);'),
      watch('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
    ]);
    let looks = 0;
    await until('many looks', () => {
      for (const one of watches) expect(one.look()).toBeNull();
      return ++looks === 150;
    });
  });

  it('says when nothing can be seen from outside', async () => {
    const blind = Object.assign(createHost().inspector, { mainThreadWait: () => null });
    expect((await watch('for (;;);', blind)).look()).toBe('unknown');
  });
});
