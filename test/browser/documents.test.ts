import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const FLOWS = Array.from({ length: 2500 }, (_, id) => ({
  id: `node-${id}`,
  type: 'inject',
  name: `node number ${id} of the flow`,
  wires: [[`wire-${id}`]],
  props: { p: 'payload', on: true, description: 'what a node of this kind has to say for itself' },
}));
/** Its leftovers in the heap make each heap scan long. */
const HEAVY = `<!doctype html><title>Heavy</title><h1>Heavy</h1><script>
  const rows = Array.from({ length: 40000 }, (_, id) => ({ id, tags: ['tea ' + id], read: () => id }));
  for (const { id, read } of rows.slice(0, 3000)) document.addEventListener('row' + id, read);
</script>`;

describe('documents that are no apps', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({
      '/flows': { type: 'application/json', body: JSON.stringify(FLOWS) },
      '/settings': { type: 'application/vnd.api+json', body: '{"theme":"dark","limits":{"rows":12}}' },
      '/number': { type: 'application/json', body: '42' },
      '/broken': { type: 'application/json', body: '{"theme":' },
      '/notes': { type: 'text/plain', body: 'Milk\nTea' },
      '/slow': { type: 'application/json', body: '{"theme":"dark"}', halves: true, delayMs: 1500 },
      '/heavy': HEAVY,
      '/idle': '<!doctype html><title>Idle</title><script>void 0</script><p>Nothing here</p>',
      '/still': '<!doctype html><title>Still</title><h1>No script</h1><p>Total: 12</p>',
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
  }

  it('reads JSON as what it holds', async () => {
    await open('/settings');
    expect(await app.read('deep')).toMatchObject({ 'document.theme': 'dark', 'document.limits.rows': 12 });
    expect(app.capture).toMatchObject({ suggestsHeapScan: false, tier: 'aso_fast', coverage: 1 });
  });

  it('reads a text as a text, also one that only says that it is JSON', async () => {
    await open('/notes');
    expect(await app.read()).toMatchObject({ 'document.text': 'Milk\nTea' });
    await app.invoke('navigate', { url: `${pages.origin}/broken` });
    await app.until('the other text', (state) => state['document.text'] === '{"theme":');
    await app.invoke('navigate', { url: `${pages.origin}/number` });
    await app.until('the number', (state) => state['document.value'] === 42);
  });

  it('reads what comes slowly when all of it is there', async () => {
    await open('/still');
    await app.read();
    await page.evaluate(`void setTimeout(() => { location.href = '/slow' })`);
    await app.until('the data', (state) => state['document.theme'] === 'dark');
    expect(app.state['document.text']).toBeUndefined();
  });

  it('never takes the page away, however much a page before it left in the heap', async () => {
    await open('/heavy');
    await app.read('deep');
    await app.invoke('navigate', { url: `${pages.origin}/flows` });
    const startedAt = performance.now();
    const state = await app.read('deep');
    await app.read('deep');
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    expect(state).toMatchObject({ 'document.length': 2500, 'document[2499].id': 'node-2499' });
    expect(app.capture?.tier).toBe('aso_fast');
  });

  it('looks through the heap for a page with scripts, but not for long', async () => {
    await open('/heavy');
    await app.read('deep');
    await app.invoke('navigate', { url: `${pages.origin}/idle` });
    // Without a limit this would take longer than anybody waits for a capture.
    await app.read('deep');
    expect(app.capture?.tier).toBe('heap_snapshot');
    expect(await page.evaluate('document.title')).toBe('Idle');
  });

  it('does not look through the heap where no script ran', async () => {
    await open('/still');
    expect(await app.read('deep')).toMatchObject({ 'page.heading': 'No script', 'text.total': 12 });
    expect(app.capture).toMatchObject({ suggestsHeapScan: false, tier: 'aso_fast' });
    await app.invoke('navigate', { url: 'about:blank' });
    await app.read('deep');
    expect(app.capture).toMatchObject({ suggestsHeapScan: false, tier: 'aso_fast' });
  });

  it('gives the look up when the page is left', async () => {
    await open('/heavy');
    await app.read('deep');
    await app.invoke('navigate', { url: `${pages.origin}/idle` });
    const looked = app.read('deep').catch(() => null);
    await app.probe.invoke('page|navigate', { url: `${pages.origin}/settings` }, AbortSignal.timeout(20_000));
    await looked;
    const startedAt = performance.now();
    await app.until('the other document', (state) => state['document.theme'] === 'dark');
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});
