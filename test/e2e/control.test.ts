/** An operator's use: restricted keys, one that needs confirmations, and the log afterwards. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { ERROR_STATUS } from '../../src/model/errors.ts';
import type { Approval } from '../../src/model/wire.ts';
import {
  askRaw,
  type BlindRequest,
  NOT_PROVOKED,
  requestsOf,
  toolCallsOf,
  wrongOnes,
} from '../support/blind-requests.ts';
import { makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { DashboardBrowser, seriousFaults } from '../support/dashboard.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

/** High limits, because everything is tried in turn; no browser is opened. */
const ENV = {
  SUBSTRATE_RATE_LIMIT__STATE_PER_SECOND: '10000',
  SUBSTRATE_RATE_LIMIT__ACTION_PER_SECOND: '10000',
  SUBSTRATE_BROWSER__PROGRAMS: '[]',
};
/** The values of marked.cjs. */
const MARKS = /zqmark|918273/i;

describe('keys with less power', () => {
  let home: string;
  let daemon: RunningDaemon;
  let shop: Target;
  let wide: Target;
  let marked: Target;
  let browser: DashboardBrowser;

  beforeAll(async () => {
    home = makeHome();
    [shop, marked, wide, browser] = await Promise.all([
      startTarget('shop.cjs'),
      startTarget('marked.cjs'),
      startTarget('wide.cjs', { args: ['10'] }),
      DashboardBrowser.start(),
    ]);
    daemon = await RunningDaemon.start(home, { env: ENV });
    await Promise.all([shop, marked, wide].map(({ pid }) => daemon.state(pid)));
  });
  afterAll(async () => {
    await browser.close();
    await stopAll();
    await endAll();
  });

  const makeKey = async (...flags: string[]) =>
    JSON.parse((await run(home, ['keygen', '--json', ...flags])).stdout) as { key: string; id: string };
  const substrate = (key: string, ...args: string[]) => run(home, [...args, '--url', daemon.base, '--key', key]);
  /** With the commands' own key. */
  const operator = (...args: string[]) => run(home, [...args, '--url', daemon.base]);
  const setCoupon = (key: string, coupon: string) =>
    substrate(key, 'action', String(shop.pid), 'cart.setCoupon', `coupon=${coupon}`);
  const waiting = () =>
    until('an action that waits', async () => {
      const { body } = await daemon.get<{ approvals: Approval[] }>('/substrate/v1/approvals');
      return body.approvals[0];
    });
  /** Over HTTP, like any client with this key. */
  const daemonWith = (key: string) => {
    const ask = async (route: string, init: RequestInit) => {
      const answer = await fetch(`${daemon.base}${route}`, init);
      return { status: answer.status, text: await answer.text() };
    };
    const headers = { 'X-Substrate-Key': key, 'Content-Type': 'application/json' };
    return {
      get: (route: string) => ask(route, { headers }),
      post: (route: string, body: unknown, more: Record<string, string> = {}) =>
        ask(route, {
          method: 'POST',
          headers: { ...headers, Accept: 'application/json, text/event-stream', ...more },
          body: JSON.stringify(body),
        }),
    };
  };
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
    const shown = (await operator('approve')).stdout;
    expect(shown).toMatch(
      /action +cart\.setCoupon\(coupon="REFUSED"\)\n +calls +\S+setCoupon\n +kind +reversible_write/,
    );
    expect(shown).toMatch(/before +it has not run[\s\S]+key +my agent \(key_/);
    // Nobody is there to read the approved action.
    expect(await operator('approve', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
    // It cannot approve its own action, and may not even see it.
    expect((await substrate(key, 'approve', id, '--yes')).code).toBe(5);
    expect((await operator('deny', id.slice(0, 6))).stdout).toContain('Denied: cart.setCoupon');
    expect(await refused).toMatchObject({ code: 5, stderr: expect.stringContaining('A person said no') });
    expect(await coupon()).not.toBe('REFUSED');

    const allowed = setCoupon(key, 'ALLOWED');
    await operator('approve', (await waiting()).id, '--yes');
    expect(await allowed).toMatchObject({ code: 0 });
    await until('the coupon', async () => (await coupon()) === 'ALLOWED');
    expect((await operator('approve', 'ask_0000')).code).toBe(4);
  });

  it('run only what was approved, for a key that is still there', async () => {
    const { capture_id, schema_version, objects } = await daemon.state(shop.pid);
    const rebind = {
      capture_id,
      schema_version,
      feedback_type: 'action_correction',
      corrections: [
        {
          observed_key: 'cart.setCoupon',
          correct_label: 'cart.setCoupon',
          correct_type: 'object',
          binding: 'cart.addItem',
        },
      ],
    };
    const plain = await makeKey('--confirm');
    expect((await daemonWith(plain.key).post(`/substrate/v1/learn/${shop.pid}`, rebind)).status).toBe(403);
    const teaching = await makeKey('--confirm', '--scope', 'read,act,teach');
    const acting = setCoupon(teaching.key, 'REBOUND');
    const { id } = await waiting();
    expect((await daemonWith(teaching.key).post(`/substrate/v1/learn/${shop.pid}`, rebind)).status).toBe(200);
    await daemon.get(`/substrate/v1/state/${shop.pid}?fresh=true`);
    await operator('approve', id, '--yes');
    expect(await acting).toMatchObject({ code: 5, stderr: expect.stringContaining('it has changed') });
    expect((await daemon.state(shop.pid)).objects['cart.items.length']).toBe(objects['cart.items.length']);
    const undo = { ...rebind, corrections: [{ ...rebind.corrections[0], binding: 'cart.setCoupon' }] };
    const now = await daemon.state(shop.pid);
    const { capture_id: seen, schema_version: version } = now;
    await daemon.post(`/substrate/v1/learn/${shop.pid}`, { ...undo, capture_id: seen, schema_version: version });
    await daemon.get(`/substrate/v1/state/${shop.pid}?fresh=true`);

    const leaving = await makeKey('--confirm');
    const orphan = setCoupon(leaving.key, 'ORPHAN');
    await waiting();
    await run(home, ['keys', 'disable', leaving.id]);
    expect(await orphan).toMatchObject({ code: 3, stderr: expect.stringContaining('disabled') });
    expect(await coupon()).not.toBe('ORPHAN');
  });

  it('give no value of an app to a key that may not read, whatever it asks for', async () => {
    const { capture_id: otherCapture } = await daemon.state(wide.pid);
    const { app_id: appId, capture_id: capture, schema_version: schemaVersion } = await daemon.state(marked.pid);
    const facts = { pid: marked.pid, appId, capture, schemaVersion, otherCapture };
    const requests = requestsOf(facts);
    expect(Object.keys(requests).sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    expect(Object.keys(toolCallsOf(facts)).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    // The secret values are visible with the scope read, and change meanwhile.
    const changed = { pid: marked.pid, action: 'notes.setText', parameters: { text: 'now' } };
    expect(JSON.stringify((await daemon.post('/substrate/v1/action', changed)).body)).toMatch(MARKS);

    const soon = new Date(Date.now() + 5000).toISOString();
    const [blind, disabled, expiring, asking] = await Promise.all([
      makeKey('--scope', 'act,teach,admin'),
      makeKey('--scope', 'act'),
      makeKey('--scope', 'act', '--expires', soon),
      makeKey('--scope', 'act', '--confirm'),
    ]);
    await run(home, ['keys', 'disable', disabled.id]);
    const codes = new Set<string>();
    const ask = async (method: string, target: string, headers: Readonly<Record<string, string>>, body?: string) => {
      const answer = await askRaw(daemon.base, method, target, { headers, body });
      if (answer.code !== null) codes.add(answer.code);
      expect([method, target, body, answer.all]).toEqual([method, target, body, expect.not.stringMatching(MARKS)]);
      return answer;
    };
    const headersOf = ({ key }: { key: string }) => ({
      'X-Substrate-Key': key,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    });
    const askAll = async ([route, several]: [string, readonly BlindRequest[]]) => {
      const [method = '', path = ''] = route.split(' ');
      const isReadable = ROUTES.some((known) => known.path === path && known.scope === 'read');
      for (const [at, { query, body, headers }] of several.entries()) {
        const target = `${path.replace('{pid}', String(marked.pid))}${query === undefined ? '' : `?${query}`}`;
        const all = { ...headersOf(blind), ...headers };
        const { status } = await ask(method, target, all, JSON.stringify(body));
        if (isReadable) expect([target, status]).toEqual([target, 403]);
        if (at > 0) continue;
        for (const wrong of wrongOnes(method, target, all))
          await ask(wrong.method, wrong.target, wrong.headers, wrong.body);
      }
    };
    const isLast = ([route]: [string, unknown]) => /\/(?:learn|detach)\//.test(route);
    const all = Object.entries(requests);
    await Promise.all(all.filter((entry) => !isLast(entry)).map(askAll));
    // These rename the objects of the others, and detach.
    for (const entry of all.filter(isLast)) await askAll(entry);

    const act = (key: { key: string }, action: string, parameters: object, headers: Record<string, string> = {}) =>
      ask(
        'POST',
        '/substrate/v1/action',
        { ...headersOf(key), ...headers },
        JSON.stringify({ pid: marked.pid, action, parameters }),
      );
    await act(disabled, 'notes.getText', {});
    await until('the key to expire', async () => (await act(expiring, 'none', {})).code === 'expired_key');
    // With a proof, since its reversibility depends on the facts found so far.
    const slow = { pid: marked.pid, action: 'notes.setSlowly', parameters: { text: 'twice' }, verify_timeout_ms: 100 };
    const body = JSON.stringify({ ...slow, verify_expression: 'notes.rows.length >= 0' });
    let turn = 0;
    await until('one that is in progress', async () => {
      const headers = { ...headersOf(blind), 'Idempotency-Key': `two-${turn++}` };
      await Promise.all([1, 2].map(() => ask('POST', '/substrate/v1/action', headers, body)));
      return codes.has('in_progress');
    });
    const refused = act(asking, 'notes.setText', { text: 'asked' });
    const { id } = await waiting();
    // The key that decides may not read, either.
    await ask('GET', '/substrate/v1/approvals', headersOf(blind));
    await ask('POST', '/substrate/v1/approvals', headersOf(blind), JSON.stringify({ id, approve: false }));
    await refused;
    expect([...codes, ...Object.keys(NOT_PROVOKED)].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
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
    // The killed daemon could not log the outcome; the refused repeat of another request is logged, too.
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
    const [first, second, ...rest] = entries.map(
      ({ event, outcome, code, confirmed_by }: Record<string, string | null>) =>
        `${event} ${code ?? outcome}${confirmed_by === null ? '' : ' with a person'}`,
    );
    expect([first, second]).toEqual(['action forbidden_scope', 'action forbidden_scope']);
    expect(rest.slice(0, 5)).toEqual([
      'deny ran',
      'action not_confirmed',
      'approve ran',
      'action ran with a person',
      'learn ran',
    ]);
    expect((await run(home, ['audit'])).stdout).toMatch(/cart\.setCoupon\(coupon\) +refused: forbidden_scope/);
    expect((await run(home, ['audit'])).stdout).toMatch(/learn 1 of 1 action_correction: cart\.setCoupon/);
    expect(await run(home, ['audit', '--check'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('none missing'),
    });
    fs.writeFileSync(file, text.replace('"ran"', '"failed"'));
    expect(await run(home, ['audit', '--check'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was changed'),
    });
  });
});
