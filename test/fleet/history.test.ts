/** What was published, asked for later. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { Substrate } from '../../src/client/node.ts';
import type { PublishedResponse } from '../../src/model/fleet-wire.ts';
import { startInFleet } from '../support/fleet.ts';
import { type Nats, startJetStream } from '../support/nats.ts';

const APP = 'shop-0123456789abcdef';
const SETTINGS = { publish: ['shop*:queue.**'] };
const WAIT = { timeout: 20_000, interval: 50 };
const V1 = '/substrate/v1';

type Daemon = Awaited<ReturnType<typeof startInFleet>>;

/** As a capture at this second of a minute does. */
function change({ fleet }: Daemon, second: number, values: Record<string, number | undefined>, pid = 42): void {
  fleet.publisher?.changed({
    pid,
    app: { appId: APP, appName: 'Shop', isForeign: false },
    captureId: `00000000-0000-7000-8000-0000000000${second}`,
    timestamp: at(second),
    changes: Object.entries(values).map(([key, after]) => ({ key, before: undefined, after })),
  });
}

const at = (second: number) => `2026-11-17T14:03:${second}.000Z`;

async function streamOf(nats: Nats) {
  const connection = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection);
  return { connection, kept: async () => (await manager.streams.info('substrate_events')).state.messages };
}

it('tells what a key held at a time, also when the host is gone, and only who may read the app', async () => {
  const nats = await startJetStream();
  const host = await startInFleet(nats, 'web-3', { settings: SETTINGS });
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const { kept, connection } = await streamOf(nats);
  await vi.waitFor(kept, WAIT);
  change(host, 10, { 'queue.length': 3, 'queue.open': 1, other: 9 });
  change(host, 20, { 'queue.length': 4 });
  change(host, 25, { 'queue.length': 1 }, 43);
  change(host, 30, { 'queue.length': 5, 'queue.open': undefined });
  // Whoever the server lets publish there may say anything.
  for (const text of ['', 'nonsense', '{"pid":1}', '['.repeat(10_000), '{"values":{"__proto__":1}}'])
    connection.publish(`substrate.events.v1.web-3.${APP}`, text);
  await connection.flush();
  host.fleet.publisher?.forgotten(43);
  await vi.waitFor(async () => expect(await kept()).toBe(10), WAIT);
  await host.fleet.close();

  const ask = async (query: string, keys = 'queue.length,queue.open,other') =>
    gateway.get(`${V1}/published?host=web-3&keys=${keys}&${query}`);
  const answer = (await ask(`app=shop&from=${at(22)}`)).json() as PublishedResponse;
  expect(answer).toEqual({
    ...{ host: 'web-3', app_id: APP, from: at(22), to: at(22), lost: 0 },
    series: [
      { key: 'queue.length', pid: 42, seen_at: at(20), points: [{ at: at(20), value: 4 }] },
      { key: 'queue.open', pid: 42, seen_at: at(20), points: [{ at: at(10), value: 1 }] },
    ],
  });
  const span = (await ask(`app=${APP}&from=${at(15)}&to=${at(59)}`)).json() as PublishedResponse;
  expect(span.series.filter(({ pid }) => pid === 42).map(({ points }) => points)).toEqual([
    [
      { at: at(10), value: 3 },
      { at: at(20), value: 4 },
      { at: at(30), value: 5 },
    ],
    [{ at: at(10), value: 1 }, { at: at(30) }],
  ]);
  expect(((await ask(`app=shop&from=${at(5).replace(':5.', ':05.')}`)).json() as PublishedResponse).series).toEqual([]);
  expect((await ask('app=tea')).error()).toMatchObject({ code: 'not_found', message: expect.stringContaining(APP) });
  expect((await ask(`app=shop&from=${at(30)}&to=${at(20)}`)).error().code).toBe('invalid_request');
  const { key } = await gateway.keys.create('of tea', { apps: ['tea*'] });
  const refused = await gateway.get(`${V1}/published?host=web-3&app=shop&keys=a`, { 'X-Substrate-Key': key });
  expect(refused.error().code).toBe('forbidden_scope');

  const substrate = new Substrate({ baseUrl: gateway.url, key: gateway.key });
  expect((await substrate.published('web-3/shop', ['queue.length'], { at: at(22) })).series[0]?.points[0]?.value).toBe(
    4,
  );
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) > 0, isTTY: false };
  const terminal = createTerminal(stream, stream, {});
  const program = createProgram({ terminal, env: { SUBSTRATE_KEY: gateway.key }, homeDir: '/nowhere' });
  const words = ['history', 'web-3/shop', 'queue.length', '--at', at(22), '--url', gateway.url];
  await program.parseAsync(['node', 'substrate', ...words]);
  expect(said.join('')).toContain(`queue.length = 4  since ${at(20)}`);
});

it('survives restarts of daemon and server, tells again what is held, and says where something is missing', async () => {
  const nats = await startJetStream();
  const host = await startInFleet(nats, 'web-3', { settings: SETTINGS });
  const { kept } = await streamOf(nats);
  await vi.waitFor(kept, WAIT);
  change(host, 10, { 'queue.length': 3, 'queue.open': 1 });
  await vi.waitFor(async () => expect(await kept()).toBe(1), WAIT);
  await nats.kill();
  await vi.waitFor(() => expect(host.fleet.problem).not.toBeNull());
  change(host, 20, { 'queue.length': 4 });
  await nats.start();
  // It is told again, as it is now.
  await vi.waitFor(async () => expect(await kept()).toBe(2), WAIT);
  const ask = async (daemon: Daemon, query = '') =>
    (await daemon.get(`${V1}/published?app=shop&keys=queue.length${query}`)).json() as PublishedResponse;
  expect((await ask(host)).series[0]?.points.map(({ value }) => value)).toEqual([4]);
  const whole = await ask(host, `&from=${at(10)}&to=${new Date().toISOString()}`);
  expect(whole).toMatchObject({ lost: 1, series: [{ points: [{ at: at(10), value: 3 }, { value: 4 }] }] });
  await host.fleet.close();
  const again = await startInFleet(nats, 'web-3', { settings: SETTINGS });
  expect(await ask(again, `&from=${at(11)}`)).toMatchObject({ series: [{ points: [{ value: 3 }] }] });
});
