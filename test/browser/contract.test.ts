import { afterAll, beforeAll, describe } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { probeContract } from '../contract/probe-contract.ts';
import { openPage, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import type { Target } from '../support/targets.ts';

describe('Chromium', () => {
  let server: PageServer;
  beforeAll(async () => {
    server = await startPageServer();
  });
  afterAll(() => server.close());

  async function start(): Promise<Target> {
    const chromium = await startChromium();
    await openPage(chromium, `${server.origin}/vue3-pinia/`);
    return {
      pid: chromium.pid,
      info: chromium.info,
      output: () => '',
      exited: new Promise(() => undefined),
      exitCode: () => (chromium.isAlive() ? null : 1),
      write: () => undefined,
    };
  }

  probeContract('Chromium with a Vue page', {
    driver: createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 }),
    start,
    differsByProfile: true,
    known: ['products.items[0].name', 'Teapot'],
    action: { name: 'add_cup', args: {}, changes: 'cart.lines[0].quantity' },
    failingAction: { name: 'focus', args: { selector: '#nothing' }, message: '#nothing' },
  });
});
