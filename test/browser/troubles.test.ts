import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, freePort, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });

describe('a page that failed', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({
      '/empty': `<!doctype html><title>Empty</title><div id="root"></div><script>
        console.error('The app could not start', new Error('no config'));
        document.getElementById('root').mount();
      </script>`,
      '/orders': `<!doctype html><title>Orders</title><h1>Orders</h1><script>
        fetch('/missing?token=abc'); fetch('/gone');
      </script><button onclick="cart.items.push(1)">Add</button><button onclick="Promise.reject(new Error('no stock'))">Order</button>`,
      '/fine': '<!doctype html><title>Fine</title><h1>Fine</h1>',
    });
    chromium = await startChromium();
  });
  afterEach(async () => {
    await app.probe.detach();
    await page.close();
  });
  afterAll(async () => {
    await endAll();
    await pages.close();
  });

  async function open(path: string): Promise<void> {
    page = await openPage(chromium, `${pages.origin}${path}`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
  }

  it('says that it shows nothing, and what the console has of it', async () => {
    await open('/empty');
    expect(await app.until('the reason', (state) => state['page.blank'] === true)).toMatchObject({
      'page.errors': 2,
      'page.error': 'The app could not start Error: no config',
    });
    await app.invoke('navigate', { url: `${pages.origin}/fine` });
    const state = await app.read();
    expect(state['page.heading']).toBe('Fine');
    expect(Object.keys(state).filter((key) => /^page\.(?:blank|error|failed)/.test(key))).toEqual([]);
  });

  it('counts the requests that failed, without what they asked for', async () => {
    await open('/orders');
    const state = await app.until('both', (now) => now['page.failed_requests'] === 2);
    expect(state['page.failed_request']).toMatch(/^404 \(Not Found\) http:\/\/127\.0\.0\.1:\d+\/(?:missing|gone)$/);
    expect(state['page.heading']).toBe('Orders');
  });

  it('counts what its scripts throw, also later', async () => {
    await open('/orders');
    expect(app.state['page.errors']).toBeUndefined();
    await app.invoke('add');
    expect(await app.until('the error', (state) => state['page.errors'] === 1)).toMatchObject({
      'page.error': 'Uncaught ReferenceError: cart is not defined',
    });
    await app.invoke('order');
    await app.until('the other error', (state) => state['page.errors'] === 2);
  });

  it('says which address could not be loaded, and why', async () => {
    await open('/fine');
    const gone = `http://127.0.0.1:${await freePort()}/`;
    expect(await app.invoke('navigate', { url: gone })).toMatchObject({ ok: false });
    expect(await app.read()).toMatchObject({ 'page.problem': `${gone}: ERR_CONNECTION_REFUSED` });
    await app.invoke('navigate', { url: `${pages.origin}/fine` });
    const state = await app.read();
    expect(state['page.heading']).toBe('Fine');
    expect(state['page.problem']).toBeUndefined();
  });
});
