/** The tools over HTTP, without sessions: each request is independent and has a server of its own. */
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { hostAndApp } from '../client/host-app.ts';
import { Substrate } from '../client/substrate.ts';
import { Transport, type Wire } from '../client/transport.ts';
import type { McpAnswer, McpExchange } from '../model/mcp-exchange.ts';
import type { StateLook } from '../model/state-look.ts';
import { VERSION } from '../version.ts';
import type { Apps } from './apps.ts';
import { callDaemon } from './call-daemon.ts';
import { answerOf } from './call-tool.ts';
import { type CallTool, createMcpServer } from './server.ts';
import { ToolFailure } from './tool-failure.ts';

/** The library requires an address; nothing is fetched from it. */
const ADDRESS = 'http://substrate.invalid/mcp';

export async function answerMcp(exchange: McpExchange): Promise<McpAnswer> {
  const { message, signal } = exchange;
  // The client may have left while this module was loading.
  signal.throwIfAborted();
  const request = new Request(ADDRESS, { method: 'POST', headers: headersOf(exchange), signal });
  const apps = appsOf(exchange);
  const wire = wireOf(exchange);
  const run: CallTool = (tool, input, signal) =>
    answerOf(() => {
      const elsewhere = hostOf(input);
      if (elsewhere === null) return tool.run(apps, input, signal);
      return callDaemon(new Transport(wire, elsewhere.host), tool.name, elsewhere.input, signal);
    });
  const server = () => createMcpServer(run, VERSION);
  const isOld = await isLegacyRequest(request, message);
  const response = isOld ? await answerOld(server(), request, message) : await answerNew(server, request, message);
  return { status: response.status, contentType: response.headers.get('content-type'), body: await response.text() };
}

/** Protocol versions up to 2025-11-25 begin with `initialize`, but need not remember it. */
async function answerOld(server: McpServer, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  // A closed transport never answers.
  let leave = () => {};
  const gone = new Promise<never>((_, reject) => {
    leave = () => reject(request.signal.reason);
    request.signal.addEventListener('abort', leave, { once: true });
  });
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: message }), gone]);
  } finally {
    request.signal.removeEventListener('abort', leave);
    // Also ends a running tool.
    await server.close();
  }
}

/** From 2026-07-28 on there is nothing to remember. There are no subscriptions, because the tools never change. */
async function answerNew(server: () => McpServer, request: Request, message: unknown): Promise<Response> {
  const handler = createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 0 });
  try {
    return await handler.fetch(request, { parsedBody: message });
  } finally {
    await handler.close();
  }
}

/** The host of an input, and the input for that host; null if it is this one. */
function hostOf(input: unknown): { readonly host: string; readonly input: object } | null {
  if (typeof input !== 'object' || input === null) return null;
  if ('host' in input && typeof input.host === 'string') {
    const { host, ...rest } = input;
    if (!/^[0-9A-Za-z_-]{1,63}$/.test(host)) throw new ToolFailure('`host`: list_apps lists the hosts.');
    return { host, input: rest };
  }
  const named = 'app' in input && typeof input.app === 'string' ? hostAndApp(input.app) : null;
  return named && { host: named.host, input: { ...input, app: named.app } };
}

function headersOf({ headers }: McpExchange): Headers {
  // Nothing is ever streamed, so clients that cannot read streams need not accept them.
  const taken = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  // The protocol needs only these headers. Keys above all stay here.
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && name.startsWith('mcp-')) taken.set(name, value);
  return taken;
}

function appsOf(exchange: McpExchange): Apps {
  const wire = wireOf(exchange);
  const substrate = new Substrate({ wire, openSocket: noSocket });
  const transport = new Transport(wire);
  return {
    substrate,
    isInFleet: exchange.isInFleet,
    owner: exchange.owner,
    async look(app, { fresh, signal }) {
      const pid = typeof app === 'number' ? app : (await substrate.app(app, { signal })).pid;
      const query: Record<string, string> = fresh ? { fresh: 'true' } : {};
      return (await transport.request<StateLook>(`/state/${pid}`, { query, signal })).body;
    },
    async act(...request) {
      // For inner callers the answer to an action has this additional field: see http/action-reply.ts.
      return (await substrate.tryAction(...request)) as Awaited<ReturnType<Apps['act']>>;
    },
  };
}

/** Requests that never leave the process: the daemon has already authenticated the caller. */
function wireOf({ ask, signal: ofExchange }: McpExchange): Wire {
  return {
    baseUrl: 'the daemon',
    key: null,
    async send({ method, path, headers, body, signal = ofExchange }) {
      const { status, value } = await ask({ method, target: path, headers, body, signal });
      return { status, body: value };
    },
  };
}

function noSocket(): never {
  throw new Error('The tools for models watch nothing.');
}
