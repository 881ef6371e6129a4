import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });
const APP = (wait: string) => `<!doctype html><title>Starting</title><main id="app"></main><script>
  ${wait}.then((text) => setTimeout(() => {
    document.title = 'Orders'; document.getElementById('app').innerHTML = '<h1>Orders</h1><p>Total: ' + text + '</p>';
  }, 150));
</script>`;

describe('a page that is loading', () => {
  let chromium: Chromium;
  let pages: InlinePages;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    pages = await serveInline({
      '/start': '<!doctype html><title>Start</title><h1>Start</h1><p id="part">Here</p>',
      '/app': APP(`fetch('/total').then((answer) => answer.text())`),
      '/total': { type: 'text/plain', body: '42', delayMs: 1500 },
      '/moves': '<!doctype html><title>Moves</title><script>location.href = "/app"</script>',
      '/halves': {
        body: `<!doctype html><title>Halves</title><h1>Top</h1>${' '.repeat(4000)}<p>Rest: 1</p>`,
        halves: true,
        delayMs: 2500,
      },
      '/stream': APP(`Promise.resolve(fetch('/never')) && Promise.resolve('7')`),
      '/never': { type: 'text/plain', body: 'late', delayMs: 30_000 },
      '/picture': '<!doctype html><title>Picture</title><h1>Harbour</h1><img src="/never">',
      '/clock':
        '<!doctype html><title>Clock</title><p id="now"></p><script>setInterval(() => { now.textContent = "Time: " + Date.now() }, 20)</script>',
      '/draft': `<!doctype html><title>Draft</title><button>Write</button><script>
        document.querySelector('button').addEventListener('click', () => { onbeforeunload = (event) => event.preventDefault(); });
      </script>`,
      '/alert': '<!doctype html><title>Alert</title><script>alert("Stop")</script>',
    });
    chromium = await startChromium();
    page = await openPage(chromium, `${pages.origin}/start`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
  });
  afterEach(async () => {
    await app.read();
  });
  afterAll(async () => {
    await app.probe.detach();
    await page.close();
    await endAll();
    await pages.close();
  });

  const navigate = (path: string, limitMs?: number) =>
    app.invoke('navigate', { url: `${pages.origin}${path}` }, limitMs);

  it('is waited for by navigate until it is up', async () => {
    expect(app.state['page.loading']).toBeUndefined();
    expect(await navigate('/app')).toMatchObject({ ok: true, message: 'Navigated to "Orders".' });
    expect(await app.read()).toMatchObject({ 'page.heading': 'Orders', 'text.total': 42 });
    expect(app.state['page.loading']).toBeUndefined();
  });

  it('is followed where it leads to another one by itself', async () => {
    expect(await navigate('/moves')).toMatchObject({ ok: true, message: 'Navigated to "Orders".' });
  });

  it('says so while it is not there yet, and when it is', async () => {
    expect(await navigate('/halves', 800)).toMatchObject({
      ok: true,
      message: expect.stringContaining('still loading'),
    });
    expect(await app.read()).toMatchObject({ 'page.loading': true, 'page.heading': 'Top' });
    expect(app.capture?.isLoading).toBe(true);
    await app.until('the rest', (state) => state['text.rest'] === 1 && state['page.loading'] === undefined);
    expect(app.capture?.isLoading).toBe(false);
  });

  it('is not waited for where only a stream stays open, or a clock ticks', async () => {
    const startedAt = performance.now();
    expect(await navigate('/stream')).toMatchObject({ ok: true, message: 'Navigated to "Orders".' });
    expect(await navigate('/clock')).toMatchObject({ ok: true, message: 'Navigated to "Clock".' });
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  it('is there before its pictures are: what still comes is told', async () => {
    expect(await navigate('/picture')).toMatchObject({
      ok: true,
      message: 'Navigated to "Picture". It still loads images, frames or scripts of it (see page.loading).',
    });
    expect(await app.read()).toMatchObject({ 'page.loading': true, 'page.heading': 'Harbour' });
  });

  it('needs no waiting within the same document, nor for an empty one', async () => {
    await navigate('/start');
    const startedAt = performance.now();
    expect(await navigate('/start#part')).toMatchObject({ ok: true, message: 'Navigated to "Start".' });
    expect(await app.invoke('navigate', { url: 'about:blank' })).toMatchObject({ ok: true, message: 'Navigated.' });
    expect(performance.now() - startedAt).toBeLessThan(12_000);
  });

  it('is not waited for behind a dialog', async () => {
    const startedAt = performance.now();
    expect(await navigate('/alert')).toMatchObject({ ok: true });
    expect(performance.now() - startedAt).toBeLessThan(12_000);
    await app.read();
    await app.invoke('dismiss_dialog');
  });

  it('that asks before it is left says so at once, and is left when it is answered', async () => {
    await navigate('/draft');
    await app.read();
    await app.invoke('write');
    const startedAt = performance.now();
    const { ok, message } = await navigate('/start');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(ok).toBe(false);
    expect(message).toMatch(/A dialog opened \(beforeunload.*accept_dialog leaves the page/);
    expect(await app.read()).toMatchObject({ 'dialog.type': 'beforeunload' });
    await app.invoke('dismiss_dialog');
    expect(
      (await app.until('the page', (state) => state['dialog.type'] === undefined))['page.loading'],
    ).toBeUndefined();
    await navigate('/start');
    await app.read();
    await app.invoke('accept_dialog');
    await app.until('the other page', (state) => state['page.heading'] === 'Start');
  });
});
