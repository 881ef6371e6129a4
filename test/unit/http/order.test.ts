import { describe, expect, it } from 'vitest';
import { PID } from './fake-service.ts';
import { startServer } from './harness.ts';
import { rawRequest } from './raw-client.ts';

const JSON_TYPE = 'Content-Type: application/json';

/** Each request fails all checks after the one that it names. */
describe('the order of the checks', () => {
  const noTokens = { enabled: true, state_per_second: 1, action_per_second: 1 };

  it('is host, origin, path, key, rate, content type, size, JSON, shape', async () => {
    const server = await startServer({ rateLimit: noTokens, clock: () => 0 });
    const key = `X-Substrate-Key: ${server.key}`;
    const foreign = 'Origin: http://evil.example';
    const post = (path: string, headers: string[], body = '') =>
      rawRequest(server.port, `POST ${path} HTTP/1.1`, headers, body).then(({ status, error }) => [
        status,
        error().code,
      ]);
    const verify = '/substrate/v1/verify';
    const huge = 'Content-Length: 9999999';

    expect(await post('/nowhere', ['Host: evil.example', foreign])).toEqual([403, 'forbidden_host']);
    expect(await post('/nowhere', ['Host: localhost', foreign])).toEqual([403, 'forbidden_origin']);
    expect(await post('/nowhere', ['Host: localhost'])).toEqual([404, 'not_found']);
    expect(await post(verify, ['Host: localhost', huge])).toEqual([401, 'missing_key']);
    // The only token of the second.
    expect(await post(verify, ['Host: localhost', key, huge])).toEqual([400, 'invalid_content_type']);
    expect(await post(verify, ['Host: localhost', key, huge])).toEqual([429, 'rate_limited']);
  });

  it('continues with size, JSON and shape', async () => {
    const server = await startServer();
    const base = ['Host: localhost', `X-Substrate-Key: ${server.key}`, JSON_TYPE];
    const post = (length: number, body = '') =>
      rawRequest(server.port, 'POST /substrate/v1/verify HTTP/1.1', [...base, `Content-Length: ${length}`], body).then(
        ({ status, error }) => [status, error().code, error().message.split(':')[0]],
      );
    expect(await post(1024 * 1024 + 1)).toEqual([400, 'body_too_large', 'body']);
    expect(await post(1, '{')).toEqual([400, 'invalid_request', 'body']);
    expect(await post(2, '{}')).toEqual([400, 'invalid_request', 'expression']);
  });

  it('does not let a wrong key cost tokens', async () => {
    const server = await startServer({ rateLimit: noTokens, clock: () => 0 });
    for (let i = 0; i < 3; i++) await server.get('/substrate/v1/apps', { 'X-Substrate-Key': 'wrong' });
    expect((await server.get('/substrate/v1/apps')).status).toBe(200);
  });

  it('on watch is key, upgrade, pid', async () => {
    const server = await startServer();
    const upgrade = [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    ];
    const get = (path: string, headers: string[]) =>
      rawRequest(server.port, `GET ${path} HTTP/1.1`, ['Host: localhost', ...headers]).then(({ status, error }) => [
        status,
        error().code,
      ]);
    const key = `X-Substrate-Key: ${server.key}`;
    expect(await get('/substrate/v1/watch/1', [])).toEqual([401, 'missing_key']);
    expect(await get('/substrate/v1/watch/1', upgrade)).toEqual([401, 'missing_key']);
    expect(await get('/substrate/v1/watch/1', [key])).toEqual([426, 'upgrade_required']);
    expect(await get('/substrate/v1/watch/1', [key, ...upgrade])).toEqual([404, 'not_found']);
    expect(await get('/substrate/v1/watch/x', [key, ...upgrade])).toEqual([400, 'invalid_request']);
    expect(await get(`/substrate/v1/watch/${PID}`, [key, ...upgrade, 'Origin: null'])).toEqual([
      403,
      'forbidden_origin',
    ]);
  });
});
