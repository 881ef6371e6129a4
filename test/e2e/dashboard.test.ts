import fs from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SubstrateState } from '../../src/model/wire.ts';
import { freePort } from '../support/chromium.ts';
import { makeHome, makeKey, RunningDaemon, stopAll } from '../support/daemon.ts';
import { DashboardBrowser, goTo, seriousFaults, sidewaysScroll, smallTargets } from '../support/dashboard.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const VIEWS = ['state', 'actions', 'changes', 'verify', 'charts'] as const;
const MARKUP = '<img src=x onerror=globalThis.ran=1>';

describe('the dashboard', () => {
  let home: string;
  let key: string;
  let port: number;
  let daemon: RunningDaemon;
  let browser: DashboardBrowser;
  let shop: Target;
  let wide: Target;
  let page: Page;

  beforeAll(async () => {
    home = makeHome();
    [shop, wide, browser, { key }, port] = await Promise.all([
      startTarget('shop.cjs'),
      startTarget('wide.cjs', { args: ['100000'] }),
      DashboardBrowser.start(),
      makeKey(home),
      freePort(),
    ]);
    await startDaemon();
    await Promise.all([daemon.state(shop.pid), daemon.state(wide.pid)]);
    page = await browser.open(await daemon.link());
  });
  afterAll(async () => {
    await browser.close();
    await stopAll();
    await endAll();
  });

  /** Always at the same address: the page must find it again after a restart. */
  async function startDaemon(extra: Record<string, string> = {}): Promise<void> {
    daemon = await RunningDaemon.start(home, {
      key,
      env: {
        SUBSTRATE_SERVER__PORT: String(port),
        SUBSTRATE_PROBE__INTERVAL_MS: '250',
        SUBSTRATE_PROBE__MAX_KEYS: '200000',
        SUBSTRATE_RATE_LIMIT__ACTION_PER_SECOND: '1000',
        ...extra,
      },
    });
  }
  const view = (target: Target, name: (typeof VIEWS)[number]) => goTo(page, `#/app/${target.pid}/${name}`);
  const objects = async (target: Target) =>
    (await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}?fresh=true`)).body.objects;
  const result = () => page.getByRole('region', { name: 'Result' });
  const answer = () => page.getByRole('region', { name: 'Answer' });
  /** The row of a key in the tree. */
  const row = (path: string) => page.getByRole('treeitem').filter({ has: page.getByTitle(path, { exact: true }) });
  /** Not through the page, which has to notice it. */
  const addItem = (name: string, price: number) =>
    daemon.post('/substrate/v1/action', {
      pid: shop.pid,
      action: 'cart.addItem',
      parameters: { name, price },
      verify_expression: `cart.items.some(item => item.name === "${name}")`,
    });

  async function chooseAction(name: string): Promise<void> {
    await view(shop, 'actions');
    await page.getByRole('option', { name }).click();
  }

  it('shows nothing without a key, refuses a wrong one, and takes a right one', async () => {
    const stranger = await browser.open(`${daemon.base}/`);
    const field = stranger.getByLabel('API key');
    await field.waitFor();
    expect(await stranger.content()).not.toContain('shop');
    await field.fill('sk_substrate_wrong');
    await stranger.keyboard.press('Enter');
    await stranger.getByRole('alert').filter({ hasText: /key/ }).waitFor();
    await field.fill(key);
    await stranger.getByRole('button', { name: 'Open' }).click();
    await stranger.getByRole('link', { name: new RegExp(`pid ${shop.pid}`) }).waitFor();
    expect(await stranger.evaluate('JSON.stringify(sessionStorage)')).not.toContain(key);
    await stranger.context().close();
  });

  it('lets in with a link once', async () => {
    const link = await daemon.link();
    const first = await browser.open(link);
    await first.getByRole('link', { name: new RegExp(`pid ${shop.pid}`) }).waitFor();
    const second = await browser.open(link);
    await second.getByRole('alert').filter({ hasText: 'was used already' }).waitFor();
    for (const visitor of [first, second]) await visitor.context().close();
  });

  it('runs no script but its own, and such a try is noticed here', async () => {
    const visitor = await browser.open(`${daemon.base}/`);
    await visitor.evaluate(`document.body.append(
      Object.assign(document.createElement('script'), { textContent: 'globalThis.ran = 1' }))`);
    const isNoted = (kind: string) => browser.faults.some((fault) => fault.startsWith(`${kind}:`));
    await until('both notes', () => isNoted('policy') && isNoted('console'));
    expect(await visitor.evaluate('globalThis.ran')).toBeUndefined();
    await visitor.context().close();
    browser.faults.length = 0;
  });

  it('takes the code out of the address, keeps its own key for the tab alone, and lets nothing foreign run', async () => {
    await page.getByRole('link', { name: new RegExp(`pid ${shop.pid}`) }).waitFor();
    expect(page.url()).not.toContain('code');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('sk_');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toMatch(/^{"substrate-key":"sk_dashboard_[\w-]+"}$/);
    const response = await fetch(`${daemon.base}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/script-src 'sha256-[^']+'(?:;|$)/);
    expect(policy).not.toMatch(/unsafe/);
    expect(await response.text()).not.toMatch(/<(?:link|script|img)[^>]+(?:src|href)="(?!data:)/);
    await page.reload();
    await page.getByRole('link', { name: new RegExp(`pid ${shop.pid}`) }).waitFor();
  });

  it('lists apps with their status, and how much changes in them', async () => {
    const app = page.getByRole('link', { name: new RegExp(`pid ${wide.pid}`) });
    await app.getByText('active').waitFor();
    expect(await app.textContent()).toMatch(/100,\d{3} keys/);
    await app.getByRole('img', { name: /^[1-9]\d* changes in the last minute/ }).waitFor();
    await app.click();
    await page.getByRole('heading', { level: 1, name: 'wide' }).waitFor();
  });

  it('says why an app cannot be looked into, and what tells more', async () => {
    // The browser of this test itself: nobody else can attach to it.
    await page
      .getByRole('link', { name: /^Chromium error/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'This app cannot be looked into' }).waitFor();
    await page.getByText('--remote-debugging-port=0').waitFor();
    await page.getByText(/^substrate doctor \d+$/).waitFor();
  });

  it('looks at an app when asked to, and reads only what differs', async () => {
    await view(wide, 'state');
    const [look, diff] = await Promise.all([
      page.waitForResponse(/\/state\/\d+\?fresh=true$/),
      page.waitForResponse(/\/diff\/\d+\?since=/),
      page.getByRole('button', { name: 'Look now' }).click(),
    ]);
    expect([look.status(), diff.status()]).toEqual([200, 200]);
    await page.getByRole('button', { name: 'Look now', disabled: false }).waitFor();
  });

  it('shows the state as a tree that follows the app', async () => {
    await view(shop, 'state');
    await page.getByRole('tree').waitFor();
    await open(row('cart'));
    await open(row('cart.items'));
    await row('cart.items.length').filter({ hasText: /1$/ }).waitFor();
    // The list has old numbers from now on: the selected app shows its own.
    await page.route('**/substrate/v1/apps', async (route) => {
      const response = await route.fetch();
      const { apps } = (await response.json()) as { apps: object[] };
      await route.fulfill({ response, json: { apps: apps.map((app) => ({ ...app, object_count: 7 })) } });
    });
    const listed = (target: Target) => page.getByRole('link', { name: new RegExp(`pid ${target.pid}`) });
    await listed(wide).getByText('7 keys').waitFor();
    await addItem('pear', 3);
    await row('cart.items.length').filter({ hasText: /2$/ }).waitFor();
    await row('cart.items.length').locator('.state-fresh').waitFor();
    const keys = await page
      .getByRole('link', { name: /^State/ })
      .locator('.shell-count')
      .textContent();
    await listed(shop).getByText(`${keys} keys`, { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('searchbox', { name: 'Search the keys' }).fill('cart.items[*].price');
    await row('cart.items[1].price').filter({ hasText: /3$/ }).waitFor();
    await row('visits').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search the keys' }).fill('');
  });

  it('holds 100,000 keys without holding 100,000 rows, and finds the last of them', async () => {
    await view(wide, 'state');
    await page.getByRole('tree').waitFor();
    await open(row('wall'));
    await open(row('wall.rows'));
    await row('wall.rows[5]').waitFor();
    expect(await page.getByRole('treeitem').count()).toBeLessThan(150);
    await page.getByRole('searchbox', { name: 'Search the keys' }).fill('rows[99999]');
    await row('wall.rows[99999]').filter({ hasText: '"row 99999"' }).waitFor();
    expect(await page.getByRole('treeitem').count()).toBeLessThan(20);
    await page.getByRole('searchbox', { name: 'Search the keys' }).fill('');
  });

  it('shows what looks like markup as text', async () => {
    await view(wide, 'state');
    await page.getByRole('searchbox', { name: 'Search the keys' }).fill('onerror');
    await page.getByRole('treeitem').filter({ hasText: MARKUP }).first().waitFor();
    await page.getByRole('searchbox', { name: 'Search the keys' }).fill('wall.text');
    await row('wall.text').click();
    await page.getByRole('region', { name: 'Details of the key' }).getByText('<script>').waitFor();
    await view(wide, 'actions');
    await page.getByRole('option').filter({ hasText: MARKUP }).click();
    await page.getByRole('heading', { name: `wall.set${MARKUP}` }).waitFor();
    await page.getByLabel(/^text/).fill(MARKUP);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result().getByText(MARKUP).first().waitFor();
    expect(await page.evaluate('globalThis.ran')).toBeUndefined();
    expect(await page.locator('#page img').count()).toBe(0);
  });

  it('says so when an app has ended', async () => {
    process.kill(wide.pid);
    await page.getByText('has ended').first().waitFor();
    await page
      .getByRole('link', { name: new RegExp(`pid ${wide.pid}`) })
      .getByText('ended')
      .waitFor();
  });

  it('gives a key another name for good', async () => {
    await view(shop, 'state');
    await row('visits').click();
    const details = page.getByRole('region', { name: 'Details of the key' });
    await details.getByLabel('Correct name').fill('pageViews');
    await details.getByRole('button', { name: 'Save the name' }).click();
    await row('pageViews').waitFor();
    expect(await objects(shop)).toHaveProperty('pageViews', 0);
    await details.getByRole('button', { name: 'Copy key' }).press('Escape');
    await details.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.role')).toBe('tree');
  });

  it('asks for a proof before what cannot be undone, and shows it afterwards', async () => {
    await chooseAction('cart.deleteEverything');
    await page.getByRole('listitem').filter({ hasText: 'Closed: Verify expression needed' }).waitFor();
    expect(await page.getByRole('button', { name: 'Run…' }).isDisabled()).toBe(true);
    await page.getByLabel(/^Verify/).pressSequentially('cart.items.le');
    await page.getByRole('option', { name: 'cart.items.length' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type(' === 0');
    await page.getByRole('button', { name: 'Run…' }).click();
    expect(await objects(shop)).toHaveProperty(['cart.items.length'], 2);
    await page.getByRole('button', { name: 'Yes, run it' }).click();
    await result().getByRole('heading', { name: 'Success' }).waitFor();
    await result().getByText('cart.items.length is 0, and 0 === 0 is true.').waitFor();
    await result().getByRole('listitem').filter({ hasText: 'changed: cart.items.length' }).waitFor();
    await result().getByRole('listitem').filter({ hasText: 'removed: cart.items[1].name"pear"' }).waitFor();
    expect(await objects(shop)).toHaveProperty(['cart.items.length'], 0);
  });

  it('reads what is typed as its type, and says what is wrong with it', async () => {
    await chooseAction('cart.addItem');
    await page.getByLabel(/^name/).fill('fig');
    await page.getByLabel(/^price/).fill('dear');
    await page.getByText('This is not a number.').waitFor();
    await page.getByLabel(/^Verify/).fill('cart.items[0].price === 1.5');
    expect(await page.getByRole('button', { name: 'Run…' }).isDisabled()).toBe(true);
    await page.getByLabel(/^price/).fill('1.5');
    await page.getByRole('button', { name: 'Run…' }).click();
    await page.getByRole('button', { name: 'Yes, run it' }).click();
    await result().getByText('cart.items[0].price is 1.5').waitFor();
    await result().getByRole('listitem').filter({ hasText: 'added: cart.items[0].name"fig"' }).waitFor();
    expect(await objects(shop)).toMatchObject({ 'cart.items[0].name': 'fig', 'cart.items[0].price': 1.5 });
  });

  it('tells apart what failed, what was not verified, and what was refused', async () => {
    await chooseAction('cart.applyDiscount');
    await page.getByLabel(/^share/).fill('7');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result().getByRole('heading', { name: 'Failed in the app' }).waitFor();
    await result().getByText('share must be between 0 and 1').waitFor();
    await page.getByLabel(/^share/).fill('0.5');
    await page.getByLabel(/^Verify/).fill('cart.items.length === 77');
    await page.getByLabel(/^Wait for it/).fill('100');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result().getByRole('heading', { name: 'Ran, but not verified' }).waitFor();
    await page.getByLabel(/^Verify/).fill('cart.items.length ===');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await result().getByRole('heading', { name: 'Refused: nothing was done' }).waitFor();
    await result().getByText('The predicate ends too early').waitFor();
    expect(await page.getByRole('region', { name: 'Runs of this page' }).getByRole('listitem').count()).toBe(5);
  });

  it('stops waiting for an action when told to, and says that it may have run', async () => {
    await chooseAction('cart.removeItem');
    await page.getByLabel(/^name/).fill('fig');
    await page.getByLabel(/^Verify/).fill('cart.items.length === 77');
    await page.getByLabel(/^Wait for it/).fill('30000');
    await page.getByRole('button', { name: 'Run…' }).click();
    await page.getByRole('button', { name: 'Yes, run it' }).click();
    await until('what it does', async () => (await objects(shop))['cart.items.length'] === 0);
    await result().getByRole('button', { name: 'Cancel' }).click();
    await result().getByRole('heading', { name: 'Not known whether it ran' }).waitFor();
    await result().getByText('The app may have run it all the same.').waitFor();
  });

  it('tells at once that something is done too often, and when it may be done again', async () => {
    await chooseAction('cart.getTotal');
    await page.getByLabel('Look again before it runs').check();
    const run = page.getByRole('button', { name: 'Run', exact: true });
    // The daemon allows two such captures per minute.
    for (const verdict of ['Success', 'Success', 'Refused: nothing was done']) {
      await run.click();
      await result().getByRole('heading', { name: verdict }).waitFor();
      await run.and(page.locator(':enabled')).waitFor();
    }
    await result().getByText('rate_limited').waitFor();
    await result()
      .getByText(/^Try again in \d+ s\.$/)
      .waitFor();
  });

  it('shows what differs between any two captures', async () => {
    await view(shop, 'changes');
    const captures = page.getByRole('region', { name: 'Captures' });
    const rows = captures.getByRole('row');
    const before = await rows.count();
    for (const [name, price] of [
      ['kiwi', 1],
      ['lime', 2],
    ] as const) {
      const seen = await rows.count();
      await addItem(name, price);
      await until('the capture', async () => (await rows.count()) > seen);
    }
    expect(await rows.count()).toBeGreaterThanOrEqual(before + 2);
    const difference = page.getByRole('region', { name: 'Difference' });
    await captures.getByRole('radio', { name: /^A:/ }).last().check();
    await captures.getByRole('radio', { name: 'B: Compare with now' }).check();
    await difference.getByRole('listitem').filter({ hasText: 'lime' }).first().waitFor();
    // The capture before the newest, without the latest changes.
    await captures
      .getByRole('radio', { name: /^B: Compare with \d/ })
      .nth(1)
      .check();
    await difference.getByRole('listitem').filter({ hasText: 'kiwi' }).first().waitFor();
    await difference.getByRole('listitem').filter({ hasText: 'lime' }).first().waitFor({ state: 'detached' });
    await difference.getByRole('searchbox').fill('nothing.like.this');
    await difference.getByText('No changed key fits').waitFor();
  });

  it('answers what is true, what is not, and where an expression is wrong', async () => {
    await goTo(page, `#/app/${shop.pid}/verify?${new URLSearchParams({ expression: 'settings.currency === "EUR"' })}`);
    const field = page.getByLabel('Expression over the state');
    await until('the expression of the link', async () => (await field.inputValue()).includes('EUR'));
    await field.press('Enter');
    await answer().getByText('True', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'settings.currency' }).click();
    await page.getByRole('region', { name: 'Details of the key' }).getByText('"EUR"').waitFor();
    await view(shop, 'verify');
    await field.fill('rates.USD === "1.08"');
    await page.getByRole('button', { name: 'Check now' }).click();
    await answer().getByText('False', { exact: true }).waitFor();
    await answer().getByText('one is a number and the other a string').waitFor();
    await field.fill('pageViews = 3');
    await page.getByRole('button', { name: 'Check now' }).click();
    await answer().getByText('Error', { exact: true }).waitFor();
    await answer().getByText('assignment is not allowed').waitFor();
    await field.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await field.inputValue()).toBe('rates.USD === "1.08"');
  });

  it('follows an expression, and waits for one', async () => {
    const port = /listening (\d+)/.exec(shop.output())?.[1];
    const field = page.getByLabel('Expression over the state');
    await field.fill('pageViews > 0');
    await page.getByLabel(/^Live/).check();
    await page.getByText('Live: False').waitFor();
    await fetch(`http://127.0.0.1:${port}/`);
    await page.getByText('Live: True').waitFor();
    await page.getByLabel(/^Live/).uncheck();
    await field.fill('pageViews > 1');
    await page.getByRole('button', { name: 'Wait until true' }).click();
    await page.getByText('Waiting …').waitFor();
    await fetch(`http://127.0.0.1:${port}/`);
    await answer().getByText('True', { exact: true }).waitFor();
  });

  it('draws pinned keys over the kept history, live, with what was at each time', async () => {
    await view(shop, 'state');
    await row('pageViews').hover();
    await page.getByRole('button', { name: 'Pin pageViews to the charts' }).click();
    await open(row('cart'));
    await open(row('cart.items'));
    await row('cart.items.length').click();
    const details = page.getByRole('region', { name: 'Details of the key' });
    await details.getByRole('button', { name: 'Pin to charts' }).click();
    await details.getByRole('button', { name: 'Close the details' }).click();
    await open(row('settings'));
    await row('settings.currency').click();
    await page.getByRole('tree').press('p');
    await details.getByRole('button', { name: 'Pinned' }).waitFor();
    await page.keyboard.press('5');
    const visits = page.getByRole('region', { name: 'pageViews' });
    await visits.getByText('least0').waitFor();
    await visits.getByText('most2').waitFor();
    await page.getByRole('region', { name: 'settings.currency' }).getByText('only numbers and booleans').waitFor();
    // Live, by the watch.
    const port = /listening (\d+)/.exec(shop.output())?.[1];
    const requests: string[] = [];
    const note = (request: { url(): string }) => requests.push(request.url());
    page.on('request', note);
    await fetch(`http://127.0.0.1:${port}/`);
    await visits.getByText('most3').waitFor();
    page.off('request', note);
    expect(requests.filter((url) => url.includes('/history/'))).toEqual([]);
    await visits.locator('.charts-reading').getByText('3', { exact: true }).waitFor();
    // By the pointer: all charts show the values of that time.
    const slider = visits.getByRole('slider', { name: 'pageViews over time' });
    await slider.hover({ position: { x: 8, y: 60 } });
    await visits.locator('.charts-reading').getByText('not there').waitFor(); // it had another name then
    expect(await page.locator('.charts-cross').count()).toBe(2);
    await page.mouse.move(0, 0);
    // By keyboard.
    await slider.focus();
    await slider.press('Home');
    const spoken = (text: string) =>
      until(text, async () => (await slider.getAttribute('aria-valuetext'))?.endsWith(`: ${text}`) === true);
    await spoken('not there');
    await slider.press('ArrowRight');
    await spoken('0');
    await slider.press('ArrowRight');
    await spoken('1');
    await visits.locator('.charts-reading').getByText('1', { exact: true }).waitFor();
    await slider.press('Escape');
    await page.locator('.charts-cross').first().waitFor({ state: 'detached' });
  });

  it('saves what is drawn as CSV', async () => {
    const [one] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download pageViews as CSV' }).click(),
    ]);
    expect(one.suggestedFilename()).toBe('shop-pageViews.csv');
    const text = fs.readFileSync(await one.path(), 'utf8');
    expect(text).toMatch(/^time,pageViews\r\n\S+Z,\r\n(?:\S+Z,[0-3]\r\n){4}$/);
    const [all] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(fs.readFileSync(await all.path(), 'utf8')).toMatch(
      /^time,pageViews,cart\.items\.length,settings\.currency\r\n/,
    );
  });

  it('gives a link to the charts that shows another reader the same, and holds no secret', async () => {
    const link = page.url();
    expect(link).not.toMatch(/sk_|code/);
    const other = await browser.open(link);
    await other.getByLabel('API key').fill(key);
    await other.keyboard.press('Enter');
    const names = () => other.locator('.charts-card h3').allTextContents();
    await until('the same charts', async () => (await names()).length === 3);
    expect(await names()).toEqual(['pageViews', 'cart.items.length', 'settings.currency']);
    await other.getByRole('button', { name: 'Unpin settings.currency' }).click();
    expect(other.url()).not.toContain('currency');
    await other.reload();
    await until('two charts', async () => (await names()).length === 2);
    await goTo(other, '#/id/nobody-0a1b2c3d/charts?key=a');
    await other.getByRole('heading', { name: 'The app of this link does not run' }).waitFor();
    await other.context().close();
  });

  it('can be used by keys alone, from the list to a run', async () => {
    await goTo(page, '#/');
    await page.getByText('No app selected').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('shop');
    await page.keyboard.press('Escape');
    const isShop = () => page.evaluate(`document.activeElement.textContent.includes('pid ${shop.pid}')`);
    await until('the row of the shop', async () => {
      await page.keyboard.press('ArrowDown');
      return isShop();
    });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    await page.getByRole('tree').waitFor();
    await page.keyboard.press('2');
    await page.getByRole('listbox', { name: 'Actions' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('setCoupon');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await until('the first field', () => page.evaluate(`document.activeElement.closest('form') !== null`));
    await page.keyboard.type('SPRING');
    await page.keyboard.press('Enter');
    await result().getByRole('heading', { name: 'Success' }).waitFor();
    expect(await objects(shop)).toHaveProperty(['cart.coupon'], 'SPRING');
    await goTo(page, '#/');
    await page.getByRole('searchbox', { name: 'Filter the apps' }).fill('');
  });

  it.each([1600, 360])('can be read by everybody at %d pixels', { timeout: 120_000 }, async (width) => {
    const isPhone = width < 800;
    const other = await browser.open(await daemon.link(), {
      colorScheme: 'light',
      viewport: { width, height: 800 },
      isMobile: isPhone,
      hasTouch: isPhone,
    });
    await other.getByRole('link', { name: new RegExp(`pid ${shop.pid}`) }).waitFor();
    // The colours are the same at any width, and nothing else differs in the dark.
    const faults = async () => {
      if (isPhone) return seriousFaults(other, 'all but contrast');
      const inLight = await seriousFaults(other, 'all');
      await other.emulateMedia({ colorScheme: 'dark' });
      await other.locator('html[data-theme=dark]').waitFor();
      const inDark = await seriousFaults(other, 'contrast');
      await other.emulateMedia({ colorScheme: 'light' });
      return [...inLight, ...inDark];
    };
    expect(await faults(), 'the list').toEqual([]);
    expect(await sidewaysScroll(other), 'the list').toBe(0);
    /** Each view with some content. */
    const use: Record<(typeof VIEWS)[number], () => Promise<void>> = {
      state: () => other.getByRole('treeitem').first().waitFor(),
      actions: async () => {
        await other.getByRole('option', { name: 'cart.deleteEverything' }).click();
        await other.getByText('Closed: Verify expression needed').waitFor();
        if (isPhone) await other.getByRole('button', { name: 'All actions' }).click();
        await other.getByRole('option', { name: 'cart.setCoupon' }).click();
        await other.getByLabel(/^coupon/).fill(`at ${width}`);
        await other.keyboard.press('Enter');
        await other.getByRole('region', { name: 'Result' }).getByText('Success').waitFor();
      },
      changes: () => other.getByRole('region', { name: 'Difference' }).getByRole('listitem').first().waitFor(),
      verify: async () => {
        await other.getByLabel('Expression over the state').fill('cart.items.length > 0');
        await other.keyboard.press('Enter');
        await other.getByRole('region', { name: 'Answer' }).waitFor();
      },
      charts: () => other.getByRole('slider', { name: 'pageViews over time' }).waitFor(),
    };
    const charts = `#/app/${shop.pid}/charts?key=pageViews&key=cart.items.length&key=settings.currency`;
    for (const name of VIEWS) {
      await goTo(other, name === 'charts' ? charts : `#/app/${shop.pid}/${name}`);
      await use[name]();
      expect(await faults(), name).toEqual([]);
      expect(await sidewaysScroll(other), name).toBe(0);
      if (isPhone) expect(await smallTargets(other), name).toEqual([]);
    }
    await other.context().close();
  });

  it('comes back by itself when the daemon does', async () => {
    await view(shop, 'state');
    await row('pageViews').waitFor();
    await daemon.stop();
    await page.getByText('The daemon does not answer').waitFor();
    // Without keys: the page's key has ended with its daemon.
    await startDaemon({ SUBSTRATE_AUTH__REQUIRE_KEY: 'false' });
    await daemon.state(shop.pid);
    await page.getByText('The daemon does not answer').waitFor({ state: 'detached' });
    const port = /listening (\d+)/.exec(shop.output())?.[1];
    await fetch(`http://127.0.0.1:${port}/`);
    await row('pageViews').filter({ hasText: /4$/ }).waitFor();
  });

  it('says that a capture is gone when the daemon does not have it any more', async () => {
    await view(shop, 'changes');
    const captures = page.getByRole('region', { name: 'Captures' });
    // It was seen before the restart of the daemon.
    await captures.getByRole('radio', { name: /^A:/ }).last().check();
    await page.getByRole('heading', { name: 'A capture is no longer in the history' }).waitFor();
    await captures.getByRole('radio', { name: /^A:/ }).first().check();
    await page.getByRole('heading', { name: 'A capture is no longer in the history' }).waitFor({ state: 'detached' });
  });

  it('asks for a key when another daemon has come', async () => {
    await daemon.stop();
    home = makeHome();
    ({ key } = await makeKey(home));
    await startDaemon();
    const field = page.getByLabel('API key');
    await field.waitFor();
    await page.getByRole('alert').filter({ hasText: 'The daemon has not issued this key' }).waitFor();
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
    await field.fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor();
    await page.getByRole('heading', { name: 'Captures' }).waitFor();
  });

  it('had no fault in all of this', () => {
    expect(browser.faults).toEqual([]);
  });
});

/** Opens a branch of the tree, unless it is open. The page opens the first ones by itself, and may do so meanwhile. */
async function open(branch: Locator): Promise<void> {
  await until('an open branch', async () => {
    const isOpen = (await branch.first().getAttribute('aria-expanded')) === 'true';
    if (!isOpen) await branch.first().locator('.state-toggle').click();
    return isOpen;
  });
}
