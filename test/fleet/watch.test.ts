/** Watching an app of another host, through a gateway. */
import { expect, it, onTestFinished, vi } from 'vitest';
import WebSocket from 'ws';
import { Substrate, type WatchEvent } from '../../src/client/node.ts';
import { startInFleet } from '../support/fleet.ts';
import { startNats } from '../support/nats.ts';
import { PID } from '../unit/http/fake-service.ts';

const V1 = '/substrate/v1';

async function twoHosts() {
  const nats = await startNats();
  const host = await startInFleet(nats, 'web-3');
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile });
  const at = (path: string) => `${gateway.url.replace('http', 'ws')}${V1}/hosts/${path}`;
  return { nats, host, gateway, at };
}

/** The messages of a connection, and its end. */
function watch(url: string, key: string) {
  const socket = new WebSocket(url, { headers: { 'X-Substrate-Key': key } });
  onTestFinished(() => socket.terminate());
  const messages: { sequence: number; changed_keys: string[]; capture_id: string; prev_capture_id: string | null }[] =
    [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const ended = new Promise<string>((resolve) => {
    socket.once('close', (code, reason) => resolve(`${code} ${reason}`));
    socket.once('unexpected-response', (_, { statusCode }) => resolve(`refused ${statusCode}`));
    socket.once('error', () => {});
  });
  const opened = new Promise<void>((resolve) => socket.once('open', resolve));
  return { socket, messages, ended, opened };
}

it('passes on what the host says, in its order and with its numbers, until the app ends', async () => {
  const { host, gateway, at } = await twoHosts();
  const { messages, ended, opened } = watch(at(`web-3/watch/${PID}?keys=inbox.**`), gateway.key);
  await opened;
  const first = host.service.change(['inbox.unread', 'other']);
  host.service.change(['other']);
  const second = host.service.change(['inbox.unread']);
  await vi.waitFor(() => expect(messages).toHaveLength(2));
  expect(messages).toMatchObject([
    { sequence: 1, changed_keys: ['inbox.unread'], capture_id: first, prev_capture_id: null },
    { sequence: 2, changed_keys: ['inbox.unread'], capture_id: second, prev_capture_id: first },
  ]);
  host.service.exit();
  expect(await ended).toBe('1000 process_exited');
});

it('refuses what the host refuses, before the handshake', async () => {
  const { gateway, at } = await twoHosts();
  expect(await watch(at('web-3/watch/1'), gateway.key).ended).toBe('refused 404');
  expect(await watch(at(`web-4/watch/${PID}`), gateway.key).ended).toBe('refused 504');
  expect(await watch(at(`web-3/watch/${PID}`), 'sk_unknown').ended).toBe('refused 401');
  expect((await gateway.get(`${V1}/hosts/web-3/watch/${PID}`)).error().code).toBe('upgrade_required');
});

it('ends with the key, and leaves the app when the client goes', async () => {
  const { host, gateway, at } = await twoHosts();
  const { key, record } = await host.keys.create('short');
  const revoked = watch(at(`web-3/watch/${PID}`), key);
  const leaving = watch(at(`web-3/watch/${PID}`), gateway.key);
  await Promise.all([revoked.opened, leaving.opened]);
  await host.keys.setEnabled(record.id, false);
  // A request checks whether the file has changed.
  await host.get(`${V1}/health`);
  expect(await revoked.ended).toBe('1008 key_revoked');
  expect(host.service.watchers.size).toBe(1);
  leaving.socket.close();
  await vi.waitFor(() => expect(host.service.watchers.size).toBe(0));
});

it('shows a gap where a watcher has too much unread', async () => {
  const { host, gateway, at } = await twoHosts();
  const { messages, opened } = watch(at(`web-3/watch/${PID}`), gateway.key);
  await opened;
  const keys = Array.from({ length: 2000 }, (_, index) => `inbox.${'k'.repeat(90)}${index}`);
  // In one turn, so that no acknowledgement can arrive meanwhile.
  for (let count = 0; count < 10; count++) host.service.change(keys);
  await vi.waitFor(() => expect(messages.length).toBeGreaterThan(4));
  await vi.waitFor(async () => {
    host.service.change(['inbox.unread']);
    await vi.waitFor(() => expect(messages.at(-1)?.changed_keys).toEqual(['inbox.unread']), { timeout: 500 });
  });
  const numbers = messages.map(({ sequence }) => sequence);
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
  expect(numbers.at(-1)).toBeGreaterThan(numbers.length);
});

it('reads the state anew when the server was away', async () => {
  const { nats, host, gateway } = await twoHosts();
  const substrate = new Substrate({ baseUrl: gateway.url, key: gateway.key });
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  const watching = (async () => {
    for await (const event of substrate.watch(`web-3/${PID}`, { signal: stop.signal })) events.push(event);
  })().catch(() => undefined);
  await vi.waitFor(() => expect(host.service.watchers.size).toBe(1));
  await vi.waitFor(() => expect(events.map(({ kind }) => kind)).toEqual(['state']));
  host.service.change(['inbox.unread']);
  await vi.waitFor(() => expect(events).toHaveLength(2));
  await nats.kill();
  await nats.start();
  await vi.waitFor(() => expect(events.filter(({ kind }) => kind === 'state').length).toBeGreaterThan(1));
  const before = events.length;
  await vi.waitFor(async () => {
    host.service.change(['inbox.unread']);
    await vi.waitFor(() => expect(events.length).toBeGreaterThan(before), { timeout: 500 });
  });
  stop.abort();
  await watching;
});
