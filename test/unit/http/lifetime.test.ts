import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import WebSocket from 'ws';
import type { Reading, ReadOptions } from '../../../src/daemon/service.ts';
import { DashboardKeys } from '../../../src/http/dashboard-keys.ts';
import type { Route } from '../../../src/http/route.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { EVERYTHING } from '../../../src/model/permissions.ts';
import type { VerifyResponse } from '../../../src/model/wire.ts';
import { actionResult, fakeService, OUTCOME, PID, reading } from './fake-service.ts';
import { type Deferred, deferred, type Harness, startServer } from './harness.ts';
import { RawClient } from './raw-client.ts';

const never = <T>() => new Promise<T>(() => {});
const quick: readonly Route[] = ROUTES.map((route) => ({ ...route, timeoutMs: 20 }));
const ACTION = { pid: PID, action: 'archive', parameters: {} };

/** A state that does not come before the test releases it. */
function heldState(): {
  readState: (pid: number, read: ReadOptions, options: { signal: AbortSignal }) => Promise<Reading>;
  calls: { signal: AbortSignal; answer: Deferred<Reading> }[];
} {
  const calls: { signal: AbortSignal; answer: Deferred<Reading> }[] = [];
  return {
    calls,
    readState: (_pid, _read, { signal }) => {
      const answer = deferred<Reading>();
      calls.push({ signal, answer });
      return answer.promise;
    },
  };
}

describe('time limits', () => {
  it('are 30 s, 120 s for what may wait for a person, and more for the tools, which use that', () => {
    const waiting = { '/substrate/v1/action': 120_000, '/substrate/v1/browser': 120_000 };
    const others: Record<string, number> = { ...waiting, '/mcp': 125_000 };
    for (const route of ROUTES)
      expect([route.path, route.timeoutMs]).toEqual([route.path, others[route.path] ?? 30_000]);
  });

  it.each([
    ['GET', `/substrate/v1/state/${PID}?fresh=true`, 'probe_timeout'],
    ['POST', '/substrate/v1/action', 'action_timeout'],
  ])('%s %s: 504 %s, and the work is told', async (method, target, code) => {
    const signals: AbortSignal[] = [];
    const wait = (signal: AbortSignal) => {
      signals.push(signal);
      return never<never>();
    };
    const server = await startServer({
      routes: quick,
      service: { readState: (_pid, _read, { signal }) => wait(signal), act: (_request, { signal }) => wait(signal) },
    });
    const answer = method === 'GET' ? await server.get(target) : await server.post(target, ACTION);
    expect(answer.status).toBe(504);
    expect(answer.error().code).toBe(code);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('keep their code when the work ends because of them', async () => {
    const server = await startServer({
      routes: quick,
      service: {
        readState: (_pid, _read, { signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
      },
    });
    expect((await server.get(`/substrate/v1/state/${PID}`)).error().code).toBe('probe_timeout');
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('leave a verify its own time and some slack', async () => {
    const answer = deferred<VerifyResponse>();
    const server = await startServer({
      routes: quick,
      service: { verify: () => answer.promise, readState: () => never() },
    });
    const pending = server.post('/substrate/v1/verify', { pid: PID, expression: 'true', timeout_ms: 30_000 });
    // Others reach the limit meanwhile; this one has replaced it.
    expect((await server.get(`/substrate/v1/state/${PID}`)).status).toBe(504);
    expect((await server.get(`/substrate/v1/state/${PID}`)).status).toBe(504);
    answer.resolve(OUTCOME);
    expect((await pending).status).toBe(200);
  });

  it('are 5 s more than what a verify may wait', async () => {
    const limits: number[] = [];
    const verify = ROUTES.find(({ path }) => path.endsWith('/verify'));
    await verify?.run(
      {
        backend: {
          fleet: () => null,
          service: fakeService(),
          health: () => null,
          openapi: () => '',
          metrics: () => never(),
          dashboard: () => ({ status: 404, headers: {}, body: { chunks: [] } }),
          dashboardKeys: new DashboardKeys({ recheck: () => null }),
          retries: { claim: () => ({ kind: 'new' }), finish: () => {}, release: () => {} },
          mcp: () => never(),
        },
        requestId: '',
        headers: {},
        keyForOthers: () => null,
        caller: null,
        ask: () => never(),
        isInner: false,
        options: {
          keyId: 'anonymous',
          keyLabel: null,
          permissions: EVERYTHING,
          permissionsNow: () => EVERYTHING,
          signal: new AbortController().signal,
          spendSnapshot: () => {},
        },
        pid: () => PID,
        query: (_name, schema) => schema.parse(undefined),
        allow: () => {},
        spend: () => {},
        limitTo: (limitMs) => limits.push(limitMs),
        inTurn: async (work) => work(),
      },
      async (schema) => schema.parse({ pid: PID, expression: 'true', timeout_ms: 30_000 }),
    );
    expect(limits).toEqual([35_000]);
  });

  it('hold for a body that does not come', async () => {
    const server = await startServer({ routes: quick });
    const client = new RawClient(server.port);
    client.write(
      [
        'POST /substrate/v1/verify HTTP/1.1',
        'Host: localhost',
        `X-Substrate-Key: ${server.key}`,
        'Content-Type: application/json',
        'Content-Length: 50',
        '',
        '{',
      ].join('\r\n'),
    );
    const response = await client.response();
    expect([response.status, response.error().code]).toEqual([504, 'request_timeout']);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('hold for headers that trickle in', async () => {
    const server = await startServer({ limits: { headersMs: 100, arrivalMs: 100 } });
    const client = new RawClient(server.port);
    client.write('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    const response = await client.response();
    expect([response.status, response.error().code]).toEqual([504, 'request_timeout']);
    await client.closed();
  });
});

describe('a client that goes away', () => {
  it('ends the work that was done for it', async () => {
    const held = heldState();
    const server = await startServer({ service: held });
    const outgoing = request(`${server.url}/substrate/v1/state/${PID}`, { headers: { 'X-Substrate-Key': server.key } });
    outgoing.on('error', () => {});
    outgoing.end();
    await vi.waitFor(() => expect(held.calls).toHaveLength(1));
    expect(held.calls[0]?.signal.aborted).toBe(false);
    outgoing.destroy();
    await vi.waitFor(() => expect(held.calls[0]?.signal.aborted).toBe(true));
    await vi.waitFor(() => expect(server.log).toContainEqual(expect.objectContaining({ status: 499 })));
  });

  it('does not when it got its answer', async () => {
    const signals: AbortSignal[] = [];
    const server = await startServer({
      service: {
        act: async (_request, { signal }) => {
          signals.push(signal);
          return actionResult();
        },
      },
    });
    await server.post('/substrate/v1/action', ACTION, { Connection: 'close' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });
});

describe('a client that reads nothing', () => {
  const STATE = `/substrate/v1/state/${PID}`;
  /** More than the system buffers for a connection. */
  const large: Reading = { ...reading(), bytes: [Buffer.alloc(16 * 1024 * 1024, ' ')] };
  const start = () => startServer({ service: { readState: async () => large }, limits: { stalledReaderMs: 200 } });
  const ask = ({ key }: Harness, target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-Substrate-Key: ${key}\r\n\r\n`;

  /** With the server's end of it: a client that does not read does not notice the end of its connection. */
  async function connect({ port }: Harness): Promise<{ client: RawClient; isEnded: () => boolean }> {
    const accepted: { destroyed: boolean }[] = [];
    const note = (message: unknown) => accepted.push((message as { socket: { destroyed: boolean } }).socket);
    subscribe('net.server.socket', note);
    onTestFinished(() => void unsubscribe('net.server.socket', note));
    const client = new RawClient(port);
    await vi.waitFor(() => expect(accepted).toHaveLength(1));
    return { client, isEnded: () => accepted[0]?.destroyed === true };
  }

  it('is cut off', async () => {
    const server = await start();
    const { client, isEnded } = await connect(server);
    client.socket.pause();
    client.write(ask(server, STATE));
    await vi.waitFor(() => expect(isEnded()).toBe(true), 10_000);
  });

  it('is cut off, though it goes on sending', async () => {
    const server = await start();
    const { client, isEnded } = await connect(server);
    client.socket.pause();
    client.write(ask(server, STATE));
    const timer = setInterval(() => client.write('\r\n'), 20);
    onTestFinished(() => clearInterval(timer));
    await vi.waitFor(() => expect(isEnded()).toBe(true), 10_000);
  });

  it('is cut off, though it has read the answer before', async () => {
    const server = await start();
    const { client, isEnded } = await connect(server);
    client.write(ask(server, '/health'), ask(server, STATE));
    expect((await client.response()).status).toBe(200);
    client.socket.pause();
    await vi.waitFor(() => expect(isEnded()).toBe(true), 10_000);
  });

  it('is another one than one that waits for its answer', async () => {
    const held = heldState();
    const server = await startServer({ service: held, limits: { stalledReaderMs: 20 } });
    const { client } = await connect(server);
    // The second answer is ready first, and has to wait.
    client.write(ask(server, STATE), ask(server, '/substrate/v1/apps'));
    await vi.waitFor(() => expect(server.log).toContainEqual(expect.objectContaining({ route: '/substrate/v1/apps' })));
    await delay(100);
    held.calls[0]?.answer.resolve(reading());
    for (let count = 0; count < 2; count++) expect((await client.response()).status).toBe(200);
  });
});

describe('overload', () => {
  const FEW = { maxInWork: 8, shutdownGraceMs: 50 };

  it('is answered at once, and health is not touched by it', async () => {
    const held = heldState();
    const server = await startServer({ service: held, limits: { maxInWork: 3 } });
    const keys = [server.key, server.key, (await server.keys.create('other')).key];
    const pending: Promise<unknown>[] = [];
    for (const [at, key] of keys.entries()) {
      pending.push(server.get(`/substrate/v1/state/${PID}`, { 'X-Substrate-Key': key }));
      await vi.waitFor(() => expect(held.calls).toHaveLength(at + 1));
    }
    const answer = await server.get('/substrate/v1/apps');
    expect(answer.status).toBe(503);
    expect(answer.error()).toMatchObject({ code: 'overloaded', retry_after_ms: 1000 });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await server.get('/health')).status).toBe(200);
    for (const { answer: state } of held.calls) state.resolve(reading());
    for (const answer of await Promise.all(pending)) expect(answer).toMatchObject({ status: 200 });
    expect((await server.get('/substrate/v1/apps')).status).toBe(200);
  });

  it('by one key leaves room for others', async () => {
    const server = await startServer({ service: { verify: () => never() }, limits: FEW });
    const wait = (key: string) =>
      server.post('/substrate/v1/verify', { pid: PID, expression: 'true' }, { 'X-Substrate-Key': key });
    const waits = Array.from({ length: 8 }, () => wait(server.key).catch(() => null));
    const refused = (await Promise.race(waits))?.error();
    expect(refused).toMatchObject({ code: 'overloaded', message: expect.stringContaining('4 requests of this key') });
    const { key } = await server.keys.create('other');
    expect((await server.get('/substrate/v1/apps')).status).toBe(503);
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': key })).status).toBe(200);
  });

  it('by waits of one key is less than all that it may have in work', async () => {
    const calls: (() => void)[] = [];
    const verify = () =>
      new Promise<VerifyResponse>((resolve) => {
        calls.push(() => resolve(OUTCOME));
      });
    const server = await startServer({ service: { verify } });
    const wait = (key: string) =>
      server.post('/substrate/v1/verify', { pid: PID, expression: 'true' }, { 'X-Substrate-Key': key });
    const waits = Array.from({ length: 16 }, () => wait(server.key));
    await vi.waitFor(() => expect(calls).toHaveLength(16));
    const refused = await wait(server.key);
    expect(refused.error()).toMatchObject({ code: 'overloaded', message: expect.stringContaining('/verify') });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await server.get('/substrate/v1/apps')).status).toBe(200);
    const other = wait((await server.keys.create('other')).key);
    await vi.waitFor(() => expect(calls).toHaveLength(17));
    for (const answer of calls) answer();
    for (const answer of await Promise.all([...waits, other])) expect(answer.status).toBe(200);
  });

  it('also when one request of it is many', async () => {
    const server = await startServer({ service: { verify: () => never() }, limits: FEW });
    const { key } = await server.keys.create('other');
    const messages = Array.from({ length: 10 }, (_, id) => {
      const params = { name: 'wait_for', arguments: { app: PID, expression: 'true' } };
      return { jsonrpc: '2.0', id, method: 'tools/call', params };
    });
    const headers = { 'X-Substrate-Key': server.key, 'MCP-Protocol-Version': '2025-03-26' };
    void server.post('/mcp', messages, headers).catch(() => null);
    const asked = () => server.log.filter(({ route, status }) => route === '/substrate/v1/verify' && status === 503);
    await vi.waitFor(() => expect(asked()).toHaveLength(7));
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': key })).status).toBe(200);
  });
});

describe('connections', () => {
  it('are kept and can be pipelined', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    client.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
    for (let i = 0; i < 3; i++) expect((await client.response()).status).toBe(200);
  });

  it('end after rubbish behind a request that is in work, without a second answer to it', async () => {
    const held = heldState();
    const server = await startServer({ service: held });
    const client = new RawClient(server.port);
    client.write(
      `GET /substrate/v1/state/${PID} HTTP/1.1\r\nHost: localhost\r\nX-Substrate-Key: ${server.key}\r\n\r\n`,
    );
    await vi.waitFor(() => expect(held.calls).toHaveLength(1));
    client.write('RUBBISH\r\n\r\n');
    await client.closed();
    await expect(client.response()).rejects.toThrow('after 0 bytes');
  });
});

describe('the share of connections', () => {
  const keyed = (server: Harness) =>
    `GET /substrate/v1/apps HTTP/1.1\r\nHost: localhost\r\nX-Substrate-Key: ${server.key}\r\n\r\n`;
  async function withKey(server: Harness): Promise<RawClient> {
    const client = new RawClient(server.port);
    client.write(keyed(server));
    expect((await client.response()).status).toBe(200);
    return client;
  }

  it('is not for those who say nothing: the oldest without a key gives way', async () => {
    const server = await startServer({ limits: { maxPlain: 3 } });
    const silent = new RawClient(server.port);
    const known = await withKey(server);
    const waiting = new RawClient(server.port);
    waiting.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await waiting.response();
    const next = await withKey(server);
    await silent.closed();
    for (const client of [known, next]) client.write(keyed(server));
    for (const client of [known, next]) expect((await client.response()).status).toBe(200);
  });

  it('is not for one key: the oldest that is idle gives way, and none that is at work', async () => {
    const held = heldState();
    const server = await startServer({ service: held, limits: { maxPlain: 2 } });
    const busy = server.get(`/substrate/v1/state/${PID}`);
    await vi.waitFor(() => expect(held.calls).toHaveLength(1));
    const idle = await withKey(server);
    const last = await withKey(server);
    await withKey(server);
    await Promise.all([idle.closed(), last.closed()]);
    held.calls[0]?.answer.resolve(reading());
    expect((await busy).status).toBe(200);
  });

  it('of watchers is not for one key either', async () => {
    const server = await startServer({ limits: { maxWatchers: 4 } });
    const { key: other } = await server.keys.create('other');
    const watch = (key: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/substrate/v1/watch/${PID}?key=${key}`);
        onTestFinished(() => socket.terminate());
        socket.once('open', () => resolve('open'));
        socket.once('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)));
        socket.once('error', () => {});
      });
    const opened: string[] = [];
    for (const key of [server.key, server.key, server.key, other]) opened.push(await watch(key));
    expect(opened).toEqual(['open', 'open', '503', 'open']);
    expect((await server.get('/substrate/v1/apps')).status).toBe(200);
  });

  it('is counted once for a connection whose requests offer upgrades', async () => {
    const server = await startServer({ limits: { maxPlain: 1 } });
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const client = new RawClient(server.port);
    for (let count = 0; count < 20; count++) {
      client.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
      expect((await client.response()).status).toBe(200);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});

describe('closing', () => {
  it('lets a request in work finish', async () => {
    const held = heldState();
    const server = await startServer({ service: held });
    const pending = server.get(`/substrate/v1/state/${PID}`);
    await vi.waitFor(() => expect(held.calls).toHaveLength(1));
    const closed = server.server.close();
    held.calls[0]?.answer.resolve(reading());
    const answer = await pending;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await closed;
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  });

  it('does not wait for ever, nor for idle connections', async () => {
    const held = heldState();
    const server = await startServer({ service: held, limits: { shutdownGraceMs: 20 } });
    const idle = new RawClient(server.port);
    idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await idle.response();
    const pending = server.get(`/substrate/v1/state/${PID}`).catch(() => 'dropped');
    await vi.waitFor(() => expect(held.calls).toHaveLength(1));
    await Promise.all([server.server.close(), server.server.close()]);
    expect(await pending).toBe('dropped');
    expect(held.calls[0]?.signal.aborted).toBe(true);
    await idle.closed();
  });
});

describe('listening', () => {
  it('fails when the port is taken', async () => {
    const { port } = await startServer();
    await expect(startServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it.each(['127.0.0.1', '::1'])('on %s is on nothing else', async (host) => {
    const { port } = await startServer({ host });
    const other = host === '::1' ? '127.0.0.1' : '[::1]';
    await expect(fetch(`http://${other}:${port}/health`)).rejects.toThrow();
  });
});

describe('answers that take long in one piece', () => {
  it('take turns: who asks for many does not keep others waiting for all of them', async () => {
    const order: string[] = [];
    const usual = fakeService();
    const server = await startServer({
      service: {
        diff: (pid, since, all, options) => {
          order.push(options.keyLabel ?? '');
          const end = performance.now() + 8;
          while (performance.now() < end);
          return usual.diff(pid, since, all, options);
        },
      },
      rateLimit: { enabled: false },
    });
    const keys = { greedy: await server.keys.create('greedy'), other: await server.keys.create('other') };
    const names = [...Array.from({ length: 60 }, () => 'greedy' as const), 'other' as const];
    const clients = names.map(() => new RawClient(server.port));
    const askAll = async (requestOf: (at: number) => string) => {
      for (const [at, client] of clients.entries()) client.write(`${requestOf(at)}\r\nHost: localhost\r\n\r\n`);
      return Promise.all(clients.map(async (client) => (await client.response()).status));
    };
    // All are connected first: the event loop accepts one connection per turn.
    await askAll(() => 'GET /health HTTP/1.1');
    const statuses = await askAll(
      (at) => `GET /substrate/v1/diff/${PID}?since=x HTTP/1.1\r\nX-Substrate-Key: ${keys[names[at] ?? 'other'].key}`,
    );
    expect(statuses).toEqual(clients.map(() => 200));
    expect(order).toHaveLength(61);
    // It was sent last, and each of the first 60 takes more than a slice.
    expect(order.indexOf('other')).toBeLessThan(30);
  });
});
