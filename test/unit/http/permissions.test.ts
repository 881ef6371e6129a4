/** The permissions of restricted keys, over every route. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ROUTES } from '../../../src/http/routes.ts';
import type { Restrictions } from '../../../src/model/key-record.ts';
import type { Scope } from '../../../src/model/scope.ts';
import { FAKE_FLEET } from './fake-fleet.ts';
import { APP_ID, PID } from './fake-service.ts';
import { type Answer, type Harness, startServer } from './harness.ts';

const ACTION = { pid: PID, action: 'archive', parameters: { id: '1' } };
const V1 = '/substrate/v1';
const DOCUMENT = { format: 'substrate-schema/1', app_id: APP_ID, app_name: 'Inbox', labels: [], actions: [] };
const CORRECTIONS = [{ observed_key: 'a', correct_label: 'b', correct_type: 'string' }];
const LEARN = { capture_id: 'x', schema_version: '1.0.0', corrections: CORRECTIONS };

/** A valid request to each route that needs a key and names a scope. */
const REQUESTS: readonly [Scope, string, string, unknown?][] = [
  ['read', 'listApps', `${V1}/apps`],
  ['read', 'listHosts', `${V1}/hosts`],
  ['read', 'readPublished', `${V1}/published?app=inbox&keys=inbox.unread`],
  ['read', 'readState', `${V1}/state/${PID}`],
  ['read', 'listAttachments', `${V1}/attach`],
  ['read', 'attach', `${V1}/attach/${PID}`, {}],
  ['read', 'readTrace', `${V1}/trace/${PID}`],
  ['admin', 'detach', `${V1}/detach/${PID}`, {}],
  ['read', 'readSchema', `${V1}/schema/${PID}`],
  ['read', 'exportSchema', `${V1}/schema/export?app_id=${APP_ID}`],
  ['teach', 'importSchema', `${V1}/schema/import`, { document: DOCUMENT }],
  ['read', 'diffState', `${V1}/diff/${PID}?since=x`],
  ['read', 'readHistory', `${V1}/history/${PID}?keys=inbox.unread`],
  ['admin', 'listApprovals', `${V1}/approvals`],
  ['admin', 'decideApproval', `${V1}/approvals`, { id: 'ask_01234567', approve: true }],
  ['read', 'verifyExpression', `${V1}/verify`, { pid: PID, expression: 'true' }],
  ['teach', 'submitCorrections', `${V1}/learn/${PID}`, LEARN],
  ['read', 'getMetrics', '/metrics'],
];
/** The service checks its scope and its app, with the other gates. */
const EXECUTE = ['act', 'executeAction', `${V1}/action`, ACTION] as const;
const OPEN = ['act', 'openBrowser', `${V1}/browser`, { url: 'https://example.org' }] as const;
/** Those that name an app. */
const NAMING = REQUESTS.filter(
  ([, name]) =>
    !['listApps', 'listHosts', 'listAttachments', 'getMetrics', 'listApprovals', 'decideApproval'].includes(name),
);

async function keyWith(server: Harness, restrictions: Restrictions) {
  const { key } = await server.keys.create('restricted', restrictions);
  const header = { 'X-Substrate-Key': key };
  const send = (target: string, body?: unknown): Promise<Answer> =>
    body === undefined ? server.get(target, header) : server.post(target, body, header);
  const watch = () =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${V1}/watch/${PID}`, { headers: header });
      socket.once('open', () => {
        resolve(101);
        socket.terminate();
      });
      socket.once('unexpected-response', (_req, { statusCode = 0 }) => resolve(statusCode));
      socket.once('error', reject);
    });
  return { send, watch };
}

describe('a key with scopes', () => {
  it('has a request here for each route that names one', () => {
    const named = ROUTES.filter(({ scope, upgrade }) => scope !== null && !upgrade);
    expect(REQUESTS.map(([scope, name]) => `${name} ${scope}`).sort()).toEqual(
      named.map(({ doc, scope }) => `${doc.operationId} ${scope}`).sort(),
    );
  });

  it.each(['read', 'act', 'teach', 'admin'] as const)('may do what %s is for, and nothing else', async (scope) => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send, watch } = await keyWith(server, { scopes: [scope] });
    for (const [needed, name, target, body] of [...REQUESTS, EXECUTE, OPEN]) {
      const { status, error } = await send(target, body);
      if (needed === scope) expect([name, status]).toEqual([name, 200]);
      else expect([name, status, error().code]).toEqual([name, 403, 'forbidden_scope']);
    }
    expect(await watch()).toBe(scope === 'read' ? 101 : 403);
    expect((await send(`${V1}/health`)).status).toBe(200);
  });

  it('can do no more by the tools for models', async () => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send } = await keyWith(server, { scopes: ['read'] });
    const call = (name: string, input: object) =>
      send('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } });
    const acted = JSON.stringify(
      (await call('run_action', { app: PID, action: 'archive', parameters: { id: '1' } })).json(),
    );
    expect(acted).toContain('lacks the scope act');
    expect(acted).toContain('Another try with this key does not help');
    expect(acted).toContain('Do not try again');
    expect(JSON.stringify((await call('list_apps', {})).json())).toContain(APP_ID);
  });

  it('gives no more to the dashboard that it opens', async () => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send } = await keyWith(server, { scopes: ['read'] });
    const { code } = (await send(`${V1}/dashboard/code`, {})).json() as { code: string };
    const { key } = (await server.post(`${V1}/dashboard/key`, { code }, { 'X-Substrate-Key': '' })).json() as {
      key: string;
    };
    const page = { 'X-Substrate-Key': key };
    expect((await server.get(`${V1}/apps`, page)).status).toBe(200);
    expect((await server.post(`${V1}/action`, ACTION, page)).error().code).toBe('forbidden_scope');
  });
});

describe('a key for some apps', () => {
  it('can use those', async () => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send, watch } = await keyWith(server, { apps: ['inbox*'] });
    for (const [, name, target, body] of [...REQUESTS, EXECUTE])
      expect([name, (await send(target, body)).status]).toEqual([name, 200]);
    expect(await watch()).toBe(101);
  });

  it('can use no others, however they are named', async () => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send, watch } = await keyWith(server, { apps: ['coffee*'] });
    for (const [, name, target, body] of [...NAMING, EXECUTE]) {
      const { status, error } = await send(target, body);
      expect([name, status, error().code]).toEqual([name, 403, 'forbidden_scope']);
      expect(error().message).toContain('This key is for apps called coffee*, not for Inbox.');
    }
    const escaping = { ...ACTION, pid: undefined, app_id: '../../x' };
    expect((await send(`${V1}/action`, escaping)).error().code).toBe('invalid_request');
    const byId = { ...ACTION, pid: undefined, app_id: APP_ID };
    expect((await send(`${V1}/action`, byId)).error().code).toBe('forbidden_scope');
    expect(await watch()).toBe(403);
  });
});

describe('a browser', () => {
  it.each<[string, Restrictions, number]>([
    ['a key without restrictions', {}, 200],
    ['a key for actions', { scopes: ['act'] }, 200],
    ['a key that reads and acts', { scopes: ['read', 'act'], max_reversibility: 'reversible_write' }, 200],
    ['a key that only reads', { scopes: ['read'] }, 403],
    ['a key for everything but actions', { scopes: ['read', 'teach', 'admin'] }, 403],
    ['a key for some apps, even for all by name', { scopes: ['act'], apps: ['*'] }, 403],
    ['a key that changes nothing', { max_reversibility: 'reversible_read' }, 403],
  ])('is opened for %s, or not: %s -> %i', async (_, restrictions, expected) => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send } = await keyWith(server, restrictions);
    const { status, error } = await send(`${V1}/browser`, { url: 'https://example.org' });
    expect(status).toBe(expected);
    if (expected === 403) expect(error().code).toBe('forbidden_scope');
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'chrome://settings',
    'data:text/html,x',
    '--help',
    'example.org',
  ])('is not sent to %s', async (url) => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { send } = await keyWith(server, {});
    expect((await send(`${V1}/browser`, { url })).error().code).toBe('invalid_request');
  });
});

describe('a change of the keys file', () => {
  it('holds from the next request on, and ends what was opened with more', async () => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const { key, record } = await server.keys.create('later');
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${V1}/watch/${PID}?key=${key}`);
    await new Promise((resolve) => socket.once('open', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const { keys } = JSON.parse(fs.readFileSync(server.keysFile, 'utf8'));
    const restricted = keys.map((one: { id: string }) => (one.id === record.id ? { ...one, scopes: ['act'] } : one));
    fs.writeFileSync(server.keysFile, JSON.stringify({ keys: restricted }));
    const { status } = await server.get(`${V1}/apps`, { 'X-Substrate-Key': key });
    expect(status).toBe(403);
    await closed;
  });
});
