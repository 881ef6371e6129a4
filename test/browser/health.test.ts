import { afterAll, expect, it } from 'vitest';
import { AppTrace } from '../../src/daemon/app-trace.ts';
import { createHost } from '../../src/host/host.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { startChromium } from '../support/chromium.ts';
import { endAll } from '../support/real-processes.ts';

const PAGE = `<title>Shop</title><script>
  window.store = {
    getState() { throw new Error('alice'); },
    dispatch() {}, replaceReducer() {}, subscribe() { return () => {}; },
  };
</script><h1>Shop</h1>`;

afterAll(endAll);

it('counts what the agents in a page drop, by place, and reports each message, neither with a value', async () => {
  const { info } = await startChromium({ url: `data:text/html,${encodeURIComponent(PAGE)}` });
  const { inspector, signal } = createHost();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const trace = new AppTrace({ pid: info.pid, appId: 'chromium', log });
  const attach = trace.begin('attach');
  const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });
  const abort = new AbortController().signal;
  const tools = { inspect: inspector, signal, log, trace, hints: {}, maxKeys: 1000, budget: AMPLE, abort };
  const probe = await driver.attach(info, tools);
  await probe.capture(full());
  attach.end();
  // The store that throws, and web storage, which is forbidden in a page without a site.
  expect(probe.health?.().discarded).toMatchObject({
    'Safe.ask': expect.any(Number),
    'WebStorage.open': expect.any(Number),
  });
  const { steps } = trace.read(0);
  expect(steps).toContainEqual(
    expect.objectContaining({ step: 'Runtime.callFunctionOn', depth: 1, received: expect.any(Number) }),
  );
  expect(JSON.stringify([steps, probe.health?.()])).not.toContain('alice');
  await probe.detach();
});
