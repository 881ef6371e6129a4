/** The OpenAPI 3.1 document, made from the route table and the wire schemas. */
import * as z from 'zod';
import { ERROR_STATUS, type ErrorCode } from '../model/errors.ts';
import { importRequest, importResponse, schemaDocument } from '../model/schema-document.ts';
import * as wire from '../model/wire.ts';
import { ERROR_DOCS, errorCodesOf } from './error-docs.ts';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

const ERROR_BODY = 'ErrorBody';

// The named schemas; shared parts become references.
const NAMED: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['SubstrateState', wire.substrateState],
  ['AppContext', wire.appContext],
  ['ActionSchema', wire.actionSchema],
  ['ProbeMetadata', wire.probeMetadata],
  ['AppSummary', wire.appSummary],
  ['AppsResponse', wire.appsResponse],
  ['HealthResponse', wire.healthResponse],
  ['SchemaResponse', wire.schemaResponse],
  ['DiffResponse', wire.diffResponse],
  ['HistoryResponse', wire.historyResponse],
  ['VerificationOutcome', wire.verificationOutcome],
  ['VerifyResponse', wire.verifyResponse],
  ['ActionResponse', wire.actionResponse],
  ['LearnResponse', wire.learnResponse],
  ['SchemaDocument', schemaDocument],
  ['ImportResponse', importResponse],
  ['BrowserResponse', wire.browserResponse],
  ['DashboardCode', wire.dashboardCode],
  ['DashboardKey', wire.dashboardKey],
  ['StateChangeNotification', wire.watchMessage],
  [ERROR_BODY, wire.errorBody],
  ['McpMessage', wire.mcpMessage],
  ['ActionRequest', wire.actionRequest],
  ['VerifyRequest', wire.verifyRequest],
  ['LearnRequest', wire.learnRequest],
  ['ImportRequest', importRequest],
  ['BrowserRequest', wire.browserRequest],
  ['DashboardKeyRequest', wire.dashboardKeyRequest],
]);
const REQUESTS = new Set([
  'ActionRequest',
  'VerifyRequest',
  'LearnRequest',
  'ImportRequest',
  'BrowserRequest',
  'DashboardKeyRequest',
]);

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'substrate',
      version,
      description:
        'Live state and typed actions of the applications that run on this machine. With /hosts/{host} after /substrate/v1 a daemon of a fleet passes a request on to another one.',
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      schemas: { ...componentSchemas('output'), ...componentSchemas('input') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Substrate-Key' },
        apiKeyAsBearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'On the routes of the MCP and of the metrics only.',
        },
        apiKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'On the WebSocket route only.' },
      },
      headers: {
        RequestId: { description: 'Names this request in the log.', schema: { type: 'string', format: 'uuid' } },
        ETag: { description: 'The capture_id, in quotes.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait, at least 1.', schema: { type: 'integer', minimum: 1 } },
      },
    },
  };
}

function operation(route: Route): Json {
  const { doc } = route;
  const parameters = [
    ...pathParameters(route),
    ...(doc.query ?? []).map(({ schema, ...rest }) => queryParameter(rest, schema)),
    ...(doc.headers ?? []).map((header) => ({ ...header, in: 'header', required: false, schema: { type: 'string' } })),
  ];
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    ...(route.auth ? {} : { security: [] }),
    ...(route.bearer ? { security: [{ apiKey: [] }, { apiKeyAsBearer: [] }] } : {}),
    ...(route.upgrade ? { security: [{ apiKey: [] }, { apiKeyInQuery: [] }] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.request === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: reference(route.request) } } } }),
    responses: { ...success(route), ...failures(route) },
  };
}

function pathParameters({ path }: Route): Json[] {
  if (!path.endsWith('{pid}')) return [];
  const schema = bare(wire.pidParameter);
  return [{ name: 'pid', in: 'path', required: true, description: 'From the list of applications.', schema }];
}

function queryParameter(facts: Json, schema: z.ZodType): Json {
  return { ...facts, in: 'query', schema: bare(schema, 'input') };
}

function success({ doc, upgrade }: Route): Json {
  const content =
    typeof doc.answer === 'string'
      ? { [doc.answer]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: reference(doc.answer) } };
  const headers = {
    ...responseHeaders(false),
    ...(doc.isTagged ? { ETag: { $ref: '#/components/headers/ETag' } } : {}),
  };
  if (!upgrade) {
    const nothing = { 202: { description: 'Accepted. There is no answer.', headers } };
    const unchanged = { 304: { description: 'Nothing has changed since. There is no body.', headers } };
    return {
      200: { description: 'Success.', headers, content },
      ...(doc.mayAnswerNothing ? nothing : {}),
      ...(doc.isTagged ? unchanged : {}),
    };
  }
  const description = 'The connection is a WebSocket from here on; each text message has the shape given here.';
  return { 101: { description, headers, content } };
}

function failures(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route)) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, failure(route, codes)]));
}

function failure({ doc }: Route, codes: readonly ErrorCode[]): Json {
  const ofTheseCodes = { properties: { error: { properties: { code: { enum: codes } } } } };
  // A failed verification adds the whole response of the action to the error.
  const beside = codes.includes('verification_failed') && typeof doc.answer !== 'string' ? [reference(doc.answer)] : [];
  const schema = { allOf: [{ $ref: `#/components/schemas/${ERROR_BODY}` }, ofTheseCodes, ...beside] };
  return {
    description: codes.map(errorText).join('\n\n'),
    headers: responseHeaders(codes.includes('rate_limited') || codes.includes('overloaded')),
    content: { 'application/json': { schema } },
  };
}

function errorText(code: ErrorCode): string {
  const { cause, remedy } = ERROR_DOCS[code];
  return `\`${code}\`: ${cause} ${remedy}`;
}

function responseHeaders(withRetry: boolean): Json {
  return {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(withRetry ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
  };
}

function reference(schema: z.ZodType): Json {
  for (const [name, named] of NAMED) if (named === schema) return { $ref: `#/components/schemas/${name}` };
  if (schema instanceof z.ZodUnion) return { anyOf: schema.options.map((option) => reference(option as z.ZodType)) };
  if (schema instanceof z.ZodArray) return { ...bare(schema), items: reference(schema.element as z.ZodType) };
  return bare(schema);
}

function componentSchemas(io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  // Includes both kinds, so that a part that a request shares with an answer becomes a reference.
  for (const [id, schema] of NAMED) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `#/components/schemas/${id}`, override: open });
  const wanted = Object.entries(schemas).filter(([name]) => REQUESTS.has(name) === (io === 'input'));
  return Object.fromEntries(wanted.map(([name, schema]) => [name, withoutIds(schema)]));
}

function bare(schema: z.ZodType, io: 'input' | 'output' = 'output'): Json {
  return withoutIds(z.toJSONSchema(schema, { io, override: open }));
}

/** Only requests are strict. Responses may gain fields, and a generated client must accept them. */
function open({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodType;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  const isStrict = zodSchema instanceof z.ZodObject && zodSchema.def.catchall instanceof z.ZodNever;
  if (!isStrict && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function withoutIds(schema: object): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'));
}
