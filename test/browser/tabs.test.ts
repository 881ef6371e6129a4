import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ActivePage } from '../../src/probes/drivers/v8/browser/active-page.ts';
import { BrowserProbe } from '../../src/probes/drivers/v8/browser/browser-probe.ts';
import type { PageTarget } from '../../src/probes/drivers/v8/browser/targets.ts';
import type { CdpSession } from '../../src/probes/drivers/v8/cdp/cdp-session.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });

/** Queries of a page go through `send`. */
function through(page: PageTarget, send: (session: CdpSession) => CdpSession['send']): PageTarget {
  const attach = async (): Promise<CdpSession> => {
    const session = await page.attach();
    const { closed } = session;
    return { send: send(session), on: session.on.bind(session), child: session.child.bind(session), closed };
  };
  return { ...page, attach };
}

/** Its document is replaced just before it reports whether it is in front. */
function reloadedWhenAsked(page: PageTarget): PageTarget {
  let isReloaded = false;
  return through(page, (session) => async (method, params, timeoutMs) => {
    const ask = () => session.send(method, params, timeoutMs);
    if (method !== 'Runtime.evaluate' || isReloaded) return ask();
    isReloaded = true;
    await session.send('Page.reload');
    await until('its document to go', () => ask().then(() => false, () => true)); // biome-ignore format: short
    return ask();
  });
}

/** It is visible, too, but not focused. */
function inAnotherWindow(page: PageTarget): PageTarget {
  return through(
    page,
    (session) => async (method, params, timeoutMs) =>
      method === 'Runtime.evaluate' ? { result: { value: [true, false] } } : session.send(method, params, timeoutMs),
  );
}

describe('the tabs of a browser', () => {
  let server: PageServer;
  let chromium: Chromium;
  let app: ProbedApp;

  beforeAll(async () => {
    server = await startPageServer();
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await app.probe.detach();
    await endAll();
  });

  async function browse(...pages: string[]): Promise<void> {
    chromium = await startChromium({ args: ['--site-per-process'], url: `${server.origin}/${pages[0]}` });
    for (const page of pages.slice(1)) await openPage(chromium, `${server.origin}/${page}`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
  }
  const tabs = () => Number(app.state['tabs.length']);
  const idOf = (title: string) => {
    for (let at = 0; at < tabs(); at++)
      if (app.state[`tabs[${at}].title`] === title) return app.state[`tabs[${at}].id`];
    throw new Error(`no tab ${title}`);
  };
  const active = () => {
    const found = [...Array(tabs()).keys()].filter((at) => app.state[`tabs[${at}].active`] === true);
    return found.map((at) => app.state[`tabs[${at}].title`]);
  };

  it('are all listed, and the state is that of the one in front', async () => {
    await browse('plain/', 'vue3-pinia/');
    expect(tabs()).toBe(2);
    expect(active()).toEqual([app.capture?.context.window_title]);
    expect(app.state).toMatchObject({ 'cart.total': 12 });
    expect(app.state).not.toHaveProperty('orderStatus');
    expect(app.capture?.context.window_id).toBe(idOf(String(active()[0])));
  });

  it('stay the active one while another document comes into their place', async () => {
    await browse('plain/', 'vue3-pinia/');
    const { targets } = z.instanceof(BrowserProbe).parse(app.probe);
    const pages = await targets.list();
    const active = new ActivePage();
    const chosen = await active.choose(pages, null, async () => undefined);
    const navigating = pages.map((page) => (page.id === chosen?.id ? reloadedWhenAsked(page) : inAnotherWindow(page)));
    const again = await active.choose(navigating, { visible: false, focused: false }, async () => undefined);
    expect(again?.id).toBe(chosen?.id);
  });

  it('can be brought to the front, opened and closed', async () => {
    await browse('plain/', 'vue3-pinia/');
    expect((await app.invoke('activate_tab', { id: idOf('Order 1001') })).ok).toBe(true);
    await app.until('the other page', (state) => state.orderStatus === 'open');
    expect(active()).toEqual(['Order 1001']);
    expect(app.state).not.toHaveProperty('cart.total');

    expect((await app.invoke('open_tab', { url: `${server.origin}/spa-routes/` })).ok).toBe(true);
    await app.until('three tabs', () => tabs() === 3 && active()[0] !== 'Order 1001');

    await app.invoke('close_tab', { id: app.capture?.context.window_id });
    await app.until('two tabs', () => tabs() === 2);
    expect(active()).toHaveLength(1);
    expect(app.schema('close_tab').reversibility).toBe('irreversible_write');
    expect(app.schema('activate_tab').reversibility).toBe('reversible_write');
  });

  it('refuses what is no tab and no address, before anything happens', async () => {
    await browse('plain/');
    await expect(app.invoke('activate_tab', { id: 'nope' })).rejects.toThrow('names no tab');
    await expect(app.invoke('open_tab', { url: 'javascript:alert(1)' })).rejects.toThrow('no http or https');
    expect(tabs()).toBe(1);
  });

  it('keep their names apart, though minified ones are alike', async () => {
    await browse('svelte/');
    expect(app.state).toMatchObject({ likes: 5 });
    await app.invoke('navigate', { url: `${server.origin}/vue3-setup/` });
    await app.until('the other page', (state) => state.room === 'Blue' && state.total === 190);
    expect(app.state).not.toHaveProperty('likes');
  });

  it('get no action that was meant for another page', async () => {
    await browse('plain/', 'hostile/?case=loop');
    await app.invoke('activate_tab', { id: idOf('Order 1001') });
    await app.until('the first page', (state) => state.orderStatus === 'open');
    const ship = app.actions.get('ship_order')?.binding ?? '';
    const busy = (await (await fetch(`http://127.0.0.1:${chromium.debugPort}/json/list`)).json()) as {
      id: string;
      title: string;
    }[];
    const loop = busy.find(({ title }) => title.includes('loop'))?.id;
    await fetch(`http://127.0.0.1:${chromium.debugPort}/json/activate/${loop}`);
    const capture = app.read().catch(() => undefined);
    // While the other page is being read, the known actions are those of this one.
    await app.probe.invoke(ship, {}, AbortSignal.timeout(25_000)).catch(() => undefined);
    await capture;
    await app.until('the other page', (state) => state['victim.plan'] === 'gold');
    expect(app.state['victim.seats']).toBe(5);
    await expect(app.probe.invoke(ship, {}, AbortSignal.timeout(25_000))).rejects.toThrow('does not have this action');
  });

  it('are read from the first one on, be it empty', async () => {
    chromium = await startChromium();
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
    await app.read('deep');
    expect(app.state).toMatchObject({ 'tabs.length': 1, 'tabs[0].url': 'about:blank' });
  });

  it('show no state of the page that says that a page could not be loaded', async () => {
    await browse('plain/');
    await app.invoke('navigate', { url: 'http://127.0.0.1:1/' });
    await app.until('the failure', (state) => !('orderStatus' in state));
    expect(Object.keys(app.state).filter((key) => !key.startsWith('tabs'))).toEqual(['page.problem']);
    await app.invoke('navigate', { url: `${server.origin}/plain/` });
    await app.until('the page again', (state) => state.orderStatus === 'open');
  });

  it('follows a person who changes the tab', async () => {
    await browse('plain/', 'vue3-pinia/');
    const id = idOf('Order 1001');
    await fetch(`http://127.0.0.1:${chromium.debugPort}/json/activate/${id}`);
    await app.until('the other page', (state) => state.orderStatus === 'open');
  });

  it('may be fifty', async () => {
    await browse('plain/');
    await Promise.all(Array.from({ length: 49 }, () => openPage(chromium, 'about:blank')));
    await app.until('fifty tabs', () => tabs() === 50);
    expect(active()).toHaveLength(1);
  });

  it('show frames of the same site and of another', async () => {
    await browse('plain/');
    await app.until('the frame', (state) => Object.keys(state).some((key) => key.startsWith('frames.')));
    await app.invoke('navigate', { url: `${server.origin}/oopif/` });
    await app.until('the frame of the other site', (state) => state['frames.payment.payment.amount'] === 30.5);
    expect(app.state).toMatchObject({ 'checkout.step': 1, 'frames.payment.page.heading': 'Payment' });
    expect(JSON.stringify(app.state)).not.toContain('4242424242424242');

    expect((await app.invoke('next_step')).ok).toBe(true);
    await app.until('the next step', (state) => state['checkout.step'] === 2);
  });

  it('show what a click inside a frame of another site does', async () => {
    await browse('oopif/');
    await app.until('the frame of the other site', (state) => state['frames.payment.payment.attempts'] === 0);
    const pay = [...app.actions.keys()].find((name) => name.includes('pay'));
    expect(pay).toBeDefined();
    expect((await app.invoke(String(pay))).ok).toBe(true);
    await app.until('an attempt', (state) => state['frames.payment.payment.attempts'] === 1);
  });
});
