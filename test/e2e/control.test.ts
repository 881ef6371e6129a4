/** As an operator would do it: keys that may do little, one that must ask, and what the log says afterwards. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { DashboardBrowser, seriousFaults } from '../support/dashboard.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

describe('keys with less power', () => {
  let home: string;
  let daemon: RunningDaemon;
  let shop: Target;
  let wide: Target;
  let browser: DashboardBrowser;

  beforeAll(async () => {
    home = makeHome();
    [shop, wide, browser] = await Promise.all([
      startTarget('shop.cjs'),
      startTarget('wide.cjs', { args: ['10'] }),
      DashboardBrowser.start(),
    ]);
    daemon = await RunningDaemon.start(home);
    await Promise.all([daemon.state(shop.pid), daemon.state(wide.pid)]);
  });
  afterAll(async () => {
    await browser.close();
    await stopAll();
    await endAll();
  });

  const makeKey = async (...flags: string[]) =>
    JSON.parse((await run(home, ['keygen', '--json', ...flags])).stdout) as { key: string; id: string };
  const substrate = (key: string, ...args: string[]) => run(home, [...args, '--url', daemon.base, '--key', key]);
  /** With the key that the commands have for themselves. */
  const operator = (...args: string[]) => run(home, [...args, '--url', daemon.base]);
  const setCoupon = (key: string, coupon: string) =>
    substrate(key, 'action', String(shop.pid), 'cart.setCoupon', `coupon=${coupon}`);
  const waiting = () =>
    until('an action that waits', async () => {
      const { body } = await daemon.get<{ approvals: Approval[] }>('/substrate/v1/approvals');
      return body.approvals[0];
    });
  const coupon = async () => (await daemon.state(shop.pid)).objects['cart.coupon'];

  it('let an agent read one app, and nothing more', async () => {
    const { key } = await makeKey('--scope', 'read', '--app', 'shop*', '--expires', '30d');
    expect((await substrate(key, 'state', String(shop.pid), 'cart', '--flat')).stdout).toContain('cart.');
    const listed = await substrate(key, 'apps');
    expect(listed.stdout).toContain(String(shop.pid));
    expect(listed.stdout).not.toContain(String(wide.pid));
    const other = await substrate(key, 'state', String(wide.pid), '--json');
    expect(other.code).not.toBe(0);
    const acted = await setCoupon(key, 'READER');
    expect(acted.code).toBe(5);
    expect(acted.stderr).toContain('lacks the scope act');
    expect(await coupon()).not.toBe('READER');
  });

  it('end an action above what the key may do', async () => {
    const { key } = await makeKey('--max', 'reversible_read');
    const acted = await setCoupon(key, 'STRONG');
    expect([acted.code, acted.stderr]).toEqual([5, expect.stringContaining('may run actions up to reversible_read')]);
    expect(await coupon()).not.toBe('STRONG');
  });

  it('make an action wait for a person, who approves or denies it on the command line', async () => {
    const { key } = await makeKey('--label', 'my agent', '--confirm');
    const refused = setCoupon(key, 'REFUSED');
    const { id } = await waiting();
    expect((await operator('approve')).stdout).toMatch(
      /my agent +shop-\w+ +reversible_write +cart\.setCoupon\(coupon="REFUSED"\)/,
    );
    // It cannot agree to its own.
    expect((await substrate(key, 'approve', id)).code).toBe(5);
    expect((await operator('deny', id.slice(0, 6))).stdout).toContain('Denied: cart.setCoupon');
    expect(await refused).toMatchObject({ code: 5, stderr: expect.stringContaining('A person said no') });
    expect(await coupon()).not.toBe('REFUSED');

    const allowed = setCoupon(key, 'ALLOWED');
    await operator('approve', (await waiting()).id);
    expect(await allowed).toMatchObject({ code: 0 });
    await until('the coupon', async () => (await coupon()) === 'ALLOWED');
    expect((await operator('approve', 'ask_0000')).code).toBe(4);
  });

  it('or in the dashboard', async () => {
    const { key } = await makeKey('--label', 'page agent', '--confirm');
    const page = await browser.open(await daemon.link());
    const acting = setCoupon(key, 'PAGE');
    const panel = page.getByRole('region', { name: 'Actions that wait for you' });
    await panel.getByText('wants to run').waitFor();
    expect(await panel.textContent()).toMatch(/page agent wants to run cart\.setCoupon in shop[\s\S]*coupon\s*"PAGE"/);
    expect(await seriousFaults(page, 'all')).toEqual([]);
    await panel.getByRole('button', { name: 'Approve' }).click();
    expect(await acting).toMatchObject({ code: 0 });
    await panel.waitFor({ state: 'detached' });
    expect(browser.faults).toEqual([]);
  });

  it('runs an action once, also when the daemon is killed while it runs', async () => {
    const { key, id } = await makeKey('--label', 'retrying agent');
    const before = Number((await daemon.state(shop.pid)).objects['cart.items.length'] ?? 0);
    const add = (...flags: string[]) =>
      substrate(key, 'action', String(shop.pid), 'cart.addItem', 'name=once', 'price=1', '--json', ...flags);
    const flags = ['--verify', 'cart.items.length > 0', '--idempotency-key', 'order-1'];
    const first = await add(...flags);
    const again = await add(...flags);
    expect(JSON.parse(again.stdout).action_id).toBe(JSON.parse(first.stdout).action_id);
    // Never true: it is killed while it waits for that.
    const lost = add(
      '--verify',
      `cart.items.length === ${before - 1}`,
      '--timeout',
      '30000',
      '--idempotency-key',
      'order-2',
    );
    await until(
      'the second item',
      async () => (await daemon.state(shop.pid)).objects['cart.items.length'] === before + 2,
    );
    daemon.child.kill('SIGKILL');
    await lost;
    daemon = await RunningDaemon.start(home, { key: daemon.key });
    await daemon.state(shop.pid);
    const retried = JSON.parse(
      (
        await add(
          '--verify',
          `cart.items.length === ${before - 1}`,
          '--timeout',
          '30000',
          '--idempotency-key',
          'order-2',
        )
      ).stdout,
    );
    expect(retried).toMatchObject({ success: false, executed: true });
    expect(retried.message).toContain('Whether the action was done is not known');
    expect(JSON.parse((await add(...flags)).stdout).action_id).toBe(JSON.parse(first.stdout).action_id);
    expect((await daemon.state(shop.pid)).objects['cart.items.length']).toBe(before + 2);
    // The killed daemon could not write how it ended; the refused repeat of another request is told, too.
    expect((await add('--verify', 'cart.items.length > 1', '--idempotency-key', 'order-1')).code).toBe(2);
    const { entries } = JSON.parse((await run(home, ['audit', '--key', id, '--json'])).stdout);
    expect(entries.map(({ outcome, code }: { outcome: string; code: string | null }) => code ?? outcome)).toEqual([
      'ran',
      'unknown',
      'idempotency_mismatch',
    ]);
  });

  it('runs nothing where what it reads has changed since', async () => {
    const { capture_id } = await daemon.state(shop.pid);
    await setCoupon(daemon.key, 'CHANGED');
    const act = substrate(
      daemon.key,
      'action',
      String(shop.pid),
      'cart.setCoupon',
      'coupon=STALE',
      '--if-match',
      capture_id,
    );
    expect(await act).toMatchObject({ code: 5, stderr: expect.stringContaining('cart.coupon') });
    expect(await coupon()).toBe('CHANGED');
  });

  it('is all in the log afterwards, without a value', async () => {
    const file = path.join(home, '.local/share/substrate/audit.jsonl');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const text = fs.readFileSync(file, 'utf8');
    for (const value of ['READER', 'STRONG', 'REFUSED', 'ALLOWED', 'PAGE']) expect(text).not.toContain(value);
    const { entries } = JSON.parse((await run(home, ['audit', '--app', 'shop', '--json'])).stdout);
    expect(
      entries.slice(0, 5).map(({ outcome, code }: { outcome: string; code: string | null }) => code ?? outcome),
    ).toEqual(['forbidden_scope', 'forbidden_scope', 'not_confirmed', 'ran', 'ran']);
    expect(
      entries.slice(0, 5).map(({ confirmed_by }: { confirmed_by: string | null }) => confirmed_by !== null),
    ).toEqual([false, false, false, true, true]);
    expect((await run(home, ['audit'])).stdout).toMatch(/cart\.setCoupon\(coupon\) +refused: forbidden_scope/);
  });
});
