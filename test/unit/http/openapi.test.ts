import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ERROR_DOCS } from '../../../src/http/error-docs.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { FAKE_FLEET } from './fake-fleet.ts';
import { APP_ID, PID } from './fake-service.ts';
import { type Harness, startServer } from './harness.ts';

const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        schema: z.record(z.string(), z.unknown()),
      }),
    )
    .optional(),
  requestBody: z.looseObject({ required: z.literal(true), content: z.record(z.string(), z.unknown()) }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({
      description: z.string().min(1),
      content: z.record(z.string(), z.unknown()).optional(),
      headers: z.record(z.string(), z.unknown()),
    }),
  ),
});
const document = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});

async function load(server: Harness) {
  const answer = await server.get('/openapi.json');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return document.parse(answer.json());
}

describe('the OpenAPI document', () => {
  it('has every route, once, with an operation id of its own', async () => {
    const { paths, info } = await load(await startServer());
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(ids.length);
    expect(info.version).toBe('1.2.3');
  });

  it('is valid to others', async () => {
    const text = (await (await startServer()).get('/openapi.json')).text;
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const broken = JSON.parse(text.replace('"operationId"', '"operationName"').replace('"in":"path"', '"in":"road"'));
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('refers only to what it has', async () => {
    const server = await startServer();
    const text = (await server.get('/openapi.json')).text;
    const { components } = await load(server);
    const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(components.schemas).toHaveProperty(name);
    expect(text).not.toContain('"$schema"');
    expect(text).not.toContain('"__shared');
  });

  it('describes the errors of a route by status and code', async () => {
    const { paths } = await load(await startServer());
    const action = paths['/substrate/v1/action']?.post?.responses ?? {};
    const codes: Record<string, readonly string[]> = {
      400: [
        'invalid_request',
        'invalid_content_type',
        'body_too_large',
        'missing_verify_expression',
        'verify_expression_too_large',
        'dangerous_action_unverified',
        'unknown_action',
      ],
      401: ['missing_key', 'invalid_key', 'disabled_key', 'expired_key'],
      403: ['forbidden_host', 'forbidden_origin', 'forbidden_scope', 'not_confirmed'],
      404: ['pid_not_found'],
      409: ['in_progress'],
      412: ['state_changed'],
      422: ['verification_failed'],
      429: ['rate_limited'],
      500: ['internal'],
      503: ['confidence_too_low', 'overloaded', 'probe_not_ready'],
      504: ['action_timeout'],
    };
    expect(Object.keys(action)).toEqual(['200', ...Object.keys(codes)]);
    for (const [status, expected] of Object.entries(codes)) {
      for (const code of expected) expect(action[status]?.description).toContain(`\`${code}\``);
    }
    const watch = paths['/substrate/v1/watch/{pid}']?.get;
    expect(Object.keys(watch?.responses ?? {})).toEqual([
      '101',
      '400',
      '401',
      '403',
      '404',
      '426',
      '500',
      '503',
      '504',
    ]);
    expect(watch?.security).toEqual([{ apiKey: [] }, { apiKeyInQuery: [] }]);
    expect(paths['/health']?.get?.security).toEqual([]);
    const mcp = paths['/mcp']?.post;
    expect(mcp?.security).toEqual([{ apiKey: [] }, { apiKeyAsBearer: [] }]);
    expect(Object.keys(mcp?.responses ?? {})).toEqual(expect.arrayContaining(['200', '202', '405']));
    expect(paths['/']?.get?.responses['200']?.content).toHaveProperty('text/html');
  });

  it('mentions every code somewhere, with its cause and its remedy', async () => {
    const text = (await (await startServer()).get('/openapi.json')).text;
    for (const [code, { cause, remedy }] of Object.entries(ERROR_DOCS)) {
      expect(text).toContain(JSON.stringify(`\`${code}\`: ${cause} ${remedy}`).slice(1, -1));
      expect([code, cause.length > 10 && remedy.length > 10]).toEqual([code, true]);
    }
  });

  it('keeps requests strict and responses open', async () => {
    const { components } = await load(await startServer());
    expect(components.schemas.ActionRequest).toMatchObject({
      additionalProperties: false,
      required: ['action', 'parameters'],
    });
    expect(components.schemas.HealthResponse).not.toHaveProperty('additionalProperties');
  });

  it('describes what the server really answers', async () => {
    const server = await startServer({ fleet: () => FAKE_FLEET });
    const made = await server.post('/substrate/v1/dashboard/code', {});
    const { code } = made.json() as { code: string };
    const queries: Record<string, string> = {
      '/substrate/v1/diff/{pid}': '?since=0190a0e0-0000-7000-8000-000000000000',
      '/substrate/v1/history/{pid}': '?keys=inbox.unread,inbox.gone',
      '/substrate/v1/published': '?app=inbox&keys=inbox.unread',
      '/substrate/v1/schema/export': `?app_id=${APP_ID}`,
    };
    const bodies: Record<string, unknown> = {
      '/substrate/v1/action': { pid: PID, action: 'archive', parameters: {} },
      '/substrate/v1/approvals': { id: 'ask_01234567', approve: true },
      '/substrate/v1/attach/{pid}': {},
      '/substrate/v1/browser': { url: 'https://example.org/' },
      '/substrate/v1/dashboard/code': {},
      '/substrate/v1/dashboard/key': { code },
      '/substrate/v1/detach/{pid}': {},
      '/substrate/v1/verify': { pid: PID, expression: 'true' },
      '/substrate/v1/schema/import': {
        document: { format: 'substrate-schema/1', app_id: APP_ID, app_name: 'Inbox', labels: [], actions: [] },
      },
      '/mcp': {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      '/substrate/v1/learn/{pid}': {
        capture_id: 'c',
        schema_version: '1.0.0',
        corrections: [{ observed_key: 'k', correct_label: 'l', correct_type: 'string' }],
      },
    };
    const asked: string[] = [];
    for (const { method, path, doc, upgrade } of ROUTES) {
      if (typeof doc.answer === 'string' || upgrade) continue;
      const target = `${path.replace('{pid}', String(PID))}${queries[path] ?? ''}`;
      const answer =
        method === 'GET'
          ? await server.get(target)
          : await server.post(target, bodies[path], { Accept: 'application/json, text/event-stream' });
      expect([path, answer.status]).toEqual([path, 200]);
      expect([path, doc.answer.safeParse(answer.json()).error]).toEqual([path, undefined]);
      asked.push(path);
    }
    expect(asked).toEqual(expect.arrayContaining([...Object.keys(queries), ...Object.keys(bodies)]));
  });
});
