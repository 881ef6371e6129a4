import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ActionFailedError,
  ConnectionError,
  Substrate,
  SubstrateError,
  VerificationError,
  type WatchEvent,
} from '../../src/client/node.ts';
import { makeHome, makeKey, RunningDaemon, stopAll } from '../support/daemon.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

describe('the client', () => {
  let daemon: RunningDaemon;
  let target: Target;
  let substrate: Substrate;
  let home: string;
  let key: string;

  /** One daemon and one app for all of them; the last two end it. */
  beforeAll(async () => {
    target = await startTarget('shop.cjs');
    home = makeHome();
    ({ key } = await makeKey(home));
    daemon = await RunningDaemon.start(home, { key, env: { SUBSTRATE_PROBE__INTERVAL_MS: '100' } });
    await daemon.state(target.pid);
    substrate = new Substrate({ baseUrl: `${daemon.base}/`, key });
  });
  afterAll(async () => {
    await stopAll();
    await endAll();
  });

  it('reads everything that the daemon tells', async () => {
    expect(await substrate.health()).toMatchObject({ status: 'ok', auth_enabled: true });
    const app = await substrate.app(target.pid);
    expect(await substrate.apps()).toContainEqual(expect.objectContaining({ pid: target.pid, app_id: app.app_id }));
    const state = await substrate.state(app.app_id, { fresh: true });
    expect(state).toMatchObject({ pid: target.pid, runtime: 'v8' });
    expect(state.objects).toMatchObject({ 'cart.items[0].name': 'apple', 'settings.password': '[redacted]' });
    const part = await substrate.state(app.app_id, { keys: ['cart.items[*].name', 'settings'] });
    expect(Object.keys(part.objects)).toEqual(expect.arrayContaining(['cart.items[0].name', 'settings.password']));
    expect(Object.keys(part.objects).filter((key) => !/^cart\.items\[0\]\.name$|^settings/.test(key))).toEqual([]);
    expect(await substrate.stateIfChanged(target.pid, state, { fresh: true })).toBeNull();
    expect(Object.keys(await substrate.actions(target.pid))).toEqual(Object.keys(state.actions));
    expect(await substrate.schema(app.app_id)).toMatchObject({ schema_version: state.schema_version });
    expect(await substrate.diff(target.pid, state.capture_id)).toMatchObject({ changed: [], added: [], removed: [] });
    expect(await substrate.look(app.app_id)).toBeUndefined();
    await expect(substrate.look(2_147_483_647)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('acts, and throws what went wrong', async () => {
    const bought = await substrate.action(
      target.pid,
      'cart.addItem',
      { name: 'pear', price: 3 },
      { verify: 'cart.items.length === 2' },
    );
    expect(bought).toMatchObject({ success: true, verification: { passed: true } });
    const caught = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: unknown) => error,
      );
    const refused = await caught(substrate.action(target.pid, 'cart.addItems'));
    expect(refused).toBeInstanceOf(SubstrateError);
    expect(refused).toMatchObject({ code: 'unknown_action', status: 400, executed: false });
    const unproven = { verify: 'cart.coupon === "y"', verifyTimeoutMs: 300 };
    const failed = await caught(substrate.action(target.pid, 'cart.setCoupon', { coupon: 'x' }, unproven));
    expect(failed).toBeInstanceOf(VerificationError);
    expect(failed).toMatchObject({ response: { executed: true, verification: { passed: false } } });
    const thrown = { verify: 'cart.items.length >= 0' };
    const broken = await caught(substrate.action(target.pid, 'cart.applyDiscount', { share: 2 }, thrown));
    expect(broken).toBeInstanceOf(ActionFailedError);
    expect(broken).toMatchObject({ message: expect.stringContaining('share must be between 0 and 1') });
    expect(await substrate.tryAction(target.pid, 'cart.applyDiscount', { share: 2 }, thrown)).toMatchObject({
      success: false,
    });
    expect(await substrate.verify(target.pid, 'cart.items.length === 9', { timeoutMs: 100 })).toMatchObject({
      passed: false,
    });
  });

  it('names an app by its id, and says which there are', async () => {
    const { app_id } = await substrate.app(target.pid);
    expect((await substrate.state(app_id)).pid).toBe(target.pid);
    await expect(substrate.state('no-such-app')).rejects.toThrow(app_id);
  });

  it('teaches names', async () => {
    const state = await substrate.state(target.pid);
    const correction = { observed_key: 'visits', correct_label: 'shop.visitors', correct_type: 'number' };
    expect(await substrate.learn(target.pid, state, [correction])).toMatchObject({ accepted: 1, rejected: 0 });
    await until(
      'the name',
      async () => 'shop.visitors' in (await substrate.state(target.pid, { fresh: true })).objects,
    );
  });

  it('waits where there were too many requests, as long as it is told', async () => {
    // A hundred are allowed at once.
    const states = await Promise.all(Array.from({ length: 130 }, () => substrate.state(target.pid)));
    expect(states).toHaveLength(130);
  });

  it('says where nobody answers, and who is no substrate', async () => {
    await expect(new Substrate({ baseUrl: 'http://127.0.0.1:1' }).apps()).rejects.toThrow('substrate up');
    const other = createServer((_request, response) => response.writeHead(404).end('<html>'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const error = await new Substrate({ baseUrl: `http://127.0.0.1:${port}` })
      .apps()
      .catch((thrown: unknown) => thrown);
    other.close();
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining('no substrate') });
    await expect(new Substrate({ baseUrl: daemon.base, key: 'sk_wrong' }).apps()).rejects.toMatchObject({
      code: 'invalid_key',
    });
  });

  it('does not go on trying where it is not wanted', async () => {
    const first = (client: Substrate, pid: number) => client.watch(pid).next();
    await expect(first(new Substrate({ baseUrl: daemon.base, key: 'sk_wrong' }), target.pid)).rejects.toMatchObject({
      code: 'invalid_key',
    });
    await expect(first(substrate, 999_999)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('tells the state and then its changes, until the app ends', async () => {
    const events: WatchEvent[] = [];
    const watching = (async () => {
      for await (const event of substrate.watch(target.pid)) events.push(event);
    })();
    await until('the state', () => events[0]?.kind === 'state');
    await substrate.action(target.pid, 'cart.setCoupon', { coupon: 'TEN' });
    await until('the change', () =>
      events.some((event) => event.kind === 'change' && event.changed_keys.includes('cart.coupon')),
    );
    process.kill(target.pid, 'SIGKILL');
    await watching;
    expect(events.filter(({ kind }) => kind === 'state')).toHaveLength(1);
  });

  it('comes back after the daemon was gone, and tells the state again', async () => {
    target = await startTarget('shop.cjs');
    await daemon.state(target.pid);
    const port = new URL(daemon.base).port;
    const stop = new AbortController();
    const events: WatchEvent[] = [];
    const watching = (async () => {
      const client = new Substrate({ baseUrl: daemon.base, key });
      for await (const event of client.watch(target.pid, { signal: stop.signal })) events.push(event);
    })();
    await until('the state', () => events.length === 1);
    await daemon.stop('SIGKILL');
    daemon = await RunningDaemon.start(home, { key, env: { SUBSTRATE_SERVER__PORT: port } });
    await until('the state again', () => events.filter(({ kind }) => kind === 'state').length === 2);
    stop.abort(new Error('enough'));
    await expect(watching).rejects.toThrow('enough');
  });
});
