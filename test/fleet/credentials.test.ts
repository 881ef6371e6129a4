/** The access rules of the NATS server. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { expect, it, vi } from 'vitest';
import { checkFleet } from '../../src/cli/doctor/fleet-checks.ts';
import { configSchema } from '../../src/config-schema.ts';
import { Teaching } from '../../src/daemon/teaching.ts';
import { type AppSchema, emptySchema } from '../../src/model/app-schema.ts';
import { startInFleet } from '../support/fleet.ts';
import { type Nats, startJetStream, startNats } from '../support/nats.ts';
import { tempFolder } from '../unit/store/temp-folder.ts';

const settingsOf = (nats: Nats, more: object = {}) =>
  configSchema.parse({ fleet: { servers: [nats.address], host: 'web-3', ...more } }).fleet;

const V1 = '/substrate/v1';

it('says that its credentials are refused, and joins when they are accepted', async () => {
  const [good, bad] = [nkeys.createUser(), nkeys.createUser()];
  const nats = await startNats(`authorization: { users: [ { nkey: ${good.getPublicKey()} } ] }`);
  const host = await startInFleet(nats, 'web-3', { credentials: good.getSeed() });
  const refused = await startInFleet(nats, 'gate', { credentials: bad.getSeed(), joins: false });
  const anonymous = await startInFleet(nats, 'other', { joins: false });
  for (const { fleet } of [refused, anonymous])
    await vi.waitFor(() => expect(fleet.problem).toContain('refuses the credentials of [fleet]'));
  const answer = await refused.get(`${V1}/hosts/web-3/apps`);
  expect(answer.error()).toMatchObject({ code: 'host_unreachable', message: expect.stringContaining('credentials') });
  expect((await refused.get(`${V1}/hosts`)).json()).toMatchObject({ total: 0, hosts: [] });
  expect((await host.get(`${V1}/hosts`)).json()).toMatchObject({ total: 1 });
});

it('says what the server does not permit, on either side', async () => {
  const [asking, answering] = [nkeys.createUser(), nkeys.createUser()];
  const nats = await startNats(`authorization: { users: [
    { nkey: ${asking.getPublicKey()}, permissions: { publish: { deny: ["substrate.v1.*.post.>"] } } },
    { nkey: ${answering.getPublicKey()}, permissions: { subscribe: { deny: ["substrate.v1.silent.>"] } } },
  ] }`);
  const host = await startInFleet(nats, 'web-3', { credentials: answering.getSeed() });
  const gateway = await startInFleet(nats, 'gate', { credentials: asking.getSeed(), sharedKeys: host.keysFile });
  expect((await gateway.get(`${V1}/hosts/web-3/apps`)).status).toBe(200);
  const refused = await gateway.post(`${V1}/hosts/web-3/verify`, { pid: 1, expression: 'true' });
  expect(refused.error().code).toBe('host_unreachable');
  const silent = await startInFleet(nats, 'silent', { credentials: answering.getSeed(), joins: false });
  await vi.waitFor(() => expect(silent.fleet.problem).toContain('does not let this daemon answer'));
});

it('is reached over TLS, and not where the certificate is of somebody else', async () => {
  const folder = tempFolder();
  const certificate = (name: string) => {
    const [cert, key] = [path.join(folder, `${name}.pem`), path.join(folder, `${name}.key`)];
    const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    execFileSync('openssl', ['req', ...made, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { cert, key };
  };
  const [ours, others] = [certificate('ours'), certificate('others')];
  const nats = await startNats(`tls: { cert_file: "${ours.cert}", key_file: "${ours.key}" }`);
  const servers = [nats.address.replace('nats://', 'tls://')];
  const host = await startInFleet(nats, 'web-3', { settings: { servers, ca_file: ours.cert } });
  expect((await host.get(`${V1}/hosts/web-3/apps`)).status).toBe(200);
  const wrong = await startInFleet(nats, 'gate', { settings: { servers, ca_file: others.cert }, joins: false });
  await vi.waitFor(() => expect(wrong.fleet.problem).toContain('is not reached'));
  const [found] = await checkFleet(settingsOf(nats, { servers, ca_file: others.cert }), false);
  expect(found).toMatchObject({ status: 'problem', remedy: expect.stringContaining('ca_file') });
});

it('is looked at by the doctor: reached or not, with which rights, and what helps', async () => {
  const [reader, stranger] = [nkeys.createUser(), nkeys.createUser()];
  const nats = await startJetStream(`authorization: { users: [
    { nkey: ${reader.getPublicKey()}, permissions: { publish: { deny: ["substrate.v1.*.post.>"] } } },
  ] }`);
  const file = path.join(tempFolder(), 'seed');
  const look = async (seed: Uint8Array, isRunning = false) => {
    writeFileSync(file, seed, { mode: 0o600 });
    return checkFleet(settingsOf(nats, { credentials: file }), isRunning);
  };
  expect(await look(stranger.getSeed())).toEqual([
    {
      id: 'fleet',
      status: 'problem',
      message: expect.stringContaining('refuses the credentials'),
      remedy: expect.stringContaining('credentials in [fleet]'),
    },
  ]);
  expect(await look(reader.getSeed(), true)).toMatchObject([
    { id: 'fleet', status: 'ok', message: expect.stringContaining('no daemon answers there') },
    {
      id: 'fleet_rights',
      status: 'warning',
      message: expect.stringMatching(/does not let this daemon act on other hosts\.$/),
    },
    { id: 'fleet_jetstream', status: 'ok' },
    { id: 'fleet_host', status: 'warning' },
  ]);
  await startInFleet(nats, 'web-3', { credentials: reader.getSeed() });
  const [found, , ...rest] = await look(reader.getSeed(), true);
  expect(found?.message).toContain('1 answer there: web-3');
  expect(rest).toMatchObject([{ id: 'fleet_jetstream', status: 'ok' }]);
  chmodSync(file, 0o644);
  const readable = await checkFleet(settingsOf(nats, { credentials: file }), false);
  expect(readable).toMatchObject([{ status: 'problem', message: expect.stringContaining('chmod go-rwx') }]);
  await nats.kill();
  chmodSync(file, 0o600);
  const gone = await checkFleet(settingsOf(nats, { credentials: file }), false);
  expect(gone).toMatchObject([{ status: 'problem', remedy: 'Start it, or correct servers in [fleet].' }]);
  const plain = await checkFleet(settingsOf(nats, { servers: ['nats://192.0.2.1'] }), false);
  expect(plain).toMatchObject([{ status: 'problem', message: expect.stringContaining('without TLS') }]);
});

it('needs no more rights than the documentation lists', async () => {
  const users = { 'web-3': nkeys.createUser(), gate: nkeys.createUser() };
  const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
  const rights = /\n## Rights\n(.*?)\n## /s.exec(page)?.[1] ?? '';
  const bullets = rights
    .split(/\n- /)
    .slice(1)
    .map((text) => text.split('\n\n')[0] ?? '');
  const named = (text: string, kind: string) => {
    const part = new RegExp(`${kind} ((?:\\s*\`[^\`]+\`,?)+)`).exec(text)?.[1] ?? '';
    return [...part.matchAll(/`([^`]+)`/g)].map(([, subject]) => subject);
  };
  expect(bullets.length).toBe(6);
  // All but the gateway that only reads; one of them has nothing to act on.
  const all = (host: string, texts: readonly string[]) => {
    const of = (kind: string) =>
      JSON.stringify(texts.flatMap((text) => named(text, kind))).replaceAll(
        'substrate.v1.web-3',
        `substrate.v1.${host}`,
      );
    return `permissions: { publish: ${of('publish')}, subscribe: ${of('subscribe')} }`;
  };
  const lines = Object.entries(users).map(
    ([host, user]) => `{ nkey: ${user.getPublicKey()}, ${all(host, bullets.slice(0, 5))} }`,
  );
  const nats = await startJetStream(`authorization: { users: [ ${lines.join(', ')} ] }`);
  const schemas = new Map<string, AppSchema>();
  const teaching = new Teaching({
    tracker: { instances: () => [], becameKnown: () => {} },
    schemas: {
      load: (appId) => schemas.get(appId) ?? null,
      save: (schema) => void schemas.set(schema.app_id, schema),
      namesakes: () => [],
      currentId: (appId) => appId,
    },
    actionLog: { note: () => {}, begin: () => () => {} },
  });
  let shared = 0;
  const bases = { of: () => ({ load: () => null, save: () => (shared += 1) }) };
  const parts = { knowledgeAs: (name: string) => teaching.knowledgeAs(name), bases };
  const host = await startInFleet(nats, 'web-3', {
    credentials: users['web-3'].getSeed(),
    settings: { publish: ['shop*:**'] },
    schemas: parts,
  });
  const gateway = await startInFleet(nats, 'gate', {
    credentials: users.gate.getSeed(),
    sharedKeys: host.keysFile,
    schemas: parts,
  });
  expect((await gateway.get(`${V1}/hosts/web-3/apps`)).status).toBe(200);
  const appId = 'shop-0123456789abcdef';
  schemas.set(appId, emptySchema(appId, 'shop'));
  for (const { fleet } of [host, gateway]) fleet.schemaChanged(appId);
  const identity = { appId, appName: 'shop', isForeign: false };
  const changes = [{ key: 'n', before: undefined, after: 7 }];
  const timestamp = new Date().toISOString();
  await vi.waitFor(async () => {
    host.fleet.publisher?.changed({ pid: 1, app: identity, captureId: 'c', timestamp, changes });
    const answer = await gateway.get(`${V1}/published?host=web-3&app=shop&keys=n`);
    expect(answer.json()).toMatchObject({ series: [{ key: 'n', points: [{ value: 7 }] }] });
  }, 10_000);
  await vi.waitFor(() => expect(shared).toBeGreaterThan(1), 10_000);
  await host.fleet.close();
  await gateway.fleet.close();
  const complaints = [...host.log, ...gateway.log].filter(({ level }) => level === 'warn' || level === 'error');
  expect(complaints).toEqual([]);
  expect(nats.output()).not.toContain('Violation');
});
