import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Service } from '../../../src/daemon/service.ts';
import { RefusedError, SubstrateError } from '../../../src/model/errors.ts';
import { actionResult, PID } from './fake-service.ts';
import { startServer } from './harness.ts';

const ROUTE = '/substrate/v1/action';
const ACTION = { pid: PID, action: 'archive', parameters: { id: '1', folder: { a: 1, b: 2 } } };

async function setUp(act?: Service['act']) {
  const calls: number[] = [];
  const server = await startServer({
    service: {
      act: async (...request) => {
        calls.push(calls.length);
        return act ? act(...request) : actionResult();
      },
    },
  });
  const send = (key: string, body: object = ACTION, headers = {}) =>
    server.post(ROUTE, body, { 'Idempotency-Key': key, ...headers });
  return { server, calls, send };
}

describe('an action with an Idempotency-Key', () => {
  it('runs once, and is answered as the first time', async () => {
    const { calls, send } = await setUp();
    const first = await send('one');
    const again = await send('one', { parameters: { folder: { b: 2, a: 1 }, id: '1' }, action: 'archive', pid: PID });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.json()).toEqual(first.json());
    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(calls).toHaveLength(1);
    await send('two');
    expect(calls).toHaveLength(2);
  });

  it('is refused for another request', async () => {
    const { calls, send } = await setUp();
    await send('one');
    const other = await send('one', { ...ACTION, parameters: { id: '2' } });
    expect([other.status, other.error().code, calls.length]).toEqual([400, 'idempotency_mismatch', 1]);
    expect(other.json()).toMatchObject({ action: 'archive', executed: false });
  });

  it('is 409 while it runs, and keeps running when its client has gone', async () => {
    let end = () => {};
    const running = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { server, calls, send } = await setUp(async (_request, { signal }) => {
      await running;
      signal.throwIfAborted();
      return actionResult();
    });
    const gone = new AbortController();
    const headers = { 'X-Substrate-Key': server.key, 'Content-Type': 'application/json', 'Idempotency-Key': 'one' };
    const first = fetch(server.url + ROUTE, {
      method: 'POST',
      headers,
      body: JSON.stringify(ACTION),
      signal: gone.signal,
    }).catch(() => 'gone');
    await expect.poll(() => calls.length).toBe(1);
    const second = await send('one');
    expect([second.status, second.error().code]).toEqual([409, 'in_progress']);
    expect(second.error().retry_after_ms).toBeGreaterThan(0);
    gone.abort();
    expect(await first).toBe('gone');
    end();
    await expect.poll(async () => (await send('one')).status).toBe(200);
    expect(calls).toHaveLength(1);
  });

  it('may run when it was refused before', async () => {
    const refusals = [new RefusedError('probe_not_ready', 'not yet')];
    const { calls, send } = await setUp(async () => {
      const refusal = refusals.pop();
      if (refusal) throw refusal;
      return actionResult();
    });
    expect((await send('one')).error().code).toBe('probe_not_ready');
    expect((await send('one')).status).toBe(200);
    expect((await send('one')).status).toBe(200);
    expect(calls).toHaveLength(2);
  });

  it('does not run again when nobody knows what came of it', async () => {
    const { calls, send } = await setUp(async () => {
      throw new SubstrateError('action_timeout', 'too long');
    });
    for (const _ of [1, 2]) expect((await send('one')).error().code).toBe('action_timeout');
    expect(calls).toHaveLength(1);
  });

  it('is one of its own for each API key', async () => {
    const { server, calls, send } = await setUp();
    const { key } = await server.keys.create('other');
    await send('one');
    await send('one', ACTION, { 'X-Substrate-Key': key });
    expect(calls).toHaveLength(2);
  });

  it('shows nothing to a key that may do less since the first answer', async () => {
    const { server, calls, send } = await setUp();
    const { key, record } = await server.keys.create('less');
    const asLess = () => send('one', ACTION, { 'X-Substrate-Key': key });
    expect((await asLess()).status).toBe(200);
    const { keys } = JSON.parse(fs.readFileSync(server.keysFile, 'utf8'));
    const less = keys.map((one: { id: string }) => (one.id === record.id ? { ...one, apps: ['other*'] } : one));
    fs.writeFileSync(server.keysFile, JSON.stringify({ keys: less }));
    await expect.poll(async () => (await asLess()).status).toBe(400);
    expect((await asLess()).error().code).toBe('idempotency_mismatch');
    expect(calls).toHaveLength(1);
  });

  it('has its refused repeats noted', async () => {
    const noted: unknown[] = [];
    const { server, send } = await setUp();
    server.service.refuse = async (request, { keyId }, error) => {
      noted.push([request.action, keyId, error instanceof SubstrateError && error.code]);
      throw error;
    };
    await send('one');
    await send('one', { ...ACTION, parameters: {} });
    expect(noted).toEqual([['archive', server.keyId, 'idempotency_mismatch']]);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(201)])('has a key that is one: %j is not', async (key) => {
    const { send, calls } = await setUp();
    expect((await send(key)).error().code).toBe('invalid_request');
    expect(calls).toEqual([]);
  });

  it('is the same for the tools for models', async () => {
    const { server, calls } = await setUp();
    const params = { name: 'run_action', arguments: { ...ACTION, pid: undefined, app: PID, idempotency_key: 'one' } };
    const call = async () =>
      JSON.stringify((await server.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).json());
    expect(await call()).toContain('Done.');
    expect(await call()).toContain('Done.');
    expect(calls).toHaveLength(1);
  });
});

describe('an action with If-Match', () => {
  it('hands the capture on', async () => {
    const seen: unknown[] = [];
    const { server } = await setUp(async (_request, _options, ifMatch) => {
      seen.push(ifMatch);
      return actionResult();
    });
    for (const tag of ['"abc"', ' "abc" ', '*']) await server.post(ROUTE, ACTION, { 'If-Match': tag });
    expect(seen).toEqual(['abc', 'abc', null]);
  });

  it.each(['abc', '"a", "b"', '""', 'W/"abc"'])('is refused where %s is not understood', async (tag) => {
    const { server, calls } = await setUp();
    expect((await server.post(ROUTE, ACTION, { 'If-Match': tag })).error().code).toBe('invalid_request');
    expect(calls).toEqual([]);
  });
});
