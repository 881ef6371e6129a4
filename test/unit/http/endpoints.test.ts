import { uuidv7 } from 'uuidv7';
import { describe, expect, it, vi } from 'vitest';
import { SubstrateError } from '../../../src/model/errors.ts';
import * as wire from '../../../src/model/wire.ts';
import { APP_ID, actionResult, OUTCOME, PID, STATE, SUMMARY } from './fake-service.ts';
import { startServer } from './harness.ts';

const CORRECTION = { observed_key: 'unknown_0x00000001', correct_label: 'inbox.unread', correct_type: 'number' };
const ACTION = { pid: PID, action: 'archive', parameters: { id: 'm1' } };

describe('health', () => {
  it('answers without a key', async () => {
    const { url } = await startServer();
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    const body: unknown = await response.json();
    expect(wire.healthResponse.strict().parse(body)).toMatchObject({
      status: 'ok',
      version: '1.2.3',
      tracked_processes: 1,
      auth_enabled: true,
    });
  });

  it('answers the same under the prefix, with a key only', async () => {
    const server = await startServer();
    const answer = await server.get('/substrate/v1/health');
    expect(wire.healthResponse.strict().parse(answer.json())).toMatchObject({ status: 'ok', version: '1.2.3' });
    expect((await server.get('/substrate/v1/health', { 'X-Substrate-Key': '' })).error().code).toBe('missing_key');
  });

  it('tells that keys are not required', async () => {
    const server = await startServer({ requireKey: false });
    const response = await fetch(`${server.url}/substrate/v1/health`);
    expect(await response.json()).toMatchObject({ auth_enabled: false });
  });
});

describe('history', () => {
  it('is that of the keys that were asked for, commas in brackets and quotes among them', async () => {
    const server = await startServer();
    const keys = 'inbox.unread, inbox["a,b"]';
    const answer = await server.get(`/substrate/v1/history/${PID}?keys=${encodeURIComponent(keys)}`);
    expect(wire.historyResponse.strict().parse(answer.json())).toMatchObject({
      pid: PID,
      series: [
        { key: 'inbox.unread', points: [{ value: 3 }] },
        { key: 'inbox["a,b"]', points: [] },
      ],
    });
  });

  it.each(['', '?keys=', '?keys=,', `?keys=${Array.from({ length: 21 }, (_, at) => `k${at}`)}`])(
    'wants one to twenty keys: %s',
    async (query) => {
      const server = await startServer();
      expect((await server.get(`/substrate/v1/history/${PID}${query}`)).error().code).toBe('invalid_request');
    },
  );
});

describe('reading', () => {
  it('lists the applications', async () => {
    const server = await startServer();
    const answer = await server.get('/substrate/v1/apps');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ total: 1, apps: [SUMMARY] });
  });

  it('serves the bytes of a snapshot as they are', async () => {
    const server = await startServer();
    const answer = await server.get(`/substrate/v1/state/${PID}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(JSON.stringify(STATE));
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(answer.text)));
  });

  it('tells a client that has the snapshot only that it has', async () => {
    const server = await startServer();
    const target = `/substrate/v1/state/${PID}`;
    const etag = (await server.get(target)).headers.get('etag') ?? '';
    expect(etag).toBe(`"${STATE.capture_id}"`);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await server.get(target, { 'X-Substrate-Key': server.key, 'If-None-Match': known });
      expect([answer.status, answer.text, answer.headers.get('etag')]).toEqual([304, '', etag]);
      expect([answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([null, null]);
    }
    const other = await server.get(target, { 'X-Substrate-Key': server.key, 'If-None-Match': '"other"' });
    expect([other.status, other.text]).toEqual([200, JSON.stringify(STATE)]);
  });

  it.each([
    ['inbox.**,cart.total', 200],
    ['a["x,y"].b', 200],
    [Array(50).fill('a').join(), 200],
    ['', 400],
    [',', 400],
    [Array(51).fill('a').join(), 400],
    ['a'.repeat(501), 400],
    ['a&keys=b', 400],
  ])('takes the globs %s: %i', async (keys, status) => {
    const readState = vi.fn(async () => ({ captureId: 'x', bytes: [Buffer.from('{}')] }));
    const server = await startServer({ service: { readState } });
    const query = keys.includes('&') ? keys : encodeURIComponent(keys);
    const answer = await server.get(`/substrate/v1/state/${PID}?keys=${query}`);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.error().message).toMatch(/^keys: expected/);
    else expect(readState).toHaveBeenCalledWith(PID, { fresh: false, keys, known: [] }, expect.anything());
  });

  it('serves a large snapshot whole', async () => {
    const filler = Buffer.alloc(8 * 1024 * 1024, 'x');
    const server = await startServer({
      service: {
        readState: async () => ({ captureId: 'x', bytes: [Buffer.from('"'), filler, filler, Buffer.from('"')] }),
      },
    });
    const answer = await server.get(`/substrate/v1/state/${PID}`);
    expect(answer.text.length).toBe(2 * filler.length + 2);
  });

  it.each([
    ['', false],
    ['?fresh=false', false],
    ['?fresh=true', true],
    ['?fresh=true&unknown=1', true],
  ])('reads state%s with fresh=%s', async (query, fresh) => {
    const readState = vi.fn(async () => ({ captureId: 'x', bytes: [Buffer.from('{}')] }));
    const server = await startServer({ service: { readState } });
    await server.get(`/substrate/v1/state/${PID}${query}`);
    expect(readState).toHaveBeenCalledWith(PID, { fresh, keys: null, known: [] }, expect.anything());
  });

  it.each(['?fresh=1', '?fresh=', '?fresh', '?fresh=TRUE', '?fresh=true&fresh=false', '?fresh=true&fresh=true'])(
    'refuses state%s',
    async (query) => {
      const server = await startServer();
      const { code, message } = (await server.get(`/substrate/v1/state/${PID}${query}`)).error();
      expect({ code, message }).toEqual({
        code: 'invalid_request',
        message: expect.stringMatching(/^fresh: expected /),
      });
    },
  );

  it('reads the schema', async () => {
    const server = await startServer();
    const answer = await server.get(`/substrate/v1/schema/${PID}`);
    expect(wire.schemaResponse.strict().parse(answer.json())).toMatchObject({ pid: PID, app_id: APP_ID });
  });

  it('reads a diff, and needs to know since when', async () => {
    const server = await startServer();
    const since = uuidv7();
    const answer = await server.get(`/substrate/v1/diff/${PID}?since=${since}`);
    expect(wire.diffResponse.strict().parse(answer.json())).toMatchObject({ prev_capture_id: since });
    const { code, message } = (await server.get(`/substrate/v1/diff/${PID}`)).error();
    expect(code).toBe('invalid_request');
    expect(message).toMatch(/^since: expected a string/);
    expect((await server.get(`/substrate/v1/diff/${PID}?since=`)).error().code).toBe('invalid_request');
    expect((await server.get(`/substrate/v1/diff/${PID}?since=a&since=b`)).error().code).toBe('invalid_request');
  });

  it.each([
    '0',
    '-1',
    '1.5',
    'abc',
    '%31',
    '%zz',
    '1e3',
    '0x10',
    ' 1',
    '2147483648',
    '99999999999999999999',
    '{pid}',
    '01',
    '',
  ])('refuses the pid "%s"', async (pid) => {
    const server = await startServer();
    const answer = await server.get(`/substrate/v1/state/${pid}`);
    expect(answer.status).toBe(400);
    expect(answer.error()).toMatchObject({
      code: 'invalid_request',
      message: 'pid: expected an integer from 1 to 2147483647',
    });
  });

  it.each(['state', 'schema', 'diff'])('answers 404 for an unknown pid on %s', async (name) => {
    const server = await startServer();
    const answer = await server.get(`/substrate/v1/${name}/1?since=x`);
    expect(answer.status).toBe(404);
    expect(answer.error().code).toBe('not_found');
  });
});

describe('action', () => {
  it('passes the defaults on and splices the state in', async () => {
    const act = vi.fn(async () => actionResult());
    const server = await startServer({ service: { act } });
    const answer = await server.post('/substrate/v1/action', ACTION);
    expect(answer.status).toBe(200);
    expect(wire.actionResponse.strict().parse(answer.json())).toMatchObject({ success: true, updated_state: STATE });
    expect(act).toHaveBeenCalledWith(
      { ...ACTION, verify_timeout_ms: 5000, fresh_state: false },
      expect.anything(),
      null,
    );
  });

  it('answers null for a state that there is not, and for a return value that there is not', async () => {
    const server = await startServer({
      service: {
        act: async () => ({
          fields: { ...actionResult().fields, raw_return: undefined },
          updatedState: null,
          effect: null,
        }),
      },
    });
    expect((await server.post('/substrate/v1/action', ACTION)).json()).toMatchObject({
      updated_state: null,
      raw_return: null,
    });
  });

  it('answers 422 with the whole response and the error when the verification failed', async () => {
    const { actual_value: _, evaluated_at: __, ...outcome } = OUTCOME;
    const verification = { ...outcome, passed: false, explanation: 'unread stayed 3' };
    const server = await startServer({ service: { act: async () => actionResult({ success: false, verification }) } });
    const answer = await server.post('/substrate/v1/action', { ...ACTION, verify_expression: 'inbox.unread === 2' });
    expect(answer.status).toBe(422);
    expect(wire.actionResponse.parse(answer.json())).toMatchObject({
      success: false,
      verification,
      updated_state: STATE,
    });
    expect(answer.error()).toMatchObject({
      code: 'verification_failed',
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('answers 200 when the verification passed', async () => {
    const { actual_value: _, evaluated_at: __, ...verification } = OUTCOME;
    const server = await startServer({ service: { act: async () => actionResult({ verification }) } });
    const answer = await server.post('/substrate/v1/action', ACTION);
    expect(answer.status).toBe(200);
    expect(answer.json()).not.toHaveProperty('error');
  });

  it('merges what a gate has to say beside the error', async () => {
    const act = async () => {
      throw new SubstrateError('missing_verify_expression', 'irreversible', {
        extra: { action: 'purge', executed: false },
      });
    };
    const server = await startServer({ service: { act } });
    const answer = await server.post('/substrate/v1/action', { ...ACTION, action: 'purge' });
    expect(answer.status).toBe(400);
    expect(answer.json()).toEqual({
      action: 'purge',
      executed: false,
      error: {
        code: 'missing_verify_expression',
        message: 'irreversible',
        request_id: answer.headers.get('x-request-id'),
      },
    });
  });

  it.each([
    [{ ...ACTION, verify_timeout_ms: 99 }, 'verify_timeout_ms: expected an integer from 100 to 30000'],
    [{ ...ACTION, verify_timeout_ms: 30_001 }, 'verify_timeout_ms: expected an integer from 100 to 30000'],
    [{ ...ACTION, verify_timeout_ms: 100.5 }, 'verify_timeout_ms: expected an integer from 100 to 30000'],
    [{ ...ACTION, verify_timeout_ms: '500' }, 'verify_timeout_ms: expected an integer from 100 to 30000'],
    [{ ...ACTION, pid: '1' }, 'pid: expected an integer from 1 to 2147483647'],
    [{ ...ACTION, pid: 2 ** 40 }, 'pid: expected an integer from 1 to 2147483647'],
    [{ ...ACTION, fresh_state: 'yes' }, 'fresh_state: expected true or false'],
    [{ ...ACTION, parameters: [] }, 'parameters: expected an object'],
    [{ pid: PID, action: 'a' }, 'parameters: expected an object'],
    [{ pid: PID, parameters: {} }, 'action: expected a string of 1 to 500 characters'],
    [{ action: 'a', parameters: {} }, 'pid: expected pid (integer) or app_id (string)'],
    [[], 'body: expected an object'],
    [null, 'body: expected an object'],
    [{ ...ACTION, colour: 1 }, /^colour: not a field of body; expected only pid, app_id, action, /],
  ])('refuses %j', async (body, message) => {
    const server = await startServer();
    const answer = await server.post('/substrate/v1/action', body);
    expect(answer.status).toBe(400);
    expect(answer.error()).toMatchObject({
      code: 'invalid_request',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });
});

describe('verify and learn', () => {
  it('answers 200 also when the expression was not true', async () => {
    const server = await startServer({ service: { verify: async () => ({ ...OUTCOME, passed: false }) } });
    const answer = await server.post('/substrate/v1/verify', { pid: PID, expression: 'false' });
    expect(answer.status).toBe(200);
    expect(wire.verifyResponse.parse(answer.json())).toMatchObject({ passed: false });
  });

  it('names the field that is wrong in verify', async () => {
    const server = await startServer();
    const answer = await server.post('/substrate/v1/verify', { pid: PID, expression: '', timeout_ms: 1 });
    expect(answer.error().message).toBe(
      'expression: expected a string that is not empty; timeout_ms: expected an integer from 100 to 30000',
    );
  });

  it('accepts corrections with their defaults', async () => {
    const learn = vi.fn(() => ({ accepted: 1, rejected: 0, new_schema_version: '1.0.1', message: 'ok' }));
    const server = await startServer({ service: { learn } });
    const answer = await server.post(`/substrate/v1/learn/${PID}`, {
      capture_id: 'c',
      schema_version: '1.0.0',
      corrections: [CORRECTION],
    });
    expect(wire.learnResponse.strict().parse(answer.json())).toMatchObject({ accepted: 1 });
    expect(learn).toHaveBeenCalledWith(
      PID,
      expect.objectContaining({ feedback_type: 'label_correction', corrections: [{ ...CORRECTION, confidence: 1 }] }),
      expect.objectContaining({ keyId: expect.stringMatching(/./) }),
    );
  });

  it.each([
    [
      { feedback_type: 'praise' },
      'feedback_type: expected one of label_correction, type_correction, action_correction',
    ],
    [{ corrections: [] }, 'corrections: expected an array of 1 to 1000 entries'],
    [
      { corrections: [{ observed_key: 1, correct_label: 'a', correct_type: 'string' }] },
      'corrections[0].observed_key: expected a string of 1 to 2000 characters',
    ],
    [
      { corrections: [{ observed_key: 'k', correct_label: 'a', correct_type: 'string', confidence: 2 }] },
      'corrections[0].confidence: expected a number from 0 to 1',
    ],
  ])('refuses %j', async (change, message) => {
    const server = await startServer();
    const body = { capture_id: 'c', schema_version: '1.0.0', corrections: [CORRECTION], ...change };
    expect((await server.post(`/substrate/v1/learn/${PID}`, body)).error()).toMatchObject({
      code: 'invalid_request',
      message,
    });
  });
});
