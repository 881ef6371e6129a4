import { EventEmitter, once } from 'node:events';
import { uuidv7 } from 'uuidv7';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { MAX_UNREAD_BYTES, WatchConnection, WatchSocket } from '../../../src/http/watch-connection.ts';
import { WatchMessage as Notification } from '../../../src/http/watch-message.ts';
import { type WatchMessage, watchMessage } from '../../../src/model/wire.ts';
import { APP_ID, fakeService, PID } from './fake-service.ts';
import { answerOf, type Harness, startServer } from './harness.ts';
import { RawClient } from './raw-client.ts';

interface Client {
  readonly socket: WebSocket;
  readonly texts: string[];
  readonly pings: number[];
  messages(): WatchMessage[];
  closed: Promise<{ code: number; reason: string }>;
}

async function watch(
  server: Harness,
  target = `/substrate/v1/watch/${PID}`,
  headers: Record<string, string> = { 'X-Substrate-Key': server.key },
): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${target}`, { headers });
  const texts: string[] = [];
  const pings: number[] = [];
  socket.on('message', (data, isBinary) => texts.push(isBinary ? 'binary' : String(data)));
  socket.on('ping', () => pings.push(1));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  return {
    socket,
    texts,
    pings,
    closed,
    messages: () => texts.map((text) => watchMessage.strict().parse(JSON.parse(text))),
  };
}

/** The answer to a refused upgrade. */
async function refused(server: Harness, target: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${target}`, { headers });
  socket.on('error', () => {});
  const [, incoming] = await once(socket, 'unexpected-response');
  const chunks = await incoming.toArray();
  return answerOf(new Response(Buffer.concat(chunks), { status: incoming.statusCode, headers: incoming.headers }));
}

describe('a part', () => {
  const part = (server: Harness, keys: string) =>
    watch(server, `/substrate/v1/watch/${PID}?keys=${encodeURIComponent(keys)}`);

  it('is told when a key of it has changed, and only of those', async () => {
    const server = await startServer();
    const [cart, same, all] = [
      await part(server, 'cart,**.total'),
      await part(server, 'cart,**.total'),
      await watch(server),
    ];
    const first = server.service.change(['cart.items[0]', 'inbox.unread', 'order.total']);
    server.service.change(['inbox.unread']);
    const last = server.service.change(['cart.items[1]']);
    await vi.waitFor(() => expect([cart, same, all].map(({ texts }) => texts.length)).toEqual([2, 2, 3]));
    const told = cart.messages().map(({ sequence, capture_id, prev_capture_id, changed_keys }) => {
      return [sequence, capture_id, prev_capture_id, changed_keys];
    });
    expect(told).toEqual([
      [1, first, null, ['cart.items[0]', 'order.total']],
      [2, last, first, ['cart.items[1]']],
    ]);
    cart.socket.terminate();
    same.socket.terminate();
    await vi.waitFor(() => expect(server.service.watchers.size).toBe(1));
    all.socket.terminate();
    await vi.waitFor(() => expect(server.service.watchers.size).toBe(0));
  });

  it('is told in order, also where much changes', async () => {
    const server = await startServer();
    const client = await part(server, 'rows[7].**,last');
    const rows = Array.from({ length: 20_000 }, (_, at) => `rows[${at}].name`);
    for (let at = 0; at < 40; at++) server.service.change(at === 39 ? ['last'] : rows);
    await vi.waitFor(() => expect(client.messages().at(-1)?.changed_keys).toContain('last'));
    const told = client.messages();
    expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, at) => at + 1));
    expect(new Set(told.flatMap(({ changed_keys }) => changed_keys))).toEqual(new Set(['rows[7].name', 'last']));
  });

  it('says which of its globs match nothing, once, and not as a change', async () => {
    const globs = [{ glob: 'crat.**', nearest: ['cart'] }];
    const captureId = uuidv7();
    const answers = [null, { appId: APP_ID, captureId, globs }];
    const asked: unknown[] = [];
    const server = await startServer({
      service: fakeService({
        unmatched: async (...question) => {
          asked.push(question);
          return answers.shift() ?? null;
        },
      }),
    });
    const client = await part(server, 'crat.**,cart');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(client.messages()).toEqual([]);
    // There was no state before.
    server.service.change(['cart.total']);
    await vi.waitFor(() => expect(client.messages()).toHaveLength(2));
    const notice = client.messages().find(({ unmatched }) => unmatched !== undefined);
    expect(watchMessage.strict().parse(notice)).toEqual({
      pid: PID,
      app_id: APP_ID,
      capture_id: captureId,
      prev_capture_id: null,
      sequence: 0,
      changed_keys: [],
      timestamp: expect.any(String),
      unmatched: globs,
    });
    expect(asked[1]).toEqual([PID, 'crat.**,cart', server.keyId]);
    server.service.change(['cart.total']);
    await vi.waitFor(() => expect(client.messages()).toHaveLength(3));
    expect(client.messages().flatMap(({ sequence }) => sequence || [])).toEqual([1, 2]);
  });

  it('is not what cannot be one', async () => {
    const server = await startServer();
    const answer = await refused(server, `/substrate/v1/watch/${PID}?keys=,`, { 'X-Substrate-Key': server.key });
    expect([answer.status, answer.error().message]).toEqual([400, 'keys: expected 1 to 50 globs, separated by commas']);
  });
});

describe('the upgrade', () => {
  it.each(['header', 'query'])('takes the key from the %s', async (place) => {
    const server = await startServer();
    const client = await (place === 'header'
      ? watch(server)
      : watch(server, `/substrate/v1/watch/${PID}?key=${server.key}`, {}));
    server.service.change(['a']);
    await vi.waitFor(() => expect(client.texts).toHaveLength(1));
  });

  it.each([
    ['', {}, 'missing_key'],
    ['?key=', {}, 'missing_key'],
    ['?key=wrong', {}, 'invalid_key'],
    ['', { 'X-Substrate-Key': 'wrong' }, 'invalid_key'],
    ['?key=KEY&key=KEY', {}, 'invalid_key'],
    ['?key=KEY', { 'X-Substrate-Key': 'wrong' }, 'invalid_key'],
  ])('%s %j: 401 %s', async (query, headers, code) => {
    const server = await startServer();
    const answer = await refused(server, `/substrate/v1/watch/${PID}${query.replaceAll('KEY', server.key)}`, headers);
    expect(answer.status).toBe(401);
    expect(answer.error()).toMatchObject({ code, request_id: answer.headers.get('x-request-id') });
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'");
  });

  it('is refused for a disabled key, an unknown pid, a foreign page and a wrong host', async () => {
    const server = await startServer();
    const key = { 'X-Substrate-Key': server.key };
    const code = async (target: string, headers: Record<string, string>) => {
      const answer = await refused(server, target, headers);
      return [answer.status, answer.error().code];
    };
    const target = `/substrate/v1/watch/${PID}`;
    expect(await code('/substrate/v1/watch/7', key)).toEqual([404, 'not_found']);
    expect(await code('/substrate/v1/watch/x', key)).toEqual([400, 'invalid_request']);
    expect(await code('/substrate/v1/nowhere', key)).toEqual([404, 'not_found']);
    expect(await code(target, { ...key, Origin: 'http://evil.example' })).toEqual([403, 'forbidden_origin']);
    expect(await code(target, { ...key, Host: 'evil.example' })).toEqual([403, 'forbidden_host']);
    await server.keys.setEnabled(server.keyId, false);
    expect(await code(target, key)).toEqual([401, 'disabled_key']);
    expect(server.service.watchers.size).toBe(0);
  });

  it('is required: a plain GET gets 426', async () => {
    const server = await startServer();
    const answer = await server.get(`/substrate/v1/watch/${PID}`);
    expect(answer.status).toBe(426);
    expect(answer.error().code).toBe('upgrade_required');
    expect(answer.headers.get('upgrade')).toBe('websocket');
  });

  it('has to be a good handshake', async () => {
    const server = await startServer();
    const shake = async (...headers: string[]) => {
      const client = new RawClient(server.port);
      const lines = [
        `GET /substrate/v1/watch/${PID}?key=${server.key} HTTP/1.1`,
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        ...headers,
      ];
      client.write(`${lines.join('\r\n')}\r\n\r\n`);
      const response = await client.response();
      return [response.status, response.error().code, response.headers.has('x-request-id')];
    };
    const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    expect(await shake(key)).toEqual([426, 'upgrade_required', true]);
    expect(await shake(key, 'Sec-WebSocket-Version: 8')).toEqual([426, 'upgrade_required', true]);
    expect(await shake('Sec-WebSocket-Version: 13')).toEqual([400, 'invalid_request', true]);
    await vi.waitFor(() => expect(server.service.watchers.size).toBe(0));
  });

  it('has a request id in its answer and a line in the log, without the key', async () => {
    const server = await startServer();
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/substrate/v1/watch/${PID}?key=${server.key}`);
    onTestFinished(() => socket.terminate());
    const [response] = await once(socket, 'upgrade');
    expect(server.log).toContainEqual(
      expect.objectContaining({
        request_id: response.headers['x-request-id'],
        status: 101,
        route: '/substrate/v1/watch/{pid}',
        key_id: server.keyId,
      }),
    );
    expect(JSON.stringify(server.log)).not.toContain(server.key);
  });
});

describe('notifications', () => {
  it('are newline-terminated JSON, count up and name the capture before', async () => {
    const server = await startServer();
    const client = await watch(server);
    const captures = [
      server.service.change(['a', 'b.c[0]']),
      server.service.change(['ünï "quoted"\n']),
      server.service.change([]),
    ];
    await vi.waitFor(() => expect(client.texts).toHaveLength(3));
    for (const text of client.texts) expect(text).toMatch(/^[^\n]*\n$/);
    expect(client.messages()).toMatchObject([
      {
        pid: PID,
        app_id: APP_ID,
        capture_id: captures[0],
        prev_capture_id: null,
        sequence: 1,
        changed_keys: ['a', 'b.c[0]'],
      },
      { capture_id: captures[1], prev_capture_id: captures[0], sequence: 2, changed_keys: ['ünï "quoted"\n'] },
      { capture_id: captures[2], prev_capture_id: captures[1], sequence: 3, changed_keys: [] },
    ]);
  });

  it.each([1, 10, 200, 5000, 100_000])('can have %i keys', async (count) => {
    const server = await startServer();
    const client = await watch(server);
    const keys = Array.from({ length: count }, (_, index) => `list.items[${index}].name`);
    server.service.change(keys);
    await vi.waitFor(() => expect(client.texts).toHaveLength(1));
    expect(client.messages()[0]?.changed_keys).toEqual(keys);
  });

  it('count per connection, begin after the connect, and serialise the keys once for all', async () => {
    const server = await startServer();
    const first = await watch(server);
    server.service.change(['early']);
    const others = await Promise.all(Array.from({ length: 20 }, () => watch(server)));
    expect(server.service.watchers.size).toBe(1);
    let reads = 0;
    const keys = new Proxy(['a', 'b'], {
      get(target, property, receiver) {
        if (property === '0') reads += 1;
        return Reflect.get(target, property, receiver);
      },
    });
    server.service.change(keys);
    await vi.waitFor(() => expect(first.texts).toHaveLength(2));
    await vi.waitFor(() => expect(others.every(({ texts }) => texts.length === 1)).toBe(true));
    expect(first.messages()[1]).toMatchObject({ sequence: 2 });
    for (const other of others) expect(other.messages()[0]).toMatchObject({ sequence: 1, prev_capture_id: null });
    expect(reads).toBe(1);
  });

  it('stop when the client has gone, and the daemon is told when nobody is left', async () => {
    const server = await startServer();
    const [one, two] = [await watch(server), await watch(server)];
    one.socket.close();
    await one.closed;
    server.service.change(['a']);
    await vi.waitFor(() => expect(two.texts).toHaveLength(1));
    expect(server.service.watchers.size).toBe(1);
    two.socket.terminate();
    await vi.waitFor(() => expect(server.service.watchers.size).toBe(0));
    expect(server.metrics.text(true)).toContain('substrate_watch_connections 0');
  });

  it('ignore what the client says, answer its pings, and send none', async () => {
    const server = await startServer();
    const client = await watch(server);
    client.socket.send('hello');
    client.socket.send(Buffer.from([1, 2, 3]));
    client.socket.ping('are you there');
    const [data] = await once(client.socket, 'pong');
    expect(String(data)).toBe('are you there');
    server.service.change(['a']);
    await vi.waitFor(() => expect(client.texts).toHaveLength(1));
    expect(client.pings).toEqual([]);
  });

  it('end for a client that says too much', async () => {
    const server = await startServer();
    const client = await watch(server);
    client.socket.send('x'.repeat(10_000));
    expect((await client.closed).code).toBe(1009);
    await vi.waitFor(() => expect(server.service.watchers.size).toBe(0));
  });
});

describe('a slow reader', () => {
  it('misses messages, sees the jump, and costs bounded memory', async () => {
    const server = await startServer();
    const slow = await watch(server);
    const quick = await watch(server);
    const keys = Array.from({ length: 2000 }, (_, index) => `some.rather.long.name.of.a.key[${index}]`);
    slow.socket.pause();
    const events = 400;
    const captures: string[] = [];
    for (let i = 0; i < events; i++) {
      captures.push(server.service.change(keys));
      await vi.waitFor(() => expect(quick.texts.length).toBe(i + 1), { interval: 1 });
    }
    expect(quick.messages().map(({ sequence }) => sequence)).toEqual(captures.map((_, index) => index + 1));
    const dropped = Number(/^substrate_watch_dropped_total (\d+)$/m.exec(server.metrics.text(true))?.[1]);
    expect(dropped).toBeGreaterThan(0);

    slow.socket.resume();
    await vi.waitFor(() => expect(slow.texts.length).toBe(events - dropped));
    const before = slow.messages();
    expect(before.map(({ sequence }) => sequence)).toEqual(before.map((_, index) => index + 1));
    const last = server.service.change(['after']);
    await vi.waitFor(() => expect(slow.texts.length).toBe(events - dropped + 1));
    expect(slow.messages().at(-1)).toMatchObject({
      sequence: events + 1,
      capture_id: last,
      prev_capture_id: captures.at(-1),
    });
  });

  it('keeps no more waiting than the limit and one message', () => {
    const webSocket = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: 0,
      send(text: string) {
        this.bufferedAmount += text.length;
      },
    });
    let dropped = 0;
    const sink = new WatchSocket(webSocket as unknown as WebSocket);
    const connection = new WatchConnection(sink, null, () => {
      dropped += 1;
    });
    const event = { appId: APP_ID, captureId: 'c', changedKeys: ['k'.repeat(100_000)], timestamp: 't' };
    for (let i = 0; i < 100; i++) connection.deliver(new Notification(PID, event));
    expect(webSocket.bufferedAmount).toBeGreaterThan(MAX_UNREAD_BYTES);
    expect(webSocket.bufferedAmount).toBeLessThan(MAX_UNREAD_BYTES + 101_000);
    expect(dropped).toBeGreaterThan(80);
  });

  it('gets no pongs that it does not read', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    const lines = [
      `GET /substrate/v1/watch/${PID}?key=${server.key} HTTP/1.1`,
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    client.write(`${lines.join('\r\n')}\r\n\r\n`);
    expect((await client.response()).status).toBe(101);
    client.socket.pause();
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const volley = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    for (let i = 0; i < 200; i++) {
      if (!client.socket.write(volley)) await new Promise((resolve) => client.socket.once('drain', resolve));
    }
    let answered = 0;
    client.socket.on('data', (chunk) => {
      answered += chunk.length;
    });
    client.socket.resume();
    client.socket.end();
    await client.closed();
    // The kernel's and the daemon's buffers are both limited; the other answers were never made.
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan((200 * volley.length) / 2);
  });
});

describe('the end of a connection', () => {
  it('is 1000 process_exited when the process exits', async () => {
    const server = await startServer();
    const clients = [await watch(server), await watch(server)];
    server.service.exit();
    for (const client of clients) expect(await client.closed).toEqual({ code: 1000, reason: 'process_exited' });
    const next = await watch(server);
    server.service.change(['a']);
    await vi.waitFor(() => expect(next.messages()).toMatchObject([{ sequence: 1, prev_capture_id: null }]));
  });

  it.each(['disabled', 'deleted'])('comes when its key is %s, and only then', async (how) => {
    const server = await startServer();
    const { key } = await server.keys.create('other');
    const mine = await watch(server);
    const other = await watch(server, undefined, { 'X-Substrate-Key': key });
    if (how === 'disabled') await server.keys.setEnabled(server.keyId, false);
    else await server.keys.delete(server.keyId);
    server.keys.reload();
    server.service.change(['secret']);
    expect(await mine.closed).toEqual({ code: 1008, reason: 'key_revoked' });
    expect(mine.texts).toEqual([]);
    await vi.waitFor(() => expect(other.texts).toHaveLength(1));
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('comes without a close frame when the daemon stops', async () => {
    const server = await startServer();
    const clients = await Promise.all([watch(server), watch(server)]);
    await server.server.close();
    for (const client of clients) expect((await client.closed).code).toBe(1006);
    expect(server.service.watchers.size).toBe(0);
  });
});
