/** The table of all routes. Requirements and costs of a request are data here; `pipeline.ts` applies them. */
import * as z from 'zod';
import { SubstrateError } from '../model/errors.ts';
import { splitGlobs } from '../model/key-filter.ts';
import { allQuery, appIdQuery, importRequest, importResponse, schemaDocument } from '../model/schema-document.ts';
import {
  appsResponse,
  attachment,
  attachmentsResponse,
  dashboardCode,
  dashboardKey,
  dashboardKeyRequest,
  diffResponse,
  freshQuery,
  healthResponse,
  historyKeysQuery,
  historyResponse,
  keysQuery,
  learnRequest,
  learnResponse,
  mcpMessages,
  noFields,
  schemaResponse,
  substrateState,
  traceResponse,
  watchMessage,
} from '../model/wire.ts';
import { ACTION_ROUTES } from './action-routes.ts';
import { knownTags, taggedReply } from './etag.ts';
import { FLEET_ROUTES } from './fleet-routes.ts';
import { bytesReply, jsonReply, textReply } from './reply.ts';
import { get, PREFIX, post, type Route, STANDARD } from './route.ts';

const sinceQuery = z.string().min(1).max(100);
const sinceRevision = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional();
const EVERY_KEY = '**';
const keysOf = (what: string) => ({
  name: 'keys',
  schema: keysQuery,
  required: false,
  description: `Globs, separated by commas (\`inbox.**,cart.total\`): only ${what}. At most 50.`,
});

export const ROUTES: readonly Route[] = [
  get({
    path: '/',
    auth: false,
    scope: null,
    bucket: null,
    ...STANDARD,
    doc: {
      operationId: 'getDashboard',
      summary: 'Serve the dashboard page.',
      answer: 'text/html',
      errors: ['not_found'],
    },
    handle: ({ backend }) => backend.dashboard(),
  }),
  get({
    path: '/health',
    auth: false,
    scope: null,
    bucket: null,
    ...STANDARD,
    doc: { operationId: 'getHealth', summary: 'Report that the daemon is alive.', answer: healthResponse },
    handle: ({ backend }) => jsonReply(backend.health()),
  }),
  get({
    path: `${PREFIX}/health`,
    auth: true,
    scope: null,
    bucket: null,
    ...STANDARD,
    doc: {
      operationId: 'getHealthWithKey',
      summary: 'The same as /health, to check a key.',
      answer: healthResponse,
    },
    handle: ({ backend }) => jsonReply(backend.health()),
  }),
  get({
    path: `${PREFIX}/apps`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    ...STANDARD,
    doc: {
      operationId: 'listApps',
      summary: 'List the tracked applications. Never triggers a probe.',
      answer: appsResponse,
    },
    handle: ({ backend, options }) => {
      const apps = backend.service.listApps(options.permissions);
      return jsonReply({ total: apps.length, apps });
    },
  }),
  ...FLEET_ROUTES,
  get({
    path: `${PREFIX}/state/{pid}`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    timeoutMs: STANDARD.timeoutMs,
    timeoutCode: 'probe_timeout',
    doc: {
      operationId: 'readState',
      summary: 'Read the state of an application: the latest snapshot, or a fresh one.',
      query: [
        {
          name: 'fresh',
          schema: freshQuery,
          required: false,
          description: 'true: run a probe cycle first. Costs a token of the snapshot bucket if it scans the heap.',
        },
        keysOf('matching keys are in `objects`, including filtered ones; the rest of the answer is the same'),
        {
          name: 'all',
          schema: allQuery,
          required: false,
          description: 'true: include the keys that are filtered out as unimportant.',
        },
      ],
      headers: [
        {
          name: 'If-None-Match',
          description: 'ETags that the client has for this request: 304 while one of them is current.',
        },
      ],
      isTagged: true,
      answer: substrateState,
      errors: ['probe_not_ready', 'rate_limited'],
    },
    fromMemory: ({ backend, headers, hasQuery, pid }) => {
      if (hasQuery) return null;
      const reading = backend.service.readFromMemory(pid(), knownTags(headers['if-none-match']));
      return reading && taggedReply(reading.bytes, reading.captureId);
    },
    handle: async (call) => {
      const fresh = call.query('fresh', freshQuery) === 'true';
      const { service } = call.backend;
      if (call.isInner) return jsonReply(await service.lookAt(call.pid(), fresh, call.options));
      const all = call.query('all', allQuery) === 'true' ? EVERY_KEY : null;
      const keys = call.query('keys', keysQuery) ?? all;
      const known = knownTags(call.headers['if-none-match']);
      const { bytes, captureId } = await service.readState(call.pid(), { fresh, keys, known }, call.options);
      return taggedReply(bytes, captureId);
    },
  }),
  get({
    path: `${PREFIX}/attach`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    ...STANDARD,
    doc: {
      operationId: 'listAttachments',
      summary: 'List which applications the daemon attaches to automatically, and why. Never triggers a probe.',
      answer: attachmentsResponse,
    },
    handle: ({ backend, options }) => jsonReply({ apps: backend.service.attachments(options.permissions) }),
  }),
  post({
    path: `${PREFIX}/attach/{pid}`,
    auth: true,
    scope: 'read',
    bucket: 'action',
    ...STANDARD,
    request: noFields,
    doc: {
      operationId: 'attach',
      summary: 'Attach to an application, as any request for its state does. Next time it is attached automatically.',
      answer: attachment,
      errors: ['probe_not_ready'],
    },
    handle: async (call) => jsonReply(await call.backend.service.attach(call.pid(), call.options)),
  }),
  get({
    path: `${PREFIX}/trace/{pid}`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    ...STANDARD,
    doc: {
      operationId: 'readTrace',
      summary: 'Read the steps that the daemon took with an application, with times and bytes. Never triggers a probe.',
      query: [
        {
          name: 'since',
          description: 'The `revision` of an earlier answer: only the steps that are new or changed since.',
          schema: sinceRevision,
          required: false,
        },
      ],
      answer: traceResponse,
    },
    handle: (call) =>
      jsonReply(call.backend.service.trace(call.pid(), Number(call.query('since', sinceRevision) ?? 0))),
  }),
  post({
    path: `${PREFIX}/detach/{pid}`,
    auth: true,
    scope: 'admin',
    bucket: 'action',
    ...STANDARD,
    request: noFields,
    doc: {
      operationId: 'detach',
      summary: 'Detach from an application until a request names it again.',
      answer: attachment,
    },
    handle: async (call) => jsonReply(await call.backend.service.detach(call.pid(), call.options)),
  }),
  get({
    path: `${PREFIX}/schema/{pid}`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    takesTurns: true,
    ...STANDARD,
    doc: {
      operationId: 'readSchema',
      summary: 'Read the typed actions of an application.',
      answer: schemaResponse,
      errors: ['probe_not_ready'],
    },
    handle: async (call) => {
      await call.backend.service.ask(call.pid(), call.options);
      return jsonReply(call.backend.service.readSchema(call.pid()));
    },
  }),
  get({
    path: `${PREFIX}/schema/export`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    takesTurns: true,
    ...STANDARD,
    doc: {
      operationId: 'exportSchema',
      summary: 'Export the schema of an app for sharing: names and types, never values.',
      query: [
        { name: 'app_id', schema: appIdQuery, required: true, description: 'The app_id.' },
        {
          name: 'all',
          schema: allQuery,
          required: false,
          description: 'true: include inferred labels.',
        },
      ],
      answer: schemaDocument,
      errors: ['not_found'],
    },
    handle: (call) => {
      const all = call.query('all', allQuery) === 'true';
      const app_id = call.query('app_id', appIdQuery);
      call.allow({ app_id });
      return jsonReply(call.backend.service.exportSchema(app_id, all));
    },
  }),
  post({
    path: `${PREFIX}/schema/import`,
    auth: true,
    scope: 'teach',
    bucket: 'action',
    takesTurns: true,
    ...STANDARD,
    request: importRequest,
    doc: {
      operationId: 'importSchema',
      summary: 'Import a schema. Answers 200 with counts; keys follow at the next probe cycle.',
      answer: importResponse,
      errors: ['not_found'],
    },
    handle: (call, body) => {
      call.allow({ app_id: body.document.app_id });
      return jsonReply(call.backend.service.importSchema(body, call.options));
    },
  }),
  get({
    path: `${PREFIX}/diff/{pid}`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    takesTurns: true,
    ...STANDARD,
    doc: {
      operationId: 'diffState',
      summary: 'Compare an earlier capture with the latest one.',
      query: [
        {
          name: 'since',
          schema: sinceQuery,
          required: true,
          description: 'capture_id of an earlier state response or watch notification of the same process.',
        },
      ],
      answer: diffResponse,
      errors: ['capture_pid_mismatch', 'capture_not_found', 'probe_not_ready'],
    },
    // The MCP tools filter noise themselves.
    handle: ({ backend, options, isInner, pid, query }) =>
      jsonReply(backend.service.diff(pid(), query('since', sinceQuery), isInner, options)),
  }),
  get({
    path: `${PREFIX}/history/{pid}`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    takesTurns: true,
    ...STANDARD,
    doc: {
      operationId: 'readHistory',
      summary: 'Read the values of some keys over the kept captures.',
      query: [
        {
          name: 'keys',
          schema: historyKeysQuery,
          required: true,
          description: 'Keys, separated by commas, no globs. At most 20.',
        },
      ],
      answer: historyResponse,
      errors: ['probe_not_ready'],
    },
    handle: (call) => {
      const keys = splitGlobs(call.query('keys', historyKeysQuery));
      return jsonReply(call.backend.service.keyHistory(call.pid(), keys));
    },
  }),
  ...ACTION_ROUTES,
  post({
    path: `${PREFIX}/learn/{pid}`,
    auth: true,
    scope: 'teach',
    bucket: 'action',
    takesTurns: true,
    ...STANDARD,
    request: learnRequest,
    doc: {
      operationId: 'submitCorrections',
      summary: 'Correct labels, types or actions. Answers 200 with counts; each correction is judged separately.',
      answer: learnResponse,
      errors: ['capture_pid_mismatch', 'capture_not_found', 'probe_not_ready'],
    },
    handle: async (call, body) => {
      await call.backend.service.ask(call.pid(), call.options);
      return jsonReply(call.backend.service.learn(call.pid(), body, call.options));
    },
  }),
  post({
    path: `${PREFIX}/dashboard/code`,
    auth: true,
    scope: null,
    bucket: 'action',
    ...STANDARD,
    request: noFields,
    doc: {
      operationId: 'makeDashboardCode',
      summary: 'Make a one-time code for a dashboard link, valid for two minutes.',
      answer: dashboardCode,
    },
    handle: ({ backend, caller, keyForOthers }) => {
      if (caller === null)
        throw new SubstrateError('missing_key', 'Only the holder of a key can give access to the dashboard.');
      return jsonReply(backend.dashboardKeys.makeCode(caller, backend.fleet() === null ? null : keyForOthers()));
    },
  }),
  post({
    path: `${PREFIX}/dashboard/key`,
    auth: false,
    scope: null,
    // Callers without a key share one bucket: it is charged for wrong codes only, so that nobody can use up the logins.
    bucket: null,
    ...STANDARD,
    request: dashboardKeyRequest,
    doc: {
      operationId: 'redeemDashboardCode',
      summary: 'Exchange the code of a dashboard link for a key.',
      answer: dashboardKey,
      errors: ['invalid_key', 'rate_limited'],
    },
    handle: ({ backend, spend }, { code }) => {
      try {
        return jsonReply(backend.dashboardKeys.redeem(code));
      } catch (error) {
        spend('action');
        throw error;
      }
    },
  }),
  {
    ...get({
      path: `${PREFIX}/watch/{pid}`,
      auth: true,
      scope: 'read',
      bucket: null,
      ...STANDARD,
      doc: {
        operationId: 'watchState',
        summary: 'WebSocket: one newline-terminated JSON object for every probe cycle in which a key changed.',
        query: [keysOf('changes of matching keys are sent')],
        answer: watchMessage,
        errors: ['upgrade_required', 'overloaded'],
      },
      // Upgrades never come here: `watch.ts` handles them.
      handle: () => {
        throw new SubstrateError('upgrade_required', 'This route is a WebSocket: connect with an upgrade request.');
      },
    }),
    upgrade: true,
  },
  get({
    path: '/openapi.json',
    auth: true,
    scope: null,
    bucket: 'state',
    ...STANDARD,
    doc: {
      operationId: 'getOpenApi',
      summary: 'Return the OpenAPI document.',
      answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    },
    handle: ({ backend }) => bytesReply([Buffer.from(backend.openapi())]),
  }),
  {
    ...post({
      path: '/mcp',
      auth: true,
      scope: null,
      bucket: 'state',
      // An action that takes its full time must still be able to answer.
      timeoutMs: 125_000,
      timeoutCode: 'request_timeout',
      request: mcpMessages,
      doc: {
        operationId: 'callMcp',
        summary: 'Call the tools for models: Model Context Protocol, streamable HTTP, stateless, JSON answers.',
        answer: mcpMessages,
        mayAnswerNothing: true,
        errors: ['method_not_allowed'],
      },
      handle: async ({ backend, headers, ask, options: { keyId: owner, signal } }, message) => {
        const { status, contentType, body } = await backend.mcp({
          message,
          headers,
          signal,
          owner,
          ask,
          isInFleet: backend.fleet() !== null,
        });
        const reply = textReply(body, contentType ?? 'application/json');
        return { ...reply, status };
      },
    }),
    bearer: true,
    refusesOtherMethods: true,
  },
  {
    ...get({
      path: '/metrics',
      auth: true,
      scope: 'read',
      bucket: 'state',
      ...STANDARD,
      doc: { operationId: 'getMetrics', summary: 'Counters and timings for Prometheus.', answer: 'text/plain' },
      handle: async ({ backend, options }) => {
        const { text, contentType } = await backend.metrics(options.permissions);
        return textReply(text, contentType);
      },
    }),
    bearer: true,
  },
];
