/** Who the NATS server lets in, and what it lets them do. */
import { nkeys } from '@nats-io/transport-node';
import { expect, it, vi } from 'vitest';
import { startInFleet } from '../support/fleet.ts';
import { startNats } from '../support/nats.ts';

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
