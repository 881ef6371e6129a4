/** What one host learns of an app, the others know. */
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { connect } from '@nats-io/transport-node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { checkFleet } from '../../src/cli/doctor/fleet-checks.ts';
import { configSchema } from '../../src/config-schema.ts';
import { Teaching } from '../../src/daemon/teaching.ts';
import { type AppSchema, emptySchema, type LabelEntry } from '../../src/model/app-schema.ts';
import type { AuditEntry } from '../../src/model/audit-entry.ts';
import { FactStore } from '../../src/store/fact-store.ts';
import { SchemaRegistry } from '../../src/store/schema-registry.ts';
import { startInFleet } from '../support/fleet.ts';
import { type Nats, startJetStream, startNats } from '../support/nats.ts';
import { tempFolder } from '../unit/store/temp-folder.ts';

const APP = 'shop-0123456789abcdef';
const WAIT = { timeout: 20_000, interval: 50 };

/** A daemon whose app has come to be known, but does not run now. */
async function knowingHost(nats: Nats, host: string) {
  const folder = tempFolder();
  const ignore = () => {};
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const registry = new SchemaRegistry({ dir: path.join(folder, 'schemas'), logger });
  const bases = new FactStore({ dir: path.join(folder, 'fleet'), logger });
  const audit: AuditEntry[] = [];
  const started: string[] = [];
  const teaching = new Teaching({
    tracker: { instances: () => [], becameKnown: (appId) => started.push(appId) },
    schemas: registry,
    actionLog: { note: (entry) => audit.push(entry), begin: () => ignore },
  });
  const daemon = await startInFleet(nats, host, {
    schemas: { knowledgeAs: (name) => teaching.knowledgeAs(name), bases },
  });
  onTestFinished(async () => {
    await registry.flush();
    await bases.flush();
  });
  return {
    ...daemon,
    audit,
    started,
    get labels(): AppSchema['labels'] {
      return registry.load(APP)?.labels ?? {};
    },
    get schema(): AppSchema | null {
      return registry.load(APP);
    },
    found: () => daemon.fleet.schemaChanged(APP),
    say(where: string, label: string, more: Partial<LabelEntry> = {}) {
      const schema = registry.load(APP) ?? emptySchema(APP, 'Shop');
      schema.labels[where] = { label, type: 'number', confidence: 0.9, confirmed: true, by: 'key_1', ...more };
      registry.save(schema);
      daemon.fleet.schemaChanged(APP);
    },
  };
}

async function bucketOf(nats: Nats) {
  const connection = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => connection.close());
  return new Kvm(connection).open('substrate_schemas');
}

it('knows on every host what was taught on one, with who said it; whoever knows it may say something else', async () => {
  const nats = await startJetStream();
  const [one, other] = [await knowingHost(nats, 'web-1'), await knowingHost(nats, 'web-2')];
  one.say('a.n', 'queue.length');
  one.say('a.m', 'queue.m', { confirmed: false });
  other.found();
  await vi.waitFor(() => expect(other.started).toContain(APP), WAIT);
  await vi.waitFor(() => expect(Object.keys(other.labels).sort()).toEqual(['a.m', 'a.n']), WAIT);
  // Nobody has looked at it there: no gate opens by it.
  expect(other.labels['a.n']).toMatchObject({
    label: 'queue.length',
    confirmed: true,
    imported: true,
    by: 'web-1/key_1',
  });
  expect(other.audit).toMatchObject([{ event: 'learn', key_id: 'web-1/key_1', action: 'a.n is queue.length' }]);
  other.say('a.n', 'line.length', { by: 'key_2' });
  await vi.waitFor(() => expect(one.labels['a.n']).toMatchObject({ label: 'line.length', by: 'web-2/key_2' }), WAIT);
  expect(other.labels['a.n']).toMatchObject({ label: 'line.length', by: 'key_2' });
  expect(other.labels['a.n']).not.toHaveProperty('imported');
  expect(one.schema?.schema_version).not.toBe('1.0.0');
});

it('lets what came first stand where two hosts did not hear of each other, and gives no name twice', async () => {
  const nats = await startJetStream();
  const [one, other] = [await knowingHost(nats, 'web-1'), await knowingHost(nats, 'web-2')];
  for (const host of [one, other]) host.found();
  one.say('a.n', 'first');
  await vi.waitFor(() => expect(other.labels['a.n']?.label).toBe('first'), WAIT);
  await nats.kill();
  one.say('a.n', 'mine');
  other.say('a.n', 'yours');
  one.say('b', 'total');
  other.say('c', 'total');
  await nats.start();
  await vi.waitFor(() => {
    const [left, right] = [one, other].map(({ labels }) =>
      Object.fromEntries(Object.entries(labels).map(([where, { label }]) => [where, label])),
    );
    expect(left).toEqual(right);
    expect(Object.values(left ?? {}).filter((label) => label === 'total')).toHaveLength(1);
    expect(['mine', 'yours']).toContain(left?.['a.n']);
    const refused = [one, other].flatMap(({ audit }) => audit.filter(({ outcome }) => outcome === 'refused'));
    expect(refused.length).toBeGreaterThan(0);
  }, WAIT);
});

it('works as before where the server keeps nothing, and says what is missing', async () => {
  const nats = await startNats();
  const host = await knowingHost(nats, 'web-1');
  host.say('a.n', 'queue.length');
  await vi.waitFor(() => expect(JSON.stringify(host.log)).toContain('Corrections are not shared with other hosts'));
  expect((await host.get('/substrate/v1/apps')).status).toBe(200);
  const settings = configSchema.parse({ fleet: { servers: [nats.address], host: 'web-1' } }).fleet;
  const checks = await checkFleet(settings, true);
  expect(checks.find(({ id }) => id === 'fleet_jetstream')).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('JetStream of the NATS server is off. Hosts do not learn from each other'),
  });
  const published = await host.get('/substrate/v1/published?app=shop&keys=n');
  expect(published.error()).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('No history is kept'),
  });
});

it('believes nothing that is no schema, and writes over none that it does not understand', async () => {
  const nats = await startJetStream();
  const host = await knowingHost(nats, 'web-1');
  host.say('x.y', 'known');
  const bucket = await bucketOf(nats);
  const label = { label: 'l', type: 'number', confidence: 1, confirmed: true };
  await vi.waitFor(async () => expect((await bucket.get(APP))?.string()).toContain('known'), WAIT);
  const good = { ...(await bucket.get(APP))?.json<object>() };
  const hostile = {
    ...good,
    labels: [
      { ...label, path: '__proto__.x' },
      { ...label, path: 'a', label: '__proto__' },
      { ...label, path: 'token["ghp_0123456789abcdefghijklmnopqrstuvwxyz12"]' },
      { ...label, path: 'fine', label: 'good', by: 'web-9/key_9' },
    ],
    actions: [{ action: '__proto__', name: 'x', returns: 'number', confidence: 1 }],
  };
  await bucket.put(APP, JSON.stringify(hostile));
  await vi.waitFor(() => expect(host.labels.fine).toMatchObject({ label: 'good', imported: true }), WAIT);
  expect(Object.keys(host.labels).sort()).toEqual(['fine', 'x.y']);
  for (const text of ['', 'nonsense', '{"format":"substrate-fleet-schema/2"}', '['.repeat(50_000)]) {
    await bucket.put(APP, text);
    await vi.waitFor(() => expect(JSON.stringify(host.log)).toContain('cannot be read'), WAIT);
    host.log.length = 0;
    expect((await bucket.get(APP))?.string()).toBe(text);
  }
  expect(Object.keys(host.labels).sort()).toEqual(['fine', 'x.y']);
});

it('opens a bucket that an operator has made', async () => {
  const nats = await startJetStream();
  const connection = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => connection.close());
  await new Kvm(connection).create('substrate_schemas', { history: 1, max_bytes: 1024 * 1024 });
  const host = await knowingHost(nats, 'web-1');
  host.say('a.n', 'queue.length');
  const manager = await jetstreamManager(connection);
  await vi.waitFor(async () => {
    const { state, config } = await manager.streams.info('KV_substrate_schemas');
    expect([state.messages, config.max_bytes]).toEqual([1, 1024 * 1024]);
  }, WAIT);
});
