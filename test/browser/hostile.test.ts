import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OWN_NETWORK } from '../../src/host/own-network.ts';
import { CdpConnection } from '../../src/probes/drivers/v8/cdp/cdp-connection.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { BlockedError } from '../../src/probes/probe.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });

describe('pages that make an observer’s life hard', () => {
  let server: PageServer;
  let chromium: Chromium;
  let app: ProbedApp;
  let page: Page;

  beforeAll(async () => {
    server = await startPageServer();
    chromium = await startChromium();
    app = await ProbedApp.attach(driver, chromium.info);
  });
  afterAll(async () => {
    await app.probe.detach();
    await endAll();
    await server.close();
  });

  /** Resolves when its tab is in front, and its state has arrived. */
  async function open(name: string): Promise<void> {
    page = await openPage(chromium, `${server.origin}/hostile/?case=${name}`);
    await app.until(`the page ${name}`, (state) => state['page.heading'] === name);
  }
  const ordinary = {
    'victim.plan': 'gold',
    'victim.seats': 5,
    'victim.users.length': 2,
    'victim.users[0].name': 'Ada',
    'victim.users[1].name': 'Grace',
  };

  it.each(['throwing-getter', 'tojson', 'huge-string', 'big-dom', 'deep', 'many-keys', 'override-json'])(
    'reads a page with %s, and what changes in it',
    async (name) => {
      await open(name);
      await app.until('its objects', (state) => state['victim.plan'] !== undefined);
      expect(app.state).toMatchObject(ordinary);
      expect((await app.invoke('go')).ok).toBe(true);
      await app.until('the change', (state) => state['victim.seats'] === 6);
      expect(app.capture?.leaves.kind).not.toBe('full');
      await page.close();
    },
  );

  it('runs no getter and calls no toJSON', async () => {
    await open('throwing-getter');
    expect(app.state).not.toHaveProperty('victim.balance');
    expect(await page.evaluate('window.getterCalls')).toBe(0);
    await page.close();
    await open('tojson');
    expect(await page.evaluate('window.toJsonCalls')).toBe(0);
    await page.close();
  });

  it('runs no trap of a Proxy', async () => {
    await open('proxy');
    expect(app.state).toMatchObject({ ...ordinary, 'victim.proxied': '[Proxy]', 'victim.list': '[Proxy]' });
    expect(await page.evaluate('window.trapCalls')).toBe(0);
    await page.close();
  });

  it('shows cycles as references, once', async () => {
    await open('cyclic');
    expect(app.state).toMatchObject({
      'victim.parent.name': 'parent',
      'victim.parent.children.length': 2,
      'victim.parent.children[0].name': 'child',
    });
    expect(String(app.state['victim.parent.self'])).toBe('[ref] victim.parent');
    await page.close();
  });

  it('takes names such as __proto__ for names', async () => {
    await open('proto-key');
    expect(app.state).toMatchObject({ 'victim.parsed.name': 'Ada', 'victim.list[0].__proto__': 7 });
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    await page.close();
  });

  it.each(['override-map', 'override-object'])(
    'never shows a wrong value where a page replaced built-ins (%s)',
    async (name) => {
      await open(name);
      const shown = Object.entries(ordinary).filter(([key]) => key in app.state);
      for (const [key, value] of shown) expect(app.state[key]).toBe(value);
      expect(await page.evaluate('window.overrideCalls')).toBe(0);
      // The visible content is read in any case.
      expect((await app.invoke('go')).ok).toBe(true);
      await app.until('what the click says', (state) =>
        Object.values(state).includes(`${name === 'override-map' ? 'Map' : 'Object'} is gone`),
      );
      await page.close();
    },
  );

  it('shows a dialog, keeps the state, and answers it', async () => {
    await open('confirm');
    const { binding = '' } = app.actions.get('go') ?? {};
    const outcome = await app.invoke('go');
    expect(outcome.message).toContain('A dialog opened (confirm: Delete everything?)');
    await app.read();
    expect(app.state).toMatchObject({ ...ordinary, 'dialog.type': 'confirm', 'dialog.message': 'Delete everything?' });
    const blocked = 'A dialog is open (confirm: "Delete everything?"): accept_dialog or dismiss_dialog comes first.';
    expect(app.capture?.blockedBy).toBe(blocked);
    const there = ['activate_tab', 'open_tab', 'close_tab', 'accept_dialog', 'dismiss_dialog'];
    expect([...app.actions.keys()]).toEqual(there);
    await expect(app.probe.invoke(binding, {}, AbortSignal.timeout(5000))).rejects.toThrow(new BlockedError(blocked));
    expect(app.schema('accept_dialog').reversibility).toBe('irreversible_write');
    await app.invoke('dismiss_dialog');
    await app.until('the answer', (state) => Object.values(state).includes('answer false'));
    expect(app.state).not.toHaveProperty('dialog.type');
    expect(app.state['victim.seats']).toBe(6);
    await page.close();
  });

  it('answers a prompt', async () => {
    await open('prompt');
    await app.invoke('go');
    await app.read();
    expect(app.state).toMatchObject({ 'dialog.message': 'Your name?', 'dialog.offered': 'Anonymous' });
    await app.invoke('accept_dialog', { text: 'Ada' });
    await app.until('the answer', (state) => Object.values(state).includes('answer Ada'));
    await page.close();
  });

  it('does not hang at beforeunload', async () => {
    await open('beforeunload');
    // Only a page that was used may ask.
    await app.invoke('click', { x: 5, y: 5 });
    const navigation = app.invoke('navigate', { url: `${server.origin}/plain/` });
    await app.until('the dialog', (state) => state['dialog.type'] === 'beforeunload');
    await app.invoke('accept_dialog');
    await navigation.catch(() => undefined);
    await app.until('the next page', (state) => state.orderStatus === 'open');
    await page.close();
  });

  it('reports a page whose script never ends, harms nothing, and reads the others', async () => {
    await open('loop');
    void app.invoke('go').catch(() => undefined);
    await until('the page to be busy', async () => {
      const problem = await app.read().then(
        () => '',
        (error: Error) => error.message,
      );
      return problem.includes('does not answer');
    });
    const other = await openPage(chromium, `${server.origin}/vue3-pinia/`);
    await app.until('the other page', (state) => state['cart.total'] === 12);
    await page.close();
    await other.close();
  });

  it('says that a page crashed, and reads it again after a reload', async () => {
    await open('alert');
    const debug = await CdpConnection.open(OWN_NETWORK, page.webSocketUrl, 5000);
    void debug.send('Page.crash').catch(() => undefined);
    await until('the crash', async () => {
      const problem = await app.read().then(
        () => '',
        (error: Error) => error.message,
      );
      return problem.includes('crashed');
    });
    await debug.close();
    await app.invoke('navigate', { url: `${server.origin}/hostile/?case=confirm` });
    await app.until('the page again', (state) => state['victim.plan'] === 'gold');
    await page.close();
  });

  it('follows navigations during captures', async () => {
    await open('alert');
    let isOver = false;
    const captures = (async () => {
      while (!isOver) await app.read().catch(() => undefined);
    })();
    for (const target of ['plain/', 'vue3-pinia/', 'react-rtk/', 'plain/', 'vue3-pinia/'])
      await page.evaluate(`location.href = '/${target}'`).catch(() => undefined);
    isOver = true;
    await captures;
    await app.until('the last page', (state) => state['cart.total'] === 12);
    expect(app.state).not.toHaveProperty('orderStatus');
    await page.close();
  });

  it('reads a page with a form of very many fields, in a frame too', async () => {
    const fields = Array.from({ length: 150 }, (_, at) => `<label>Field ${at}<input></label>`).join('');
    const form = `<form aria-label=Survey>${fields}<button>Send</button></form>`;
    page = await openPage(chromium, `${server.origin}/spa-routes/`);
    await page.evaluate(`(() => { document.body.innerHTML = ${JSON.stringify(`<h1>Many</h1>${form}<iframe name=inner></iframe>`)};
      document.querySelector('iframe').srcdoc = ${JSON.stringify(form)}; })()`);
    await app.until('the form', (state) => state['page.heading'] === 'Many' && state['forms.survey.field_149'] === '');
    expect(app.schema('survey_send').parameters.length).toBeLessThanOrEqual(100);
    const listeners = () => page.evaluate<number>('performance.memory.usedJSHeapSize');
    for (let round = 0; round < 5; round++) await app.read();
    const before = await listeners();
    for (let round = 0; round < 20; round++) await app.read();
    expect(await listeners()).toBeLessThan(before * 2);
    await page.close();
  });

  it('works beside another debugger', async () => {
    await open('alert');
    const other = await ProbedApp.attach(driver, chromium.info);
    expect(await other.read()).toMatchObject(ordinary);
    await page.evaluate('victim.seats = 9');
    expect(await app.read()).toMatchObject({ 'victim.seats': 9 });
    expect(await other.read()).toMatchObject({ 'victim.seats': 9 });
    await other.probe.detach();
    await page.close();
  });
});
