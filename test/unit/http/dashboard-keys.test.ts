import { afterEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { PID } from './fake-service.ts';
import { type Harness, startServer } from './harness.ts';

const CODE = '/substrate/v1/dashboard/code';
const KEY = '/substrate/v1/dashboard/key';
const HOUR_MS = 60 * 60_000;

afterEach(() => void vi.restoreAllMocks());

function later(ms: number): void {
  const time = Date.now() + ms;
  vi.spyOn(Date, 'now').mockImplementation(() => time);
}

async function makeCode(server: Harness, key = server.key): Promise<string> {
  const answer = await server.post(CODE, {}, { 'X-Substrate-Key': key });
  expect(answer.status).toBe(200);
  return (answer.json() as { code: string }).code;
}

const redeem = (server: Harness, code: string, headers: Record<string, string> = {}) =>
  server.post(KEY, { code }, { 'X-Substrate-Key': '', ...headers });

async function dashboardKey(server: Harness): Promise<string> {
  return ((await redeem(server, await makeCode(server))).json() as { key: string }).key;
}

const apps = async (server: Harness, key: string) => {
  const answer = await server.get('/substrate/v1/apps', { 'X-Substrate-Key': key });
  return answer.status === 200 ? 'ok' : answer.error().code;
};

describe('a link to the dashboard', () => {
  it('holds a code that works once, for a key that works', async () => {
    const server = await startServer();
    const code = await makeCode(server);
    const first = await redeem(server, code);
    const { key } = first.json() as { key: string };
    expect(key).toMatch(/^sk_dashboard_[\w-]{43}$/);
    expect(await apps(server, key)).toBe('ok');
    const second = await redeem(server, code);
    expect([second.status, second.error().code]).toEqual([401, 'invalid_key']);
    expect(await apps(server, code)).toBe('invalid_key');
  });

  it('is worth nothing after two minutes', async () => {
    const server = await startServer();
    const code = await makeCode(server);
    later(2 * 60_000);
    expect((await redeem(server, code)).error().code).toBe('invalid_key');
  });

  it('is for nobody who guesses, or who is a page of somebody else', async () => {
    const server = await startServer({ rateLimit: { enabled: true, action_per_second: 2 } });
    const code = await makeCode(server);
    const foreign = await redeem(server, code, { Origin: 'http://evil.example' });
    expect([foreign.status, foreign.error().code]).toEqual([403, 'forbidden_origin']);
    const guesses = await Promise.all(['x', 'y', 'z', code.slice(1)].map((guess) => redeem(server, guess)));
    expect(guesses.map((answer) => answer.error().code).sort()).toContain('rate_limited');
    expect(guesses.every(({ status }) => status !== 200)).toBe(true);
    // Guessing does not delay those who know.
    expect((await redeem(server, code)).status).toBe(200);
  });

  it('is one of a few: whoever asks for many loses their oldest, and nobody else does', async () => {
    const server = await startServer();
    const { key: other } = await server.keys.create('other');
    const theirs = await makeCode(server, other);
    const oldest = await makeCode(server);
    for (let count = 0; count < 32; count++) await makeCode(server);
    expect((await redeem(server, oldest)).status).toBe(401);
    expect((await redeem(server, theirs)).status).toBe(200);
  });
});

describe('the key of a dashboard', () => {
  it('ends after half a day', async () => {
    const server = await startServer();
    const key = await dashboardKey(server);
    later(12 * HOUR_MS - 1000);
    expect(await apps(server, key)).toBe('ok');
    later(1000);
    expect(await apps(server, key)).toBe('expired_key');
  });

  it('ends with the key that asked for the link, and does not outlive what comes of it', async () => {
    const server = await startServer();
    const key = await dashboardKey(server);
    later(11 * HOUR_MS);
    const heir = ((await redeem(server, await makeCode(server, key))).json() as { key: string }).key;
    expect(await apps(server, heir)).toBe('ok');
    later(HOUR_MS);
    expect(await apps(server, heir)).toBe('expired_key');
    vi.restoreAllMocks();
    await server.keys.setEnabled(server.keyId, false);
    expect(await apps(server, key)).toBe('invalid_key');
  });

  it('is in no file, and so ends with the daemon', async () => {
    const server = await startServer();
    const key = await dashboardKey(server);
    expect(server.keys.list()).toHaveLength(1);
    expect(await apps(await startServer(), key)).toBe('invalid_key');
    expect(JSON.stringify(server.log)).not.toContain(key);
  });

  it('opens a watch, which tells nothing more when it has expired', async () => {
    const server = await startServer();
    const key = await dashboardKey(server);
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/substrate/v1/watch/${PID}?key=${key}`);
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once('close', (code, reason) => resolve([code, String(reason)])),
    );
    later(12 * HOUR_MS);
    server.service.change(['cart.total']);
    expect(await closed).toEqual([1008, 'key_revoked']);
    expect(messages).toEqual([]);
  });
});
