import { once } from 'node:events';
import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionResponse, ErrorBody, SubstrateState, WatchMessage } from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, stopAll } from '../support/daemon.ts';
import { SHOP, startJava } from '../support/java.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

type Reply = ActionResponse & ErrorBody;

describe('a Java program behind the daemon', () => {
  let daemon: RunningDaemon;
  let target: Target;

  afterEach(async () => {
    await stopAll();
    await endAll();
  });

  async function begin(env: Record<string, string> = {}, home = makeHome()): Promise<void> {
    target = await startJava(SHOP);
    daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__INTERVAL_MS: '100', ...env } });
    await daemon.state(target.pid);
  }
  const read = async () => (await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}?fresh=true`)).body;
  const act = (body: object) =>
    daemon.post<Reply>('/substrate/v1/action', { pid: target.pid, parameters: {}, ...body });

  it('is served with what only a variable of main holds', async () => {
    await begin();
    const state = await read();
    expect(state).toMatchObject({
      app_name: 'Coffeeshop',
      runtime: 'jvm',
      probe_metadata: { probe_tier: 'jvmti', dom_tier_used: false },
      objects: {
        'shop.name': 'Corner Café',
        'shop.opened': '2019-05-17',
        'shop.guests[0].name': 'Ada',
        'shop.guests[0].status': 'REGULAR',
        'shop.prices["flat white"]': 3.4,
      },
    });
    expect(state.confidence).toBeGreaterThan(0.8);
  });

  it('does what it is told and proves it, and says which method ran where', async () => {
    await begin();
    const { status, body } = await act({
      action: 'shop.serve',
      parameters: { drink: 'espresso' },
      verify_expression: 'shop.served === 1',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      executed: true,
      runtime: 'jvm',
      raw_return: 1,
      verification: { passed: true },
      invocation_context: {
        class: 'com.example.coffeeshop.CoffeeShop',
        method: 'serve',
        descriptor: '(Ljava/lang/String;)I',
        instance: expect.stringMatching(/^CoffeeShop@[0-9a-f]+$/),
        thread: expect.any(String),
      },
      state_delta: { 'shop.served': { before: 0, after: 1 } },
    });
  });

  it('reports what the program throws as a result', async () => {
    await begin();
    const { status, body } = await act({
      action: 'shop.serve',
      parameters: { drink: 'mud' },
      verify_expression: 'shop.served === 0',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      executed: true,
      message: expect.stringContaining('we have no mud'),
      raw_return: { exception: 'java.lang.IllegalArgumentException', message: 'we have no mud' },
    });
  });

  it('refuses values that do not fit before anything runs', async () => {
    await begin();
    const { status, body } = await act({
      action: 'shop.welcome',
      parameters: { guest: 'Linus', status: 'KING' },
      verify_expression: 'shop.guests.length === 3',
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      message: 'parameters.status is "KING"; expected one of NEW, REGULAR, VIP.',
    });
    expect((await read()).objects['shop.guests.length']).toBe(2);
  });

  it('tells watchers of what the program does by itself', async () => {
    await begin();
    const socket = daemon.watch(target.pid);
    await once(socket, 'open');
    const message = once(socket, 'message');
    target.write('o');
    const [data] = await message;
    const { changed_keys } = JSON.parse(String(data)) as WatchMessage;
    expect(changed_keys).toContain('shop.served');
  });

  it('needs no second agent after the daemon was killed', async () => {
    const home = makeHome();
    const { key } = await makeKey(home);
    await begin({}, home);
    const mapped = () => fs.readFileSync(`/proc/${target.pid}/maps`, 'utf8').match(/substrate-jvm-\S+\.so/g) ?? [];
    const before = mapped();
    expect(before.length).toBeGreaterThan(0);
    daemon.child.kill('SIGKILL');
    await once(daemon.child, 'exit');
    daemon = await RunningDaemon.start(home, { key, env: { SUBSTRATE_PROBE__INTERVAL_MS: '100' } });
    expect((await daemon.state(target.pid)).objects['shop.name']).toBe('Corner Café');
    expect(mapped()).toEqual(before);
  });

  it('leaves nothing behind when the daemon stops', async () => {
    await begin();
    const folders = () => fs.readdirSync('/tmp').filter((name) => name.startsWith(`substrate-jvm-${target.pid}-`));
    expect(folders()).toHaveLength(1);
    await daemon.stop();
    await until('the folder to be gone', () => folders().length === 0);
    const threads = () =>
      fs.readdirSync(`/proc/${target.pid}/task`).map((id) => {
        return fs.readFileSync(`/proc/${target.pid}/task/${id}/comm`, 'utf8').trim();
      });
    await until('the threads to be gone', () => !threads().some((name) => name.startsWith('substrate')));
    expect(target.exitCode()).toBeNull();
    expect(target.output()).toBe('open\n');
  });
});
