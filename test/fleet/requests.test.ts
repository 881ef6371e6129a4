/** Daemons that ask each other over a real NATS server. */
import { connect, headers as natsHeaders } from '@nats-io/transport-node';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { expect, it, onTestFinished, vi } from 'vitest';
import { encodeFrame, encodeRequest } from '../../src/fleet/envelope.ts';
import { startInFleet } from '../support/fleet.ts';
import { startNats } from '../support/nats.ts';
import { APP_ID, actionResult, OUTCOME, PID, STATE } from '../unit/http/fake-service.ts';

const V1 = '/substrate/v1';

it('answers on a gateway as the host itself does, for every kind of request', async () => {
  const nats = await startNats();
  const host = await startInFleet(nats, 'web-3');
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const withKey = { 'X-Substrate-Key': host.key };
  const at = `${V1}/hosts/web-3`;

  const listed = (await gateway.get(`${V1}/hosts`)).json();
  expect(listed).toMatchObject({
    host: 'gate',
    problem: null,
    total: 2,
    hosts: [
      { host: 'gate', self: true, problem: null, version: '1.2.3' },
      { host: 'web-3', self: false, problem: null },
    ],
  });
  for (const path of ['/apps', `/state/${PID}`, `/schema/${PID}`, '/attach', `/trace/${PID}`, `/diff/${PID}?since=x`]) {
    const [there, here] = [await gateway.get(`${at}${path}`, withKey), await host.get(`${V1}${path}`)];
    expect(there.status, path).toBe(200);
    if (!path.startsWith('/trace')) expect(there.text, path).toBe(here.text);
  }
  const tagged = await gateway.get(`${at}/state/${PID}`, withKey);
  const tag = tagged.headers.get('etag') ?? '';
  expect(tag).toContain(STATE.capture_id);
  expect((await gateway.get(`${at}/state/${PID}`, { ...withKey, 'If-None-Match': tag })).status).toBe(304);
  const verified = await gateway.post(`${at}/verify`, { pid: PID, expression: 'inbox.unread === 3' }, withKey);
  expect(verified.json()).toEqual(OUTCOME);
  const done = await gateway.post(`${at}/action`, { pid: PID, action: 'archive', parameters: {} }, withKey);
  expect(done.json()).toMatchObject({ success: true, executed: true });
  expect((await gateway.get(`${at}/state/1`, withKey)).error()).toMatchObject({ code: 'not_found' });
  expect((await gateway.post(`${at}/verify`, { pid: PID }, withKey)).error()).toMatchObject({
    code: 'invalid_request',
  });
});

it('lets the host decide by its own keys, and asks for a key itself', async () => {
  const nats = await startNats();
  const host = await startInFleet(nats, 'web-3');
  const gateway = await startInFleet(nats, 'gate');
  const { key } = await gateway.keys.create('reader', { scopes: ['read'] });
  const unknownThere = await gateway.get(`${V1}/hosts/web-3/apps`);
  expect(unknownThere.status).toBe(401);
  expect(unknownThere.error().code).toBe('invalid_key');
  const unknownHere = await gateway.get(`${V1}/hosts/web-3/apps`, { 'X-Substrate-Key': host.key });
  expect(unknownHere.error().code).toBe('invalid_key');
  const expired = await host.keys.create('old', { expires_at: '2020-01-01T00:00:00.000Z' });
  const direct = { method: 'GET', target: `${V1}/apps`, headers: { 'x-substrate-key': expired.key }, body: null };
  const late = await gateway.fleet.ask('web-3', { ...direct, limitMs: 5000, signal: new AbortController().signal });
  expect(Buffer.concat(late.chunks).toString()).toContain('expired_key');
  // A key of the dashboard is for the daemon that made it: others are asked with the one that it was made for.
  const { code } = (await gateway.post(`${V1}/dashboard/code`, {})).json() as { code: string };
  const { key: ofDashboard } = (await gateway.post(`${V1}/dashboard/key`, { code })).json() as { key: string };
  const fromPage = await gateway.get(`${V1}/hosts/web-3/apps`, { 'X-Substrate-Key': ofDashboard });
  expect(fromPage.error().code).toBe('invalid_key');
  const act = await gateway.post(`${V1}/hosts/web-3/detach/${PID}`, {}, { 'X-Substrate-Key': key });
  expect(act.error().code).toBe('forbidden_scope');
  for (const log of [host.log, gateway.log]) {
    expect(JSON.stringify(log)).not.toContain(gateway.key);
    expect(JSON.stringify(log)).not.toContain(host.key);
  }
});

it('says at once that a host is not there, and within two seconds that one has fallen silent', async () => {
  const nats = await startNats();
  const gateway = await startInFleet(nats, 'gate');
  const began = performance.now();
  const absent = await gateway.get(`${V1}/hosts/nowhere/apps`);
  expect(absent.status).toBe(504);
  expect(absent.error()).toMatchObject({ code: 'host_unreachable' });
  // A host that accepts the message and never answers.
  const silent = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => silent.close());
  silent.subscribe('substrate.v1.silent.>', { callback: () => {} });
  await silent.flush();
  const tooQuiet = await gateway.get(`${V1}/hosts/silent/apps`);
  expect(tooQuiet.error()).toMatchObject({ code: 'host_unreachable' });
  expect(tooQuiet.error().message).toContain('has been silent');
  // Both together are far from the 30 s of the route.
  expect(performance.now() - began).toBeLessThan(10_000);
  expect((await gateway.get(`${V1}/hosts/a.b/apps`)).error().code).toBe('invalid_request');
  expect((await gateway.get(`${V1}/hosts/gate/hosts`)).error().code).toBe('not_found');
});

it('waits for work that takes longer than the silence it bears, and ends it when the client goes', async () => {
  const nats = await startNats();
  let ended: () => void = () => {};
  const aborted = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const host = await startInFleet(nats, 'web-3', {
    service: {
      verify: async (request, { signal }) => {
        signal.addEventListener('abort', () => ended(), { once: true });
        await new Promise((resolve) => setTimeout(resolve, request.timeout_ms));
        return OUTCOME;
      },
    },
  });
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const verify = (timeout_ms: number, signal: AbortSignal | null = null) =>
    fetch(`${gateway.url}${V1}/hosts/web-3/verify`, {
      method: 'POST',
      headers: { 'X-Substrate-Key': host.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ pid: PID, expression: 'true', timeout_ms }),
      signal,
    });
  expect((await verify(2600)).status).toBe(200);
  const leaving = new AbortController();
  const left = verify(20_000, leaving.signal).catch(() => null);
  await vi.waitFor(() => expect(host.log.length).toBeGreaterThan(0));
  setTimeout(() => leaving.abort(), 100);
  await Promise.all([left, aborted]);
});

it('carries an answer of 20 MB in parts', async () => {
  const nats = await startNats();
  const text = Buffer.from(JSON.stringify({ text: 'ü'.repeat(10 * 1024 * 1024) }));
  const host = await startInFleet(nats, 'web-3', {
    service: { readState: async () => ({ captureId: uuidv7(), bytes: [text.subarray(0, 999), text.subarray(999)] }) },
  });
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const answer = await gateway.get(`${V1}/hosts/web-3/state/${PID}`, { 'X-Substrate-Key': host.key });
  expect(answer.status).toBe(200);
  expect(Buffer.from(answer.text).equals(text)).toBe(true);
  const large = { pid: PID, action: 'a', parameters: { text: 'x'.repeat(1024 * 1024 - 200) } };
  const refused = await gateway.post(`${V1}/hosts/web-3/action`, large, { 'X-Substrate-Key': host.key });
  expect(refused.error().code).toBe('body_too_large');
});

it('runs an action once that is asked twice, and none that nobody waits for', async () => {
  const nats = await startNats();
  let runs = 0;
  const host = await startInFleet(nats, 'web-3', {
    service: {
      act: async () => {
        runs += 1;
        return actionResult();
      },
    },
  });
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const ask = () =>
    gateway.post(
      `${V1}/hosts/web-3/action`,
      { pid: PID, action: 'archive', parameters: { id: '1' } },
      { 'X-Substrate-Key': host.key, 'Idempotency-Key': 'once' },
    );
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.headers.get('idempotency-replayed')).toBe('true');
  expect(second.json()).toEqual(first.json());
  expect(runs).toBe(1);

  const stranger = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => stranger.close());
  const payload = encodeRequest({
    method: 'POST',
    target: `${V1}/action`,
    headers: { 'x-substrate-key': host.key },
    limitMs: 1000,
    body: Buffer.from(JSON.stringify({ pid: PID, action: 'archive', parameters: {} })),
  });
  stranger.publish('substrate.v1.web-3.post.action', payload);
  stranger.publish('substrate.v1.web-3.post.action', payload, { reply: '_INBOX.nobody.waits' });
  await stranger.flush();
  // Their effects would be visible when a later request is answered.
  expect((await ask()).status).toBe(200);
  expect(runs).toBe(1);

  // The same message twice, as a network may deliver it, to somebody who waits.
  const heard: string[] = [];
  stranger.subscribe('_INBOX.somebody.waits', {
    callback: (_, message) => {
      if (message.reply) message.respond();
      heard.push(message.string());
    },
  });
  for (let count = 0; count < 2; count++)
    stranger.publish('substrate.v1.web-3.post.action', payload, { reply: '_INBOX.somebody.waits' });
  await vi.waitFor(() => expect(heard.filter((text) => text.includes('"status":200'))).toHaveLength(1));
  expect((await ask()).status).toBe(200);
  expect(runs).toBe(2);
});

it('takes the first of two answers, and asks nobody twice', async () => {
  const nats = await startNats();
  const gateway = await startInFleet(nats, 'gate');
  const double = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => double.close());
  let asked = 0;
  double.subscribe('substrate.v1.double.>', {
    callback: (_, message) => {
      asked += 1;
      for (const text of ['{"first":true}', '{"second":true}'])
        message.respond(
          encodeFrame({ t: 'head', status: 200, headers: {}, bytes: Buffer.byteLength(text) }, Buffer.from(text)),
        );
    },
  });
  await double.flush();
  const body = { pid: PID, action: 'archive', parameters: {} };
  expect((await gateway.post(`${V1}/hosts/double/action`, body)).json()).toEqual({ first: true });
  expect((await gateway.get(`${V1}/hosts/double/apps`)).json()).toEqual({ first: true });
  expect(asked).toBe(2);
});

it('goes on when the server was killed and is back', async () => {
  const nats = await startNats();
  const host = await startInFleet(nats, 'web-3');
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const ask = () => gateway.get(`${V1}/hosts/web-3/apps`, { 'X-Substrate-Key': host.key });
  expect((await ask()).status).toBe(200);
  expect((await gateway.get(`${V1}/hosts`)).json()).toMatchObject({ problem: null, total: 2 });
  await nats.kill();
  await vi.waitFor(async () => expect((await ask()).error().code).toBe('host_unreachable'));
  const away = (await gateway.get(`${V1}/hosts`)).json();
  const silent = { problem: expect.stringContaining('did not answer this time') };
  expect(away).toMatchObject({
    host: 'gate',
    problem: expect.stringContaining('NATS server'),
    hosts: [silent, silent],
  });
  expect((await host.get(`${V1}/apps`)).status).toBe(200);
  await nats.start();
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 20_000 });
});

it('does not let a second daemon answer under a name that is taken', async () => {
  const nats = await startNats();
  const first = await startInFleet(nats, 'web-3');
  const second = await startInFleet(nats, 'web-3', { joins: false, service: { listApps: () => [] } });
  await vi.waitFor(() => expect(second.fleet.problem).toContain('Another daemon has been in the fleet as web-3'));
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: first.keysFile });
  for (let count = 0; count < 5; count++) {
    const answer = await gateway.get(`${V1}/hosts/web-3/apps`, { 'X-Substrate-Key': first.key });
    expect(answer.json()).toMatchObject({ apps: [{ app_id: APP_ID }] });
  }
  expect((await second.get(`${V1}/hosts`)).json()).toMatchObject({
    problem: expect.stringContaining('host in [fleet]'),
  });
});

it('answers hostile messages on every subject, and goes on', async () => {
  const nats = await startNats();
  const host = await startInFleet(nats, 'web-3');
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const stranger = await connect({ servers: nats.address.replace('nats://', '') });
  onTestFinished(() => stranger.close());
  const good = { method: 'GET', target: `${V1}/apps`, headers: {}, limitMs: 1000, body: null } as const;
  const hostile = [
    new Uint8Array(),
    Buffer.from('\n'),
    Buffer.from('{"v":1}\n'),
    Buffer.from(`${'['.repeat(20_000)}\n`),
    Buffer.alloc(900_000, 0x7b),
    // The target differs from the subject.
    encodeRequest({ ...good, target: `${V1}/detach/${PID}`, method: 'POST', body: Buffer.from('{}') }),
    encodeRequest({ ...good, target: `${V1}/hosts/web-3/apps` }),
    encodeRequest({ ...good, target: `${V1}/apps/../../health` }),
  ];
  for (const subject of ['get.apps', 'get.state', 'post.action', 'get.watch', 'x.y', 'get.mcp'])
    for (const payload of hostile) {
      const reply = await stranger.request(`substrate.v1.web-3.${subject}`, payload, { timeout: 5000 });
      const [head = ''] = reply.string().split('\n', 1);
      expect([400, 404], subject).toContain(JSON.parse(head).status);
    }
  // Whatever it is, and wherever it comes: it is refused, or nothing comes of it.
  const subjects = ['web-3.get.apps', 'web-3.post.action', 'web-3.get.watch', 'web-3.name', 'web-3.post.learn'];
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(`${text}\n`)),
    fc
      .record({ target: fc.string(), headers: fc.dictionary(fc.string(), fc.string()), limit_ms: fc.anything() })
      .map((head) => Buffer.from(`${JSON.stringify({ v: 1, method: 'POST', body: true, ...head })}\n{}`)),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...subjects), texts, async (subject, payload) => {
      const reply = await stranger.request(`substrate.v1.${subject}`, payload, { timeout: 5000 });
      expect(reply.string()).toMatch(subject.endsWith('.name') ? /^\{"host":"web-3"/ : /^\{"t":"head","status":4\d\d,/);
    }),
    { numRuns: 60 },
  );
  for (const kind of ['INFO', 'PING', 'STATS'])
    await stranger.request(`$SRV.${kind}.substrate`, new Uint8Array(900_000), { timeout: 5000 });
  const keyless = await stranger.request('substrate.v1.web-3.get.apps', encodeRequest(good), { timeout: 5000 });
  expect(keyless.string()).toContain('missing_key');
  // A host of another kind, with invalid answers.
  const answers = [
    '',
    'nonsense',
    encodeFrame({ t: 'part', n: 1 }),
    '{"t":"head","status":200,"headers":{},"bytes":-1}\n',
  ];
  let next = 0;
  stranger.subscribe('substrate.v1.evil.>', {
    callback: (_, message) => void message.respond(answers[next++ % answers.length], { headers: natsHeaders() }),
  });
  stranger.subscribe('$SRV.INFO.substrate', {
    callback: (_, message) => void message.respond('{"metadata":{"host":"**"}}'),
  });
  await stranger.flush();
  for (const _ of answers)
    expect((await gateway.get(`${V1}/hosts/evil/apps`, { 'X-Substrate-Key': host.key })).status).toBe(504);
  expect((await gateway.get(`${V1}/hosts`)).json()).toMatchObject({ total: 2 });
});
