import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { actionResult, OUTCOME, PID } from './fake-service.ts';
import { type Harness, startServer } from './harness.ts';
import { RawClient, rawRequest } from './raw-client.ts';

const MIB = 1024 * 1024;
const VERIFY = '/substrate/v1/verify';
const GOOD = JSON.stringify({ pid: PID, expression: 'true' });

function headersFor({ key }: Harness, ...more: string[]): string[] {
  return ['Host: localhost', `X-Substrate-Key: ${key}`, 'Content-Type: application/json', ...more];
}

/** Sends as long as the server reads, like a client that has not read the answer yet. */
async function pour(client: RawClient, chunk: Buffer, limitBytes: number): Promise<number> {
  let poured = 0;
  const closed = client.closed();
  while (poured < limitBytes && !client.socket.destroyed) {
    poured += chunk.length;
    if (client.socket.write(chunk)) continue;
    const drained = new Promise((resolve) => client.socket.once('drain', resolve));
    await Promise.race([drained, closed]);
  }
  return poured;
}

describe('the content type of a POST', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('may be %s', async (type) => {
    const server = await startServer();
    expect((await server.post(VERIFY, GOOD, { 'Content-Type': type })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'text/plain; a=application/json',
    'application/json, text/plain',
  ])('may not be %s', async (type) => {
    const server = await startServer();
    const answer = await server.post(VERIFY, GOOD, { 'Content-Type': type });
    expect(answer.status).toBe(400);
    expect(answer.error().code).toBe('invalid_content_type');
  });

  it('must be there', async () => {
    const server = await startServer();
    const headers = ['Host: localhost', `X-Substrate-Key: ${server.key}`, `Content-Length: ${GOOD.length}`];
    const response = await rawRequest(server.port, `POST ${VERIFY} HTTP/1.1`, headers, GOOD);
    expect(response.error().code).toBe('invalid_content_type');
  });

  it('may not hide a compressed body', async () => {
    const server = await startServer();
    const answer = await server.post(VERIFY, GOOD, { 'Content-Encoding': 'gzip' });
    expect(answer.error().code).toBe('invalid_content_type');
  });
});

describe('hostile JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each([
    ['nothing', ''],
    ['half an object', '{"pid":1,'],
    ['two values', `${GOOD}${GOOD}`],
    ['a word', 'undefined'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from(GOOD, 'utf16le')],
    ['a NUL byte', `${GOOD}\u0000`],
    ['nesting without end', nested(500_000)],
    ['nesting within a field', `{"pid":${PID},"expression":${nested(1000)}}`],
    ['a prototype', `{"pid":${PID},"expression":"true","__proto__":{"admin":true}}`],
    ['an escaped prototype', `{"pid":${PID},"expression":"true","\\u005f_proto__":{"admin":true}}`],
    ['a constructor', `{"pid":${PID},"expression":"true","constructor":{"prototype":{"admin":true}}}`],
    ['a number that is not finite', `{"pid":1e999,"expression":"true"}`],
  ])('%s is an invalid request', async (_, body) => {
    const verify = vi.fn(async () => OUTCOME);
    const server = await startServer({ service: { verify } });
    const answer = await server.post(VERIFY, body);
    expect(answer.status).toBe(400);
    expect(answer.error().code).toBe('invalid_request');
    expect(verify).not.toHaveBeenCalled();
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('a prototype deep within the parameters of an action is refused too', async () => {
    const act = vi.fn(async () => actionResult());
    const server = await startServer({ service: { act } });
    const body = `{"pid":${PID},"action":"archive","parameters":{"list":[{"a":{"__proto__":{"x":1}}}]}}`;
    expect((await server.post('/substrate/v1/action', body)).error().message).toMatch(/^__proto__: /);
    expect(act).not.toHaveBeenCalled();
  });

  it('takes the last of two equal keys, as JSON.parse does', async () => {
    const verify = vi.fn(async () => OUTCOME);
    const server = await startServer({ service: { verify } });
    await server.post(VERIFY, `{"pid":1,"pid":${PID},"expression":"true"}`);
    expect(verify).toHaveBeenCalledWith(expect.objectContaining({ pid: PID }), expect.anything());
  });

  it('is told where it is broken, but not repeated in the log', async () => {
    const server = await startServer();
    const answer = await server.post(VERIFY, '{"secret": oops}');
    expect(answer.error().message).toMatch(/^body: expected JSON/);
    expect(answer.text + JSON.stringify(server.log)).not.toMatch(/oops|secret/);
  });
});

describe('the size of a body', () => {
  const filled = (bytes: number) => {
    const frame = JSON.stringify({ pid: PID, expression: '' });
    return JSON.stringify({ pid: PID, expression: 'x'.repeat(bytes - frame.length) });
  };

  it('may be 1 MiB and not a byte more', async () => {
    const server = await startServer();
    expect((await server.post(VERIFY, filled(MIB))).status).toBe(200);
    const answer = await server.post(VERIFY, filled(MIB + 1));
    expect(answer.status).toBe(400);
    expect(answer.error().code).toBe('body_too_large');
  });

  it('is refused as soon as it is announced, and the answer can be read while still sending', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    client.write(
      `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, `Content-Length: ${8 * MIB}`)].join('\r\n')}\r\n\r\n`,
    );
    const response = await client.response();
    expect(response.error().code).toBe('body_too_large');
    expect(response.headers.get('connection')).toBe('close');
    await pour(client, Buffer.alloc(64 * 1024), 8 * MIB);
    await client.closed();
  });

  it('is refused to a client that sends everything before it reads anything', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    client.write(
      `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, `Content-Length: ${16 * MIB}`)].join('\r\n')}\r\n\r\n`,
    );
    client.socket.pause();
    await pour(client, Buffer.alloc(64 * 1024), 16 * MIB);
    client.socket.resume();
    expect((await client.response()).error().code).toBe('body_too_large');
  });

  it('is found out also when nobody announced it', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    client.write(
      `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, 'Transfer-Encoding: chunked')].join('\r\n')}\r\n\r\n`,
    );
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')]);
    await pour(client, chunk, 2 * MIB);
    expect((await client.response()).error().code).toBe('body_too_large');
    // An endless body is not read endlessly.
    const more = await pour(client, chunk, 1024 * MIB);
    expect(more).toBeLessThan(256 * MIB);
    await client.closed();
  });

  it('does not matter to a client that asks first', async () => {
    const server = await startServer();
    const outgoing = request(`${server.url}${VERIFY}`, {
      method: 'POST',
      headers: {
        'X-Substrate-Key': server.key,
        'Content-Type': 'application/json',
        'Content-Length': 5 * MIB,
        Expect: '100-continue',
      },
    });
    const continued = vi.fn();
    outgoing.on('continue', continued).on('error', () => {});
    outgoing.flushHeaders();
    const [response] = await once(outgoing, 'response');
    expect(response.statusCode).toBe(400);
    expect(continued).not.toHaveBeenCalled();
    outgoing.destroy();
  });

  it('lets a client that asks first go on', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    client.write(
      `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, `Content-Length: ${GOOD.length}`, 'Expect: 100-continue')].join('\r\n')}\r\n\r\n`,
    );
    expect((await client.response()).status).toBe(100);
    client.write(GOOD);
    expect((await client.response()).status).toBe(200);
  });

  it('keeps the connection when a small body was not wanted', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    const message = (headers: string[]) =>
      `${[`POST ${VERIFY} HTTP/1.1`, ...headers, `Content-Length: ${GOOD.length}`].join('\r\n')}\r\n\r\n${GOOD}`;
    client.write(message(['Host: localhost']));
    expect((await client.response()).status).toBe(401);
    client.write(message(headersFor(server)));
    expect((await client.response()).status).toBe(200);
  });
});

describe('bodies in pieces', () => {
  it('are put together, whatever the cuts', async () => {
    const verify = vi.fn(async () => OUTCOME);
    const server = await startServer({ service: { verify } });
    const client = new RawClient(server.port);
    const body = Buffer.from(JSON.stringify({ pid: PID, expression: 'title === "ünï"' }));
    const message = Buffer.concat([
      Buffer.from(
        `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, `Content-Length: ${body.length}`)].join('\r\n')}\r\n\r\n`,
      ),
      body,
    ]);
    client.socket.setNoDelay(true);
    for (const byte of message) {
      client.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await client.response()).status).toBe(200);
    expect(verify).toHaveBeenCalledWith(expect.objectContaining({ expression: 'title === "ünï"' }), expect.anything());
  });

  it('that break off leave nothing behind', async () => {
    const server = await startServer();
    const client = new RawClient(server.port);
    client.write(
      `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, 'Content-Length: 100', 'Expect: 100-continue')].join('\r\n')}\r\n\r\n`,
    );
    expect((await client.response()).status).toBe(100);
    client.write('{');
    client.socket.end();
    await vi.waitFor(() => expect(server.log).toContainEqual(expect.objectContaining({ status: 499 })));
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('with a broken chunk are answered', async () => {
    const server = await startServer();
    const response = await rawRequest(
      server.port,
      `POST ${VERIFY} HTTP/1.1`,
      headersFor(server, 'Transfer-Encoding: chunked'),
      'zz\r\n',
    );
    expect(response.error().code).toBe('invalid_request');
  });
});

describe('an upgrade that nobody here speaks', () => {
  it.each(['h2c', 'websocket'])('to %s is ignored', async (protocol) => {
    const server = await startServer();
    const client = new RawClient(server.port);
    const offer = ['Connection: Upgrade, HTTP2-Settings', `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const message = `${[`POST ${VERIFY} HTTP/1.1`, ...headersFor(server, `Content-Length: ${GOOD.length}`), ...offer].join('\r\n')}\r\n\r\n`;
    client.write(message, GOOD);
    expect((await client.response()).status).toBe(200);
    client.write(message + GOOD);
    expect((await client.response()).status).toBe(200);
    client.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect((await client.response()).status).toBe(200);
    await client.closed();
  });
});

describe('null for a field that may be absent', () => {
  it('is the same as absent', async () => {
    const verify = vi.fn(() => Promise.resolve({ ...OUTCOME, evaluated_at: new Date().toISOString() }));
    const act = vi.fn(() => Promise.resolve(actionResult()));
    const learn = vi.fn(() => ({ accepted: 1, rejected: 0, new_schema_version: '1.0.1', message: '' }));
    const server = await startServer({ service: { verify, act, learn } });
    const absent = { pid: PID, app_id: null, timeout_ms: null, expression: 'a' };
    expect((await server.post(VERIFY, JSON.stringify(absent))).status).toBe(200);
    expect(verify).toHaveBeenCalledWith({ pid: PID, timeout_ms: 5000, expression: 'a' }, expect.anything());
    const action = {
      pid: PID,
      action: 'a',
      parameters: { note: null },
      verify_expression: null,
      verify_timeout_ms: null,
      fresh_state: null,
    };
    expect((await server.post('/substrate/v1/action', JSON.stringify(action))).status).toBe(200);
    expect(act).toHaveBeenCalledWith(
      { pid: PID, action: 'a', parameters: { note: null }, verify_timeout_ms: 5000, fresh_state: false },
      expect.anything(),
      null,
    );
    const correction = { observed_key: 'a', correct_label: 'b', correct_type: 'string', notes: null, confidence: null };
    const learning = { capture_id: 'c', schema_version: '1.0.0', feedback_type: null, corrections: [correction] };
    expect((await server.post(`/substrate/v1/learn/${PID}`, JSON.stringify(learning))).status).toBe(200);
  });

  it.each([
    [{ pid: PID, expression: null }, 'expression: expected a string'],
    [{ pid: null, app_id: null, expression: 'a' }, 'expected pid (integer) or app_id (string)'],
    [{ pid: PID, expression: 'a', unknown: null }, 'unknown: not a field of body'],
  ])('is refused where the field is needed or unknown: %j', async (body, message) => {
    const server = await startServer();
    const answer = await server.post(VERIFY, JSON.stringify(body));
    expect(answer.error()).toMatchObject({ code: 'invalid_request', message: expect.stringContaining(message) });
  });
});
