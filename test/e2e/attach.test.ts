/** Programs that a daemon with default settings attaches to without being asked: apps, not tools. */
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Attachment, SubstrateState } from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { DashboardBrowser, seriousFaults } from '../support/dashboard.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const AS_INSTALLED = { SUBSTRATE_SCANNER__ATTACH: 'apps', SUBSTRATE_PROBE__SETTLE_MS: '2000' };
const SERVER = `globalThis.shop = { name: 'Tea House' }; require('http').createServer().listen(0, '127.0.0.1')`;

describe('a daemon with the settings that it comes with', () => {
  let home: string;
  let daemon: RunningDaemon;
  const orphans: number[] = [];

  beforeAll(async () => {
    home = makeHome();
    daemon = await RunningDaemon.start(home, { env: AS_INSTALLED });
  });
  afterEach(endAll);
  afterAll(async () => {
    for (const pid of orphans) process.kill(pid, 'SIGKILL');
    await stopAll();
  });

  const reasons = async () => (await daemon.get<{ apps: Attachment[] }>('/substrate/v1/attach')).body.apps;
  const attachment = (pid: number) =>
    until(`${pid} to be listed`, async () => (await reasons()).find((app) => app.pid === pid));
  const isUntouched = ({ output }: Target) => !/Debugger/.test(output());

  /** An orphan, because the children of a test runner are left alone. */
  function startOrphan(script: string): number {
    const launcher = '"$0" "$@" >/dev/null 2>&1 </dev/null & echo $!';
    const { stdout } = spawnSync('sh', ['-c', launcher, process.execPath, '-e', script], { encoding: 'utf8' });
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(1);
    orphans.push(pid);
    return pid;
  }

  it('attaches to a server by itself', async () => {
    const pid = startOrphan(SERVER);
    const state = await daemon.state(pid);
    expect(state.objects['shop.name']).toBe('Tea House');
    expect(await attachment(pid)).toMatchObject({ by_itself: true, reason: 'it listens on a socket' });
  });

  it('lists what a tool has started, says why it is left alone, and attaches to it when it is asked for', async () => {
    const target = await startTarget('shop.cjs');
    expect(await attachment(target.pid)).toMatchObject({
      probe_status: 'detecting',
      by_itself: false,
      reason: 'it was started by a test runner',
    });
    expect(isUntouched(target)).toBe(true);
    const { stdout } = await run(home, ['apps'], { SUBSTRATE_SERVER__PORT: new URL(daemon.base).port });
    expect(stdout).toContain('(not attached: it was started by a test runner)');
    const { status, body } = await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}`);
    expect(status).toBe(200);
    expect(Object.keys(body.objects).length).toBeGreaterThan(3);
    expect(await attachment(target.pid)).toMatchObject({ by_itself: true, reason: 'somebody asked for it' });
  });

  it.each<[string, (pid: number) => Promise<{ status: number }>]>([
    ['its schema', (pid) => daemon.get(`/substrate/v1/schema/${pid}`)],
    ['a verification', (pid) => daemon.post('/substrate/v1/verify', { pid, expression: 'true' })],
    ['an attach by hand', (pid) => daemon.post(`/substrate/v1/attach/${pid}`, {})],
  ])('takes %s for asking, too', async (_, ask) => {
    const target = await startTarget('closure.cjs');
    await attachment(target.pid);
    expect((await ask(target.pid)).status).toBe(200);
    expect((await daemon.app(target.pid))?.has_state).toBe(true);
  });

  it('takes a watch for asking, and tells it of changes', async () => {
    const target = await startTarget('ticking.cjs');
    await attachment(target.pid);
    const socket = daemon.watch(target.pid);
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await until('a message', () => messages.length > 0);
    socket.close();
  });

  it('lets go of an app by hand, and takes it again when it is asked for', async () => {
    const target = await startTarget('shop.cjs');
    await attachment(target.pid);
    const env = { SUBSTRATE_SERVER__PORT: new URL(daemon.base).port };
    expect((await run(home, ['attach', String(target.pid)], env)).stdout).toMatch(/^Attached to /);
    const detached = await run(home, ['detach', String(target.pid)], env);
    expect(detached.stdout).toMatch(/^Detached from .* stays so until/);
    expect(await daemon.app(target.pid)).toMatchObject({ probe_status: 'detached', has_state: false });
    expect(await attachment(target.pid)).toMatchObject({ by_itself: false, reason: 'it was detached by hand' });
    // By its name, too: it is detached, but has not ended.
    const shown = await run(home, ['state', 'shop', '--json'], env);
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    expect(await daemon.app(target.pid)).toMatchObject({ probe_status: 'active', has_state: true });
  });

  it('says so in the dashboard, which attaches when a person wants it', async () => {
    const target = await startTarget('minified.cjs');
    await attachment(target.pid);
    const browser = await DashboardBrowser.start();
    try {
      const page = await browser.open(await daemon.link());
      await page.getByRole('link', { name: new RegExp(`pid ${target.pid}`) }).click();
      await page.getByText('This app is not attached to by itself: it was started by a test runner.').waitFor();
      expect(await seriousFaults(page, 'all')).toEqual([]);
      // Looking at it has not attached to it.
      expect(await daemon.app(target.pid)).toMatchObject({ probe_status: 'detecting' });
      await page.getByRole('button', { name: 'Attach' }).click();
      await page.getByRole('treeitem').first().waitFor();
      expect(browser.faults).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it('attaches at once to what was asked for before, also after a restart', async () => {
    const other = makeHome();
    const { key } = await makeKey(other);
    const first = await RunningDaemon.start(other, { key, env: AS_INSTALLED });
    const target = await startTarget('inbox.mjs');
    await until('it to be listed', () => first.app(target.pid));
    expect((await first.get(`/substrate/v1/state/${target.pid}`)).status).toBe(200);
    await first.stop();
    const second = await RunningDaemon.start(other, { key, env: AS_INSTALLED });
    await second.state(target.pid);
    await second.stop();
  });

  it('says what a look costs, and what it left out when the budget was spent', async () => {
    const other = makeHome();
    const env = { ...AS_INSTALLED, SUBSTRATE_PROBE__BUDGET_SEARCH_MS: '150', SUBSTRATE_PROBE__MAX_KEYS: '200000' };
    const thrifty = await RunningDaemon.start(other, { env });
    const target = await startTarget('large.cjs', { args: ['60000'] });
    await until('it to be listed', () => thrifty.app(target.pid));
    const { body } = await thrifty.get<SubstrateState>(`/substrate/v1/state/${target.pid}`);
    expect(body.probe_metadata.raw_object_count).toBeGreaterThan(body.probe_metadata.filtered_object_count);
    const { body: attached } = await thrifty.get<{ apps: Attachment[] }>('/substrate/v1/attach');
    const cost = attached.apps.find(({ pid }) => pid === target.pid)?.cost;
    expect(cost?.stopped_by).toBe('time');
    expect(cost?.search_ms).toBeGreaterThan(0);
    const { stdout } = await run(other, ['doctor', String(target.pid)], {
      SUBSTRATE_SERVER__PORT: new URL(thrifty.base).port,
    });
    expect(stdout.replace(/\s+/g, ' ')).toContain('the first look had used up [probe] budget_search_ms');
    expect(thrifty.stderr()).toContain('not all was read: the budget is spent');
    const metrics = await fetch(`${thrifty.base}/metrics`, { headers: { 'x-substrate-key': thrifty.key } });
    // It also attaches to programs that other tests have left running.
    expect(await metrics.text()).toMatch(/substrate_probe_budget_spent_total\{runtime="v8",part="time"\} [1-9]/);
    await thrifty.stop();
  });
});
