/** The clock of the system is changed while the daemon serves, forward and back: `npm run test:faults`. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { ActionResponse, WatchMessage } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { isGone, isServed, lives, nothingIsLeft } from '../support/fault-table.ts';
import { compileNative } from '../support/native.ts';
import { endAll, pidOf, until } from '../support/real-processes.ts';
import { processInfo, startTarget, type Target } from '../support/targets.ts';

const DAY_S = 24 * 3600;

afterEach(async () => {
  await stopAll();
  await endAll();
});

/** More than a day: entries kept for a day would be too old, or come from the future. */
it.each([1, -1])('the clock is set by %i day and more: all goes on, and nothing runs twice', async (days) => {
  const home = makeHome();
  const clock = path.join(home, 'clock');
  const setClock = (seconds: number) => {
    fs.writeFileSync(`${clock}.new`, String(seconds));
    // Atomically: half a number would be another one.
    fs.renameSync(`${clock}.new`, clock);
  };
  setClock(0);
  const app = await startTarget('shop.cjs');
  const preload = { LD_PRELOAD: compileNative('set-clock', 'library'), CLOCK_FILE: clock };
  const daemon = await RunningDaemon.start(home, {
    env: { ...preload, SUBSTRATE_PROBE__INTERVAL_MS: '100', SUBSTRATE_RATE_LIMIT__ENABLED: 'false' },
  });
  const state = await daemon.state(app.pid);
  const add = (name: string, key: string, verify = 'cart.items.length > 0') =>
    post(daemon, key, {
      pid: app.pid,
      action: 'cart.addItem',
      parameters: { name, price: 1 },
      verify_expression: verify,
      verify_timeout_ms: 30_000,
    });
  const names = async () =>
    Object.entries((await daemon.state(app.pid)).objects).flatMap(([key, value]) =>
      /^cart\.items\[\d+\]\.name$/.test(key) ? [String(value)] : [],
    );
  const watcher = daemon.watch(app.pid);
  await once(watcher, 'open');
  const changed = new Set<string>();
  watcher.on('message', (data) => {
    for (const key of (JSON.parse(String(data)) as WatchMessage).changed_keys ?? []) changed.add(key);
  });
  const first = await add('before', 'before');
  expect(first.status).toBe(200);
  // One waits for a state that comes only after the change of the clock.
  const waiting = add('during', 'during', 'visits > 0');
  await until('it ran', async () => (await names()).includes('during'));
  const early = await startTarget('inbox.mjs');
  setClock(days * (DAY_S + 3600));
  await until('the clock', async () => {
    const { captured_at } = await daemon.state(app.pid);
    return Math.abs(Date.parse(captured_at) - Date.now()) > (DAY_S * 1000) / 2;
  });

  // Nothing runs twice: neither answered nor running actions.
  expect(await add('before', 'before')).toEqual(first);
  expect((await add('during', 'during', 'visits > 0')).status).toBe(409);
  await fetch(`http://127.0.0.1:${/listening (\d+)/.exec(app.output())?.[1]}`);
  expect(await waiting).toMatchObject({ status: 200, body: { success: true, verification: { passed: true } } });
  expect((await names()).filter((name) => name === 'before' || name === 'during').sort()).toEqual(['before', 'during']);

  // The watcher is notified, no timeout fires, earlier and later records are found, and expired ones have expired.
  changed.clear();
  expect((await setCoupon(daemon, app, 'SET')).status).toBe(200);
  await until('the change', () => changed.has('cart.coupon'));
  expect(watcher.readyState).toBe(watcher.OPEN);
  const late = await startTarget('wide.cjs', { args: ['5'] });
  for (const one of [early, late]) await daemon.state(one.pid);
  process.kill(late.pid, 'SIGKILL');
  await until('its end', async () => isGone(await daemon.app(late.pid)));
  await isServed(daemon, app);
  const { uptime_secs } = (await daemon.get<{ uptime_secs: number }>('/health')).body;
  expect(uptime_secs).toBeGreaterThanOrEqual(0);
  expect(uptime_secs).toBeLessThan(DAY_S / 2);
  expect((await daemon.state(app.pid)).app_id).toBe(state.app_id);
  expect((await run(home, ['keys', 'list', '--json'], preload)).code).toBe(0);

  // It does not spin, as it would if a time were always over.
  const before = await activityOf(daemon);
  const after = await until('two seconds more', async () => {
    const now = await activityOf(daemon);
    return now.ageMs - before.ageMs > 2000 && now;
  });
  expect(after.cpuMs - before.cpuMs).toBeLessThan((after.ageMs - before.ageMs) / 2);

  // And back.
  setClock(0);
  expect(await add('before', 'before')).toEqual(first);
  await isServed(daemon, app);
  watcher.close();
  await daemon.stop();
  expect([app, early].map(lives)).toEqual([true, true]);
  await nothingIsLeft(app);
});

async function activityOf({ child }: RunningDaemon) {
  const info = await processInfo(pidOf(child));
  return until('what it has done', () => createHost().inspector.activity(info));
}

const setCoupon = (daemon: RunningDaemon, { pid }: Target, coupon: string) =>
  daemon.post('/substrate/v1/action', { pid, action: 'cart.setCoupon', parameters: { coupon } });

async function post(daemon: RunningDaemon, key: string, body: object) {
  const response = await fetch(`${daemon.base}/substrate/v1/action`, {
    method: 'POST',
    headers: { 'x-substrate-key': daemon.key, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as ActionResponse };
}
