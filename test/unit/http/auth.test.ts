import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../src/http/routes.ts';
import { answerOf, startServer } from './harness.ts';
import { rawRequest } from './raw-client.ts';

describe('keys', () => {
  it.each(ROUTES.filter(({ auth }) => auth).map(({ method, path }) => [method, path.replace('{pid}', '1')] as const))(
    'are needed for %s %s',
    async (method, path) => {
      const server = await startServer();
      const send = async (headers: Record<string, string>) =>
        answerOf(await fetch(server.url + path, { method, headers }));
      const missing = await send({});
      expect([missing.status, missing.error().code]).toEqual([401, 'missing_key']);
      const invalid = await send({ 'X-Substrate-Key': `${server.key}x` });
      expect([invalid.status, invalid.error().code]).toEqual([401, 'invalid_key']);
      await server.keys.setEnabled(server.keyId, false);
      const disabled = await send({ 'X-Substrate-Key': server.key });
      expect([disabled.status, disabled.error().code]).toEqual([401, 'disabled_key']);
    },
  );

  it('are case-sensitive, unlike the name of their header', async () => {
    const server = await startServer();
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': server.key.toUpperCase() })).status).toBe(401);
    const response = await fetch(`${server.url}/substrate/v1/apps`, { headers: { 'x-sUBSTRATE-kEY': server.key } });
    expect(response.status).toBe(200);
  });

  it('count once: two headers, or a key in the URL of a plain route, let nobody in', async () => {
    const server = await startServer();
    const key = `X-Substrate-Key: ${server.key}`;
    const twice = await rawRequest(server.port, 'GET /substrate/v1/apps HTTP/1.1', ['Host: localhost', key, key]);
    expect(twice.error().code).toBe('invalid_key');
    const response = await fetch(`${server.url}/substrate/v1/apps?key=${server.key}`);
    expect((await answerOf(response)).error().code).toBe('missing_key');
  });

  it('can be rotated without a pause', async () => {
    const server = await startServer();
    const status = async (key: string) => (await server.get('/substrate/v1/health', { 'X-Substrate-Key': key })).status;
    const { key: replacement } = await server.keys.create('replacement');
    expect(await status(server.key)).toBe(200);
    expect(await status(replacement)).toBe(200);
    await server.keys.setEnabled(server.keyId, false);
    const old = await server.get('/substrate/v1/health');
    expect([old.status, old.error().code]).toEqual([401, 'disabled_key']);
    await server.keys.delete(server.keyId);
    expect((await server.get('/substrate/v1/health')).error().code).toBe('invalid_key');
    expect(await status(replacement)).toBe(200);
  });

  it('are not looked at when none is required', async () => {
    const server = await startServer({ requireKey: false });
    expect((await fetch(`${server.url}/substrate/v1/apps`)).status).toBe(200);
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': 'wrong' })).status).toBe(200);
  });
});
