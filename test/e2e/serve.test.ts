import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { appSchema } from '../../src/model/app-schema.ts';
import {
  actionResponse,
  appsResponse,
  diffResponse,
  healthResponse,
  learnResponse,
  schemaResponse,
  substrateState,
  traceResponse,
  verifyResponse,
  watchMessage,
} from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { endAll, pidOf, until } from '../support/real-processes.ts';
import { startTarget } from '../support/targets.ts';

const { inspector } = createHost();

/** Whatever their current name is. */
async function renameVisits(daemon: RunningDaemon, pid: number, name: string): Promise<void> {
  const { capture_id, schema_version, objects } = await daemon.state(pid);
  const observed_key = Object.keys(objects).find((key) => key.startsWith('visits'));
  const corrections = [{ observed_key, correct_label: name, correct_type: 'number' }];
  const { body } = await daemon.post(`/substrate/v1/learn/${pid}`, { capture_id, schema_version, corrections });
  expect(body).toMatchObject({ accepted: 1 });
}

/** One daemon and one app for all of them: each uses the current state, and leaves the app usable. */
describe('the interface of substrate serve, on a plain Node process', () => {
  let daemon: RunningDaemon;
  let pid: number;

  beforeAll(async () => {
    ({ pid } = await startTarget('shop.cjs'));
    daemon = await RunningDaemon.start(makeHome());
    await daemon.state(pid);
  });
  afterAll(async () => {
    await stopAll();
    await endAll();
  });

  const addItem = async (name: string) => {
    const { objects } = await daemon.state(pid);
    const before = Number(objects['cart.items.length']);
    const { status, body } = await daemon.post('/substrate/v1/action', {
      pid,
      action: 'cart.addItem',
      parameters: { name, price: 4 },
      verify_expression: `cart.items.length === ${before + 1} && cart.items[${before}].name === "${name}"`,
    });
    expect(status).toBe(200);
    return { before, action: actionResponse.strict().parse(body) };
  };

  it('says that it is well, also to those without a key', async () => {
    const health = await fetch(`${daemon.base}/health`);
    expect(healthResponse.strict().parse(await health.json())).toMatchObject({ status: 'ok', auth_enabled: true });
    expect((await daemon.get('/substrate/v1/health')).status).toBe(200);
  });

  it('lists the app', async () => {
    const { apps } = appsResponse.strict().parse((await daemon.get('/substrate/v1/apps')).body);
    expect(apps.find((app) => app.pid === pid)).toMatchObject({
      probe_status: 'active',
      has_state: true,
      runtime_name: 'Node.js',
    });
  });

  it('gives its state, without what is secret', async () => {
    const state = substrateState.strict().parse(await daemon.state(pid));
    expect(state).toMatchObject({ pid, app_name: 'shop', runtime: 'v8' });
    expect(state.objects).toMatchObject({
      'cart.items[0].name': 'apple',
      'settings.password': '[redacted]',
      'settings.apiToken': '[redacted]',
    });
    expect(state.confidence).toBeGreaterThanOrEqual(0.8);
    expect(state.confidence_reason).toMatch(/^(?:Variables|Values) of the program were /);
    expect(state.probe_metadata.filtered_object_count).toBe(Object.keys(state.objects).length);
    expect(JSON.stringify(state)).not.toContain('hunter2');
  });

  it('says of an app with nothing but constants that it knows little of it, after a deeper look', async () => {
    const server = await startTarget('constants.cjs');
    const { confidence, confidence_reason, probe_metadata } = await daemon.state(server.pid);
    expect(confidence).toBeLessThan(0.8);
    expect(confidence_reason).toMatch(/^Found constants only/);
    expect(probe_metadata.probe_tier).toBe('heap_snapshot');
    const { apps } = appsResponse.strict().parse((await daemon.get('/substrate/v1/apps')).body);
    // Another capture may have come in between, whose search ended differently.
    expect(apps.find((app) => app.pid === server.pid)).toMatchObject({
      confidence,
      confidence_reason: expect.stringMatching(/^Found constants only/),
    });
  });

  it('gives its actions', async () => {
    const schema = schemaResponse.strict().parse((await daemon.get(`/substrate/v1/schema/${pid}`)).body);
    expect(schema.actions).toHaveProperty(['cart.addItem']);
    expect(schema.actions).toEqual((await daemon.state(pid)).actions);
  });

  it('runs an action, and shows what it did', async () => {
    const { before, action } = await addItem('pear');
    expect(action).toMatchObject({
      success: true,
      executed: true,
      runtime: 'v8',
      raw_return: null,
      invocation_context: null,
    });
    expect(action.state_delta?.['cart.items.length']).toEqual({ before, after: before + 1 });
    expect(action.updated_state?.objects[`cart.items[${before}].price`]).toBe(4);
  });

  it('tells what differs from an earlier capture', async () => {
    const { capture_id } = await daemon.state(pid);
    const { before } = await addItem('plum');
    const diff = diffResponse.strict().parse((await daemon.get(`/substrate/v1/diff/${pid}?since=${capture_id}`)).body);
    expect(diff.changed).toContainEqual({ path: 'cart.items.length', before, after: before + 1 });
    expect(diff.added).toContainEqual({ path: `cart.items[${before}].name`, value: 'plum' });
    expect(diff.removed).toEqual([]);
  });

  it('tells watchers what changed', async () => {
    const socket = daemon.watch(pid);
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await new Promise((resolve) => socket.once('open', resolve));
    const { before } = await addItem('fig');
    await until('a watch message', () => messages.length > 0);
    socket.close();
    expect(messages[0]?.endsWith('\n')).toBe(true);
    const message = watchMessage.strict().parse(JSON.parse(messages[0] ?? ''));
    expect(message).toMatchObject({ pid, prev_capture_id: null });
    expect(message.changed_keys).toContain(`cart.items[${before}].name`);
    expect((await daemon.get(`/substrate/v1/diff/${pid}?since=${message.capture_id}`)).status).toBe(200);
  });

  it('verifies an expression, of an app that is named by its app_id', async () => {
    const { app_id, objects } = await daemon.state(pid);
    const { body } = await daemon.post('/substrate/v1/verify', { app_id, expression: 'cart.items.length > 0' });
    expect(verifyResponse.strict().parse(body)).toMatchObject({
      passed: true,
      poll_cycles: 1,
      actual_value: objects['cart.items.length'],
      changed_fields: [],
    });
  });

  it('learns what a key is called, and calls it so from the next capture on', async () => {
    const { capture_id, schema_version } = await daemon.state(pid);
    const { body } = await daemon.post(`/substrate/v1/learn/${pid}`, {
      capture_id,
      schema_version,
      corrections: [{ observed_key: 'visits', correct_label: 'stats.visitors', correct_type: 'number' }],
    });
    const learned = learnResponse.strict().parse(body);
    expect(learned).toMatchObject({ accepted: 1, rejected: 0 });
    expect(learned.new_schema_version).not.toBe(schema_version);
    const fresh = substrateState.parse((await daemon.get(`/substrate/v1/state/${pid}?fresh=true`)).body);
    expect(fresh.objects['stats.visitors']).toBe(0);
    expect(fresh.objects).not.toHaveProperty('visits');
    expect(fresh.schema_version).toBe(learned.new_schema_version);
    expect(fresh.probe_metadata.cache_hit).toBe(false);
  });

  it('tells watchers that an app has ended, and has no state of it any more', async () => {
    const inbox = await startTarget('inbox.mjs');
    await daemon.state(inbox.pid);
    const socket = daemon.watch(inbox.pid);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, String(reason)])));
    process.kill(inbox.pid, 'SIGKILL');
    expect(await closed).toEqual([1000, 'process_exited']);
    expect((await daemon.app(inbox.pid))?.probe_status).toBe('detached');
    expect(await daemon.get(`/substrate/v1/state/${inbox.pid}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
  });

  it('writes one line for programs and a log for people, with nothing in it that is theirs alone', async () => {
    await addItem('quince');
    expect(daemon.stdout()).toBe(`substrate listening on ${daemon.base}\n`);
    expect(daemon.stderr()).toContain('"app_id":"shop-');
    for (const secret of [daemon.key, 'hunter2', 'tok_live', 'quince']) expect(daemon.stderr()).not.toContain(secret);
  });
});

describe('substrate serve', () => {
  afterEach(async () => {
    await stopAll();
    await endAll();
  });

  it('keeps corrections over restarts of the daemon and of the app, and is active again at once', async () => {
    const home = makeHome();
    const first = await RunningDaemon.start(home);
    const before = await startTarget('inbox.mjs');
    const state = await first.state(before.pid);
    const { body } = await first.post(`/substrate/v1/learn/${before.pid}`, {
      capture_id: state.capture_id,
      schema_version: state.schema_version,
      corrections: [
        {
          observed_key: 'inbox.emails[0].subject',
          correct_label: 'mail.list[0].title',
          correct_type: 'string',
          notes: 'as people say',
        },
      ],
    });
    expect(body).toMatchObject({ accepted: 1 });
    expect(await first.stop()).toBe(0);
    await endAll();

    const after = await startTarget('inbox.mjs');
    const second = await RunningDaemon.start(home, { key: first.key });
    const again = await second.state(after.pid);
    expect(again).toMatchObject({ app_id: state.app_id, schema_version: '1.0.1' });
    expect(again.objects).toMatchObject({ 'mail.list[0].title': 'Hello', 'mail.list[1].title': 'Invoice' });

    // Counts, which are the same on every machine: there is no wait, and one answer of its agent is its state.
    const { body: trace } = await second.get(`/substrate/v1/trace/${after.pid}`);
    const { steps } = traceResponse.parse(trace);
    expect(steps.map(({ step }) => step)).not.toContain('wait until it has settled');
    expect(steps.filter(({ step }) => step === 'Runtime.evaluate')).toHaveLength(4);
    const toState = steps.slice(
      0,
      steps.findIndex(({ step }) => step === 'name the keys'),
    );
    expect(toState.filter(({ step }) => step === 'capture').map(({ depth }) => depth)).toEqual([0, 1]);
  });

  it('detaches from every target when its terminal closes, however often it is told to, and drops watchers without a close frame', async () => {
    const target = await startTarget('shop.cjs');
    const listening = inspector.listeners(target.info);
    const daemon = await RunningDaemon.start(makeHome());
    await daemon.state(target.pid);
    const socket = daemon.watch(target.pid);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    daemon.child.kill('SIGHUP');
    await until('it begins to stop', () => daemon.stderr().includes('stopping'));
    daemon.child.kill('SIGHUP');
    expect(await daemon.stop()).toBe(0);
    expect(await closed).toBe(1006);
    expect(inspector.listeners(target.info)).toEqual(listening);
    expect(target.exitCode()).toBeNull();
    const next = await RunningDaemon.start(makeHome());
    expect((await next.state(target.pid)).objects['cart.items.length']).toBe(1);
  });

  it('leaves keys, schemas and targets whole when it is killed at any moment', async () => {
    const home = makeHome();
    const { key } = await makeKey(home);
    const data = path.join(home, '.local/share/substrate');
    const readJson = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(data, file), 'utf8'));
    const readSchemas = () => {
      const files = fs.readdirSync(path.join(data, 'schemas')).filter((name) => name.endsWith('.json'));
      return files.map((file) => appSchema.parse(readJson(`schemas/${file}`)).app_name);
    };
    const target = await startTarget('shop.cjs');
    const first = await RunningDaemon.start(home, { key });
    await first.state(target.pid);
    expect(await first.stop()).toBe(0);
    expect(readSchemas()).toContain('shop');
    for (let round = 0; round < 4; round++) {
      const daemon = await RunningDaemon.start(home, { key, env: { SUBSTRATE_PROBE__INTERVAL_MS: '50' } });
      // Each correction is written at once.
      if (round % 2 === 1) await renameVisits(daemon, target.pid, `visits${round}`);
      await daemon.stop('SIGKILL');
      expect(readJson('keys.json')).toMatchObject({ keys: [expect.anything()] });
      expect(readSchemas()).toContain('shop');
    }
    expect(target.exitCode()).toBeNull();
    const last = await RunningDaemon.start(home, { key });
    expect((await last.state(target.pid)).app_name).toBe('shop');
    await until('the inspector to be closed', () =>
      inspector.listeners(target.info).every(({ port }) => port !== 9229),
    );
  });

  it('goes to error while an app does not answer, serves its last state, and recovers', async () => {
    const target = await startTarget('shop.cjs');
    const daemon = await RunningDaemon.start(makeHome(), { env: { SUBSTRATE_PROBE__INTERVAL_MS: '50' } });
    await daemon.state(target.pid);
    process.kill(target.pid, 'SIGSTOP');
    await until('the error', async () => (await daemon.app(target.pid))?.probe_status === 'error');
    expect((await daemon.get(`/substrate/v1/state/${target.pid}`)).status).toBe(200);
    const stale = await daemon.get(`/substrate/v1/state/${target.pid}?fresh=true`);
    expect(stale.status).toBeGreaterThanOrEqual(503);
    process.kill(target.pid, 'SIGCONT');
    await until('recovery', async () => (await daemon.app(target.pid))?.probe_status === 'active');
  });

  it('says why an app cannot be probed', async () => {
    const target = await startTarget('own-signal.cjs');
    const daemon = await RunningDaemon.start(makeHome());
    await until('the error', async () => (await daemon.app(target.pid))?.probe_status === 'error');
    const { status, body } = await daemon.get<{ error: { code: string; message: string } }>(
      `/substrate/v1/state/${target.pid}`,
    );
    expect([status, body.error.code]).toEqual([503, 'probe_not_ready']);
    expect(body.error.message).toContain('SIGUSR1');
  });

  it('tracks three apps at once and tells instances of one app apart by pid', async () => {
    const daemon = await RunningDaemon.start(makeHome());
    const targets = await Promise.all(Array.from({ length: 3 }, () => startTarget('inbox.mjs')));
    const states = await Promise.all(targets.map(({ pid }) => daemon.state(pid)));
    expect(new Set(states.map((state) => state.app_id)).size).toBe(1);
    expect(new Set(states.map((state) => state.capture_id)).size).toBe(3);
    const { body } = await daemon.get<{ apps: { pid: number }[] }>('/substrate/v1/apps');
    expect(body.apps.map((app) => app.pid)).toEqual(expect.arrayContaining(targets.map(({ pid }) => pid)));
  });

  it('does not start with a wrong configuration, and says what is wrong', async () => {
    const home = makeHome();
    const config = path.join(home, 'wrong.toml');
    fs.writeFileSync(config, '[server]\nprot = 1\n');
    const typo = await run(home, ['serve', '--config', config]);
    expect(typo).toMatchObject({ code: 1, stdout: '' });
    expect(typo.stderr).toMatch(/wrong\.toml:2.*prot.*port/);
    const open = await run(home, ['serve', '--host', '0.0.0.0'], {
      SUBSTRATE_AUTH__REQUIRE_KEY: 'false',
      SUBSTRATE_SERVER__PORT: '0',
    });
    expect(open).toMatchObject({ code: 1, stdout: '' });
    expect(open.stderr).toContain('without keys');
    const shared = await run(home, ['serve'], {
      SUBSTRATE_AUTH__REQUIRE_KEY: 'false',
      SUBSTRATE_FLEET__SERVERS: 'nats://127.0.0.1:1',
      SUBSTRATE_SERVER__PORT: '0',
    });
    expect(shared).toMatchObject({ code: 1, stdout: '' });
    expect(shared.stderr).toContain('Refusing to join a fleet without keys');
    const holder = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => holder.once('listening', resolve));
    const { port } = holder.address() as net.AddressInfo;
    const taken = await run(home, ['serve', '--port', String(port)]);
    holder.close();
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toContain(`Port ${port} on 127.0.0.1 is taken`);
  });

  it('does not look into another daemon', async () => {
    const first = await RunningDaemon.start(makeHome());
    const second = await RunningDaemon.start(makeHome());
    const target = await startTarget('inbox.mjs');
    // One after the other: the second has noticed the other daemon by now.
    await first.state(target.pid);
    await second.state(target.pid);
    for (const [daemon, other] of [
      [first, second],
      [second, first],
    ] as const) {
      expect(await daemon.app(pidOf(other.child))).toBeUndefined();
    }
  });

  it('leaves a program that it does not know alone at first, and takes one that it knows at once', async () => {
    const home = makeHome();
    const daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__SETTLE_MS: '1500' } });
    const [first, twin] = await Promise.all([startTarget('inbox.mjs'), startTarget('inbox.mjs')]);
    await until('detection', async () => (await daemon.app(first.pid))?.probe_status === 'detecting');
    await until('detection of the other', async () => (await daemon.app(twin.pid))?.probe_status === 'detecting');
    for (const { output } of [first, twin]) expect(output()).not.toContain('Debugger');
    await daemon.state(first.pid);
    const schemas = path.join(home, '.local/share/substrate/schemas');
    await until(
      'the schema on disk',
      () => fs.existsSync(schemas) && fs.readdirSync(schemas).some((name) => name.endsWith('.json')),
    );
    const second = await startTarget('inbox.mjs');
    const statuses = new Set<string | undefined>();
    await until('state', async () => {
      const app = await daemon.app(second.pid);
      statuses.add(app?.probe_status);
      return app?.has_state;
    });
    expect(statuses).not.toContain('detecting');
  });

  it('shows what the configuration allows, and hides the rest', async () => {
    const target = await startTarget('shop.cjs');
    const daemon = await RunningDaemon.start(makeHome(), { env: { SUBSTRATE_REDACT__ALLOW: 'cart,settings.api*' } });
    const { objects } = await daemon.state(target.pid);
    expect(objects).toMatchObject({
      'settings.apiToken': 'tok_live_51Hx8KqLm29vTzR4',
      'settings.password': '[redacted]',
    });
  });

  it('warns when keys are switched off', async () => {
    const daemon = await RunningDaemon.start(makeHome(), { env: { SUBSTRATE_AUTH__REQUIRE_KEY: 'false' } });
    const response = await fetch(`${daemon.base}/substrate/v1/apps`);
    expect(response.status).toBe(200);
    await until('the warning', () => daemon.stderr().includes('API keys are switched off'));
    for (const line of daemon.stderr().trim().split('\n')) JSON.parse(line);
    expect(await (await fetch(`${daemon.base}/health`)).json()).toMatchObject({ auth_enabled: false });
  });
});
