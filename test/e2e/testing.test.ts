/** `substrated/test` for tests: the requested app, and never a state from before the request. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppHandle, connect } from '../../src/testing/vitest.ts';
import { freePort } from '../support/chromium.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const SERVER = path.resolve(import.meta.dirname, '../../examples/playwright/server.mjs');
let options: { baseUrl: string; key: string };
let port: number;
let server: Target;
let app: AppHandle;

beforeAll(async () => {
  // It captures apps on request, and otherwise hardly ever.
  const env = { ...LEAVE_OTHERS_ALONE, SUBSTRATE_PROBE__INTERVAL_MS: '600000', SUBSTRATE_SCANNER__INTERVAL_MS: '50' };
  const daemon = await RunningDaemon.start(makeHome(), { env });
  options = { baseUrl: daemon.base, key: daemon.key };
  port = await freePort();
  server = await startProgram(process.execPath, [SERVER], { env: { PORT: String(port) }, ready: /^/ });
  await until('the server', () =>
    fetch(`http://127.0.0.1:${port}`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  app = await connect({ port }, options);
});
afterAll(async () => {
  await stopAll();
  await endAll();
});

const order = (drink: string) =>
  fetch(`http://127.0.0.1:${port}/orders`, { method: 'POST', body: JSON.stringify({ customer: 'Ada', drink }) });

describe('an app', () => {
  it('is found by port, pid, process, id, and the beginning of its name', async () => {
    expect(app.pid).toBe(server.pid);
    for (const which of [{ port }, server.pid, { pid: server.pid }, app.appId, app.name.slice(0, 4).toUpperCase()])
      expect(await connect(which, options)).toMatchObject({ pid: app.pid, appId: app.appId, name: app.name });
  });

  it('that is not there is waited for, and named', async () => {
    const late = { ...options, timeoutMs: 200 };
    await expect(connect('tea-house', late)).rejects.toThrow(`There is no app "tea-house". Tracked are: `);
    await expect(connect({ port: await freePort() }, late)).rejects.toThrow(
      /No process of this user listens on port \d+/,
    );
    await expect(connect(2_147_483_647, late)).rejects.toMatchObject({ code: 'not_found' });
    await expect(connect({ pid: undefined }, late)).rejects.toThrow('it could not be started');
    const waiting = connect('shop', options);
    const [{ pid }] = await Promise.all([startTarget('shop.cjs'), startTarget('shuts-inspector.cjs')]);
    expect((await waiting).pid).toBe(pid);
    await until(
      'both of them',
      async () => (await app.substrate.apps()).filter((one) => /^sh/.test(one.app_name)).length > 1,
    );
    await expect(connect('sh', options)).rejects.toThrow(/"sh" may be any of .*shuts-inspector.* Name it by its pid/);
  });
});

describe('a matcher', () => {
  it('does not take the state of before', async () => {
    await expect(app).toReachState('shop.orders.length', 0);
    await order('tea');
    // The daemon's cached state is old.
    expect(await app.verify('shop.orders.length === 0')).toMatchObject({ passed: true });
    const stale = expect(app).toReachState('shop.orders.length', 0, { timeout: 100 });
    await expect(stale).rejects.toThrow('shop.orders.length is 1; expected === 0.');
    await order('espresso');
    await expect(expect(app).not.toReachState('shop.orders.length', 2, { timeout: 100 })).rejects.toThrow(
      'expect(app).not.toReachState("shop.orders.length", 2)',
    );
    await expect(app).toReachState('shop.orders', [{ drink: 'tea' }, { drink: 'espresso', isPaid: false }]);
  });

  it('waits, and says what changed meanwhile', async () => {
    let message: string | null = null;
    const failing = expect(app)
      .toReach('shop.orders.length === 99', { timeout: 1000 })
      .catch((error: Error) => {
        message = error.message;
      });
    // Some of them come after its first capture, however long that takes.
    await until('the end of the wait', async () => {
      await order('tea');
      return message !== null;
    });
    await failing;
    expect(message).toMatch(/^shop\.orders\.length is \d+; expected === 99\.$/m);
    expect(message).toMatch(/Changed meanwhile:\n(?: {2}.*\n)* {2}shop\.orders\.length: \d+ → \d+$/m);
  });

  it('says that the program has ended', async () => {
    const target = await startTarget('shop.cjs');
    const shop = await connect(target, options);
    process.kill(target.pid, 'SIGKILL');
    await target.exited;
    await expect(expect(shop).toReach('cart.items.length === 99', { timeout: 4000 })).rejects.toThrow(
      `shop (pid ${target.pid}) has ended.`,
    );
  });
});
