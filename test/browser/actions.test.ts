import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });

describe('actions on pages', () => {
  let server: PageServer;
  let chromium: Chromium;
  let page: Page;
  let app: ProbedApp;

  beforeAll(async () => {
    server = await startPageServer();
    chromium = await startChromium({ args: ['--enable-features=WebMCP'] });
  });
  afterEach(async () => {
    await app.probe.detach();
    await page.close();
  });
  afterAll(async () => {
    await endAll();
    await server.close();
  });

  async function open(path: string): Promise<void> {
    page = await openPage(chromium, `${server.origin}/${path}`);
    app = await ProbedApp.attach(driver, chromium.info);
    await app.read();
  }
  const log = () => page.evaluate<{ action: string; trusted: boolean; value: string | null }[]>('window.actionLog');

  it('has the built-in ones on every page, with their reversibility', async () => {
    await open('csp/');
    const tiers = ['click', 'type', 'navigate', 'clear', 'focus', 'scroll'].map((name) => [
      app.schema(name).signature,
      app.schema(name).reversibility,
    ]);
    expect(tiers).toEqual([
      ['fn(x: number, y: number) -> void', 'reversible_write'],
      ['fn(text: string) -> void', 'reversible_write'],
      ['fn(url: string) -> void', 'reversible_write'],
      ['fn(selector: string) -> void', 'reversible_write'],
      ['fn(selector: string) -> void', 'reversible_read'],
      ['fn(x: number, y: number, deltaY: number) -> void', 'reversible_read'],
    ]);
  });

  it('clicks, types and clears with input that the page trusts, controlled inputs included', async () => {
    await open('actions/');
    const { x, y } = await page.evaluate<{ x: number; y: number }>(
      `(() => { const box = document.querySelector('#refresh').getBoundingClientRect(); return { x: box.x + 5, y: box.y + 5 }; })()`,
    );
    expect((await app.invoke('click', { x, y })).ok).toBe(true);
    expect((await app.invoke('clear', { selector: '[name=nickname]' })).ok).toBe(true);
    expect((await app.invoke('focus', { selector: '[name=nickname]' })).ok).toBe(true);
    expect((await app.invoke('type', { text: 'Grace 🎩' })).ok).toBe(true);
    const events = await log();
    expect(events.every(({ trusted }) => trusted)).toBe(true);
    expect(events.map(({ action, value }) => [action, value])).toEqual(
      expect.arrayContaining([
        ['change nickname', ''],
        ['change nickname', 'Grace 🎩'],
      ]),
    );
    expect(await page.evaluate(`document.querySelector('[name=nickname]').value`)).toBe('Grace 🎩');
    expect(JSON.parse(await page.evaluate<string>(`document.querySelector('#profile').textContent`))).toMatchObject({
      nickname: 'Grace 🎩',
    });
  });

  it('scrolls where it is told to', async () => {
    await open('hostile/?case=big-dom');
    await app.invoke('scroll', { x: 200, y: 200, deltaY: 500 });
    expect(
      await page.evaluate(
        'new Promise((done) => { const look = () => scrollY > 100 ? done(true) : setTimeout(look, 20); look(); })',
      ),
    ).toBe(true);
  });

  it('says plainly what is wrong with a selector, and does nothing', async () => {
    await open('actions/');
    expect(await app.invoke('focus', { selector: '#nope' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/#nope/),
    });
    expect((await app.invoke('clear', { selector: '###' })).ok).toBe(false);
    expect((await app.invoke('clear', { selector: '#refresh' })).ok).toBe(false);
    expect(await app.invoke('not_now')).toMatchObject({ ok: false, message: expect.stringMatching(/disabled/) });
    expect(await log()).toEqual([]);
  });

  it('types key by key, and Enter is a key', async () => {
    await open('third/todomvc-react16/');
    await app.until('the app', (state) => state['components.App.todos.length'] === 0);
    expect((await app.invoke('focus', { selector: '.new-todo' })).ok).toBe(true);
    expect((await app.invoke('type', { text: 'Buy milk\n' })).ok).toBe(true);
    await app.until('the todo', (state) => state['components.App.todos[0].text'] === 'Buy milk');
  });

  it('types only where something has the focus', async () => {
    await open('actions/');
    expect(await app.invoke('type', { text: 'lost' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/focus/),
    });
  });

  it('reaches into shadow trees and frames of the same site', async () => {
    await open('plain/');
    expect((await app.invoke('clear', { selector: 'quantity-picker input' })).ok).toBe(true);
    expect((await app.invoke('type', { text: '9' })).ok).toBe(true);
    expect(
      await page.evaluate(`document.querySelector('quantity-picker').shadowRoot.querySelector('input').value`),
    ).toBe('9');
    expect((await app.invoke('focus', { selector: '#zoom-in' })).ok).toBe(true);
    expect((await app.invoke('zoom_in')).ok).toBe(true);
    await app.until('the frame to follow', (state) =>
      Object.entries(state).some(([key, value]) => key.endsWith('deliveryMap.zoom') && value === 9),
    );
  });

  it('fills in and sends a form as one action, whatever its fields are', async () => {
    await open('plain/');
    const { parameters } = app.schema('save_delivery');
    expect(parameters.map(({ name, type_name }) => [name, type_name])).toEqual([
      ['customer', 'string'],
      ['password', 'string'],
      ['gift_wrap', 'boolean'],
      ['speed', 'string'],
      ['country', 'string'],
      ['priority', 'number'],
      ['delivery_date', 'string'],
      ['comment', 'string'],
    ]);
    expect(parameters.find(({ name }) => name === 'country')?.description).toContain('Germany');
    const outcome = await app.invoke('save_delivery', {
      customer: 'Grace Hopper',
      password: 'new-secret',
      gift_wrap: false,
      speed: 'Express',
      country: 'Germany',
      priority: 7,
      delivery_date: '2026-04-01',
      comment: 'No bell',
    });
    expect(outcome).toMatchObject({ ok: true });
    await app.until('the form to be saved', (state) => state.saveCount === 1);
    expect(app.state).toMatchObject({
      'forms.delivery.customer': 'Grace Hopper',
      'forms.delivery.gift_wrap': false,
      'forms.delivery.speed': 'Express',
      'forms.delivery.country': 'Germany',
      'forms.delivery.priority': 7,
      'forms.delivery.delivery_date': '2026-04-01',
    });
    expect(await page.evaluate(`document.querySelector('[name=password]').value`)).toBe('new-secret');
    expect(JSON.stringify([app.state, outcome])).not.toContain('new-secret');
  });

  it('refuses a choice that is not there', async () => {
    await open('plain/');
    expect(await app.invoke('save_delivery', { country: 'Atlantis' })).toMatchObject({
      ok: false,
      message: expect.stringMatching(/Atlantis|Germany/),
    });
    expect(await app.read()).toMatchObject({ saveCount: 0 });
  });

  it('names alike controls apart, and judges what each can do', async () => {
    await open('actions/');
    expect(app.schema('delete_report_pdf').reversibility).toBe('irreversible_write');
    expect(app.schema('toggle_bold').reversibility).toBe('reversible_write');
    expect((await app.invoke('delete_photo_png')).ok).toBe(true);
    expect((await log()).map(({ action, value }) => `${action} ${value}`).join()).toContain('photo.png');
  });

  it('calls actions of stores', async () => {
    await open('react-rtk/');
    expect((await app.invoke('redux.dispatch', { type: 'inbox/setFilter', payload: 'unread' })).ok).toBe(true);
    await app.read();
    await open('vue3-pinia/');
    expect(app.schema('cart.checkout').reversibility).toBe('irreversible_write');
    expect((await app.invoke('cart.checkout')).ok).toBe(true);
    await app.until('the order', (state) => state['cart.orders'] === 1);
  });

  it('offers the tools that a page registers for agents', async () => {
    await open('webmcp/');
    await app.until('the tools', () => app.actions.has('search_flights'));
    expect(app.schema('search_flights')).toMatchObject({
      signature: 'fn(to: string) -> unknown',
      reversibility: 'reversible_write',
      parameters: [{ name: 'to', type_name: 'string', required: true, description: 'Destination city' }],
    });
    const outcome = await app.invoke('search_flights', { to: 'Oslo' });
    expect(outcome).toMatchObject({ ok: true, message: expect.stringContaining('AF123') });
    await app.until('the page to know', (state) => state.lastSearch === 'Oslo');
  });

  it('navigates, and says why it could not', async () => {
    await open('plain/');
    expect((await app.invoke('navigate', { url: `${server.origin}/vue3-pinia/` })).ok).toBe(true);
    await app.until('the other page', (state) => state['cart.orders'] === 0);
    expect(await app.invoke('navigate', { url: 'http://127.0.0.1:1/' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('ERR_'),
    });
    await expect(app.invoke('navigate', { url: 'javascript:alert(1)' })).rejects.toThrow('are not opened');
    await expect(app.invoke('navigate', { url: 'not a url' })).rejects.toThrow('is no URL');
  });
});
