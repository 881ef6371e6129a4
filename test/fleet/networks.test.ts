/** Three daemons as users run them, each in a network of its own, with real apps. */
import path from 'node:path';
import { connect } from '@nats-io/transport-node';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { PublishedResponse } from '../../src/model/fleet-wire.ts';
import type { SubstrateState } from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, stopAll } from '../support/daemon.ts';
import { startJetStream } from '../support/nats.ts';
import { makeNetwork, type Network } from '../support/networks.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';

const SHOP = path.resolve(import.meta.dirname, '../../examples/coffee-shop.mjs');
const V1 = '/substrate/v1';

afterAll(async () => {
  await stopAll();
  await endAll();
});

it('answers, learns and remembers across networks that come and go', async () => {
  // Pings as after minutes: a cut that lasts is noticed in seconds.
  const limits = 'max_pending: 2097152\nwrite_deadline: "1s"';
  const nats = await startJetStream(`host: 0.0.0.0\nping_interval: "1s"\nping_max: 2\n${limits}`);
  onTestFinished(async () => {
    await stopAll();
    await endAll();
  });
  const keys = makeHome();
  const { key } = await makeKey(keys);
  const start = (host: string, network: Network, env: Record<string, string> = {}) =>
    RunningDaemon.start(makeHome(), {
      key,
      by: network.by,
      env: {
        SUBSTRATE_AUTH__KEYS_FILE: path.join(keys, '.local/share/substrate/keys.json'),
        SUBSTRATE_SERVER__HOST: network.address,
        SUBSTRATE_FLEET__SERVERS: `nats://${network.server}:${nats.port}`,
        SUBSTRATE_FLEET__PLAIN_TEXT: 'true',
        SUBSTRATE_FLEET__HOST: host,
        SUBSTRATE_FLEET__PUBLISH: 'coffee*:shop.**',
        SUBSTRATE_SCANNER__ATTACH: 'asked',
        SUBSTRATE_PROBE__INTERVAL_MS: '100',
        ...env,
      },
    });
  const networks = [makeNetwork(1), makeNetwork(2), makeNetwork(3)] as const;
  const [there, other, here] = networks;
  const [gateway, first, second, shop, sibling] = await Promise.all([
    start('gate', here, { SUBSTRATE_SCANNER__ATTACH: 'none' }),
    start('web-1', there),
    start('web-2', other),
    startProgram(process.execPath, [SHOP], { by: there.by }),
    startProgram(process.execPath, [SHOP], { by: other.by }),
  ]);
  const stateOf = (host: string, pid: number) => gateway.get<SubstrateState>(`${V1}/hosts/${host}/state/${pid}`);
  const isThere = (host: string, pid: number) =>
    until(`the state of ${host}`, async () => ((await stateOf(host, pid)).status === 200 ? true : null));
  await isThere('web-1', shop.pid);
  expect((await gateway.get(`${V1}/hosts`)).body).toMatchObject({ total: 3, host: 'gate' });

  // Taught on one, known on the other.
  const { body: state } = await stateOf('web-1', shop.pid);
  const learn = await gateway.post(`${V1}/hosts/web-1/learn/${shop.pid}`, {
    capture_id: state.capture_id,
    schema_version: state.schema_version,
    feedback_type: 'label_correction',
    corrections: [{ observed_key: 'shop.served', correct_label: 'shop.customersServed', correct_type: 'number' }],
  });
  expect(learn.body).toMatchObject({ accepted: 1 });
  await isThere('web-2', sibling.pid);
  await until('the name on the other host', async () => {
    const { body } = await stateOf('web-2', sibling.pid);
    return 'shop.customersServed' in (body.objects ?? {});
  });

  // An action runs once on the host that is meant, whichever way it is asked for.
  const act = { pid: shop.pid, action: 'shop.setSpecial', parameters: { drink: 'water' } };
  const done = await gateway.post(`${V1}/hosts/web-1/action`, act);
  expect(done.body).toMatchObject({ success: true });
  expect((await stateOf('web-2', sibling.pid)).body.objects).not.toMatchObject({ 'shop.special': 'water' });

  // One that does not read is given up by the server; the others do not notice, and it comes back.
  gateway.child.kill('SIGSTOP');
  const flood = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => flood.close());
  for (let count = 0; count < 40; count++) {
    flood.publish('substrate.v1.gate.get.apps', new Uint8Array(1_000_000), { reply: 'nobody' });
    await flood.flush();
  }
  await until('the server to give the gateway up', () => nats.output().includes('Slow Consumer'));
  expect((await second.get(`${V1}/hosts/web-1/state/${shop.pid}`)).status).toBe(200);
  gateway.child.kill('SIGCONT');
  await isThere('web-1', shop.pid);

  // A cable is pulled, for long enough that the server gives the host up.
  other.cut();
  const began = performance.now();
  const cut = await stateOf('web-2', sibling.pid);
  expect([cut.status, cut.body]).toMatchObject([504, { error: { code: 'host_unreachable' } }]);
  // Far from the 30 s that the route may take.
  expect(performance.now() - began).toBeLessThan(15_000);
  await until('the server to give it up', async () => {
    const { body } = await stateOf('web-2', sibling.pid);
    return JSON.stringify(body).includes('No daemon of this name');
  });
  expect((await stateOf('web-1', shop.pid)).status).toBe(200);
  other.mend();
  await until('the host to come back', async () => (await stateOf('web-2', sibling.pid)).status === 200);

  // The server is killed, and back.
  await nats.kill();
  await until('the server to be missed', async () => (await stateOf('web-1', shop.pid)).status === 504);
  await nats.start();
  await Promise.all([isThere('web-1', shop.pid), isThere('web-2', sibling.pid)]);

  // A daemon dies without a word: the fleet says so, and still knows what was.
  const published = async () => {
    const query = `host=web-1&app=coffee&keys=shop.special&from=${new Date().toISOString()}`;
    return (await gateway.get<PublishedResponse>(`${V1}/published?${query}`)).body.series?.[0]?.points[0]?.value;
  };
  await until('the history', async () => (await published()) === 'water');
  await first.stop('SIGKILL');
  await until('the host to be gone', async () => (await stateOf('web-1', shop.pid)).status === 504);
  expect(await published()).toBe('water');
  expect((await second.get(`${V1}/apps`)).status).toBe(200);
});
