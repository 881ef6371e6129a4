import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { attach, fast, full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { startChromium } from '../support/chromium.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll } from '../support/real-processes.ts';

const ROWS = 60_000;
const PAGE = `<title>Stock</title><script>
  const stock = { name: 'Tea House', rows: Array.from({ length: ${ROWS} }, (_, id) => ({ id, title: 'tea ' + id })) };
</script><h1>Stock</h1>`;
const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

describe('the budget of a probe in a page', () => {
  let chromium: Awaited<ReturnType<typeof startChromium>>;
  beforeAll(async () => {
    chromium = await startChromium({ url: `data:text/html,${encodeURIComponent(PAGE)}` });
  });
  afterAll(endAll);

  async function captureWith(searchMs: number) {
    const probe = await attach(driver, chromium, 200_000, { ...AMPLE, searchMs });
    const reader = new LeafReader();
    const first = await probe.capture(full());
    reader.apply(first.leaves);
    return { probe, reader, first };
  }

  it('is not spent on a state of usual size, and what that took is told', async () => {
    const { probe, reader, first } = await captureWith(AMPLE.searchMs);
    expect(first.stoppedBy).toBeNull();
    // On a busy machine the screen comes first, and the objects with a later capture.
    for (let looks = 0; looks < 5 && Object.keys(reader.state()).length <= 2 * ROWS; looks++)
      reader.apply((await probe.capture(fast())).leaves);
    expect(Object.keys(reader.state()).length).toBeGreaterThan(2 * ROWS);
    const { costMs } = await probe.capture(fast());
    expect(costMs).toBeLessThan(first.costMs ?? 0);
    await probe.detach();
  });

  it('ends the first look in time; what is left is read later, some of it at each', async () => {
    const { probe, reader, first } = await captureWith(50);
    expect(first.stoppedBy).toBe('time');
    expect(first.coverage).toBeLessThan(1);
    const sizes = [Object.keys(reader.state()).length];
    for (let polls = 0; polls < 2000 && (sizes.at(-1) ?? 0) <= 2 * ROWS; polls++) {
      reader.apply((await probe.capture(fast())).leaves);
      sizes.push(Object.keys(reader.state()).length);
    }
    expect(sizes.length).toBeGreaterThan(3);
    expect((await probe.capture(fast())).stoppedBy).toBeNull();
    await probe.detach();
  });
});
