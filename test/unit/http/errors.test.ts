import { describe, expect, it } from 'vitest';
import { ERROR_STATUS, type ErrorCode, SubstrateError } from '../../../src/model/errors.ts';
import { PID } from './fake-service.ts';
import { startServer } from './harness.ts';
import { rawRequest } from './raw-client.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The headers of every response. */
function expectFixedHeaders(headers: { get(name: string): string | null | undefined }): void {
  expect(headers.get('x-request-id')).toMatch(UUID_V7);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
}

describe('the error envelope', () => {
  it.each(Object.entries(ERROR_STATUS))('gives %s the status %i', async (code, status) => {
    const readState = async () => {
      throw new SubstrateError(code as ErrorCode, 'because');
    };
    const server = await startServer({ service: { readState } });
    const answer = await server.get(`/substrate/v1/state/${PID}`);
    expect(answer.status).toBe(status);
    expect(answer.error()).toMatchObject({ code, message: 'because', request_id: answer.headers.get('x-request-id') });
    expectFixedHeaders(answer.headers);
  });

  it('is the same for a fault that nobody foresaw, without its details', async () => {
    const readSchema = () => {
      throw new Error('secret detail');
    };
    const server = await startServer({ service: { readSchema } });
    const answer = await server.get(`/substrate/v1/schema/${PID}`);
    expect(answer.status).toBe(500);
    expect(answer.error().code).toBe('internal');
    expect(answer.text).not.toContain('secret');
    const line = server.log.find((entry) => entry.level === 'error');
    expect(line).toMatchObject({ request_id: answer.error().request_id, message: 'unexpected fault' });
  });

  it('tells when to come back', async () => {
    const readState = async () => {
      throw new SubstrateError('rate_limited', 'slow', { retryAfterMs: 1200.5 });
    };
    const server = await startServer({ service: { readState } });
    const answer = await server.get(`/substrate/v1/state/${PID}`);
    expect(answer.error().retry_after_ms).toBe(1201);
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  it('never takes the request id of the client', async () => {
    const server = await startServer();
    const answer = await server.get('/substrate/v1/apps', { 'X-Request-Id': 'mine' });
    expect(answer.headers.get('x-request-id')).toMatch(UUID_V7);
  });

  it('gives every response its headers, each with an id of its own', async () => {
    const server = await startServer();
    const answers = [
      await server.get('/health'),
      await server.get('/substrate/v1/apps'),
      await server.get('/substrate/v1/apps', { 'X-Substrate-Key': 'sk_substrate_wrong' }),
      await server.get('/nowhere'),
      await server.get(`/substrate/v1/watch/${PID}`),
      await server.post('/substrate/v1/action', 'x'),
    ];
    for (const { headers } of answers) expectFixedHeaders(headers);
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(answers.length);
  });

  it.each([
    ['no HTTP at all', 'BLAH', ['\u0001\u0002']],
    ['an unknown version', 'GET /health HTTP/9.9', []],
    ['a header without a name', 'GET /health HTTP/1.1', [': x']],
    [
      'both lengths',
      'POST /substrate/v1/verify HTTP/1.1',
      ['Host: localhost', 'Content-Length: 3', 'Transfer-Encoding: chunked'],
    ],
    [
      'two lengths',
      'POST /substrate/v1/verify HTTP/1.1',
      ['Host: localhost', 'Content-Length: 3', 'Content-Length: 4'],
    ],
    ['too many headers', 'GET /health HTTP/1.1', ['Host: localhost', `X-Big: ${'x'.repeat(20_000)}`]],
    [
      'a header that is continued on the next line',
      'GET /health HTTP/1.1',
      ['Host: localhost', 'X-A: 1', ' \u0000: 2'],
    ],
  ])('answers %s with the same envelope', async (_, start, headers) => {
    const { port } = await startServer();
    const response = await rawRequest(port, start, headers);
    expect(response.status).toBe(400);
    expect(response.error()).toMatchObject({
      code: 'invalid_request',
      request_id: response.headers.get('x-request-id'),
    });
    expectFixedHeaders(response.headers);
  });

  it('answers CONNECT, HEAD and other methods with 404', async () => {
    const server = await startServer();
    const connect = await rawRequest(server.port, 'CONNECT example.com:443 HTTP/1.1', ['Host: example.com:443']);
    expect(connect.status).toBe(404);
    expectFixedHeaders(connect.headers);
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const response = await fetch(`${server.url}/substrate/v1/apps`, { method });
      expect(response.status).toBe(404);
      expectFixedHeaders(response.headers);
    }
  });
});

describe('the log', () => {
  it('has one line per request, with the pattern of the route and never the key', async () => {
    const server = await startServer();
    const { headers } = await server.get(`/substrate/v1/state/${PID}?key=${server.key}`);
    await server.get(`/substrate/v1/watch/${PID}?key=${server.key}`);
    await server.get(`/nowhere/${server.key}`);
    const lines = server.log.filter(({ message }) => message === 'request');
    expect(lines).toMatchObject([
      {
        level: 'debug',
        request_id: headers.get('x-request-id'),
        method: 'GET',
        route: '/substrate/v1/state/{pid}',
        status: 200,
        key_id: server.keyId,
        ms: expect.any(Number),
      },
      { route: '/substrate/v1/watch/{pid}', status: 426 },
      { route: 'unmatched', status: 404, key_id: null },
    ]);
    expect(JSON.stringify(server.log)).not.toContain(server.key);
  });
});
