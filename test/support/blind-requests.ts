/**
 * Requests of a key without `read`: by route, and by MCP tool. The test fails for a route or a tool without an entry
 * here, because nobody has considered what it could reveal.
 */
import http from 'node:http';
import type { ErrorCode } from '../../src/model/errors.ts';

export interface Facts {
  readonly pid: number;
  readonly appId: string;
  /** A capture of the app, before its values were changed. */
  readonly capture: string;
  readonly schemaVersion: string;
  /** A capture of another app. */
  readonly otherCapture: string;
}

export interface BlindRequest {
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** By method and path. */
export function requestsOf(facts: Facts): Readonly<Record<string, readonly BlindRequest[]>> {
  const { pid, capture, schemaVersion, otherCapture } = facts;
  const act = (action: string, parameters: object, more: object = {}) => ({
    body: { pid, action, parameters, verify_timeout_ms: 100, ...more },
  });
  const learn = (observed_key: string, capture_id = capture, feedback_type = 'label_correction') => ({
    body: {
      capture_id,
      schema_version: schemaVersion,
      feedback_type,
      corrections: [{ observed_key, correct_label: 'notes.other', correct_type: 'boolean' }],
    },
  });
  const document = { format: 'substrate-schema/1', app_id: facts.appId, app_name: 'marked', actions: [] };
  const label = { path: 'notes.text', label: 'notes.words', type: 'number', confidence: 1, confirmed: true };
  return {
    'GET /': [{}],
    'GET /health': [{}],
    'GET /substrate/v1/health': [{}],
    'GET /substrate/v1/apps': [{}],
    'GET /substrate/v1/hosts': [{}],
    'GET /substrate/v1/published': [{ query: 'app=marked&keys=notes.text,notes.amount' }],
    'GET /substrate/v1/state/{pid}': [{}, { query: 'fresh=true' }, { query: 'keys=notes.**&all=true' }],
    'GET /substrate/v1/attach': [{}],
    'POST /substrate/v1/attach/{pid}': [{ body: {} }],
    'GET /substrate/v1/trace/{pid}': [{}, { query: 'since=0' }],
    'GET /substrate/v1/schema/{pid}': [{}],
    'GET /substrate/v1/schema/export': [{ query: `app_id=${facts.appId}&all=true` }],
    'POST /substrate/v1/schema/import': [
      { body: { document: { ...document, labels: [label] }, dry_run: true } },
      { body: { document: { ...document, labels: [label], app_id: 'nobody-0123456789abcdef' } } },
    ],
    'GET /substrate/v1/diff/{pid}': [{ query: `since=${capture}` }, { query: `since=${otherCapture}` }],
    'GET /substrate/v1/history/{pid}': [{ query: 'keys=notes.text,notes.amount' }],
    'POST /substrate/v1/action': [
      act('notes.getText', {}),
      act('notes.getAll', {}),
      act('notes.setText', { text: 'new' }, { verify_expression: 'notes.text === "x"' }),
      act('notes.setText', { text: 'new' }, { verify_expression: 'notes.text.length > 3 && notes.amount > 1' }),
      act('notes.setText', { text: 'new' }, { verify_expression: 'notes.text + notes.amount' }),
      act('notes.setText', { text: 'new' }, { verify_expression: 'notes.txet === 1' }),
      act('notes.setText', { text: 'new' }, { verify_expression: 'notes.text ===' }),
      act('notes.setText', { text: 'new' }, { verify_expression: `notes.text === "${'x'.repeat(3000)}"` }),
      act('notes.setText', { text: 7 }),
      act('notes.setText', {}),
      act('notes.setAmount', { amount: -1 }),
      act('notes.setSlowly', { text: 'new' }),
      act('notes.deleteAll', {}),
      act('notes.deleteAll', {}, { verify_expression: 'notes.rows.length === 5 && nothing.like.it' }),
      act('notes.deleteAll', {}, { verify_expression: 'nothing.like.it === 1' }),
      act('notes.setTxet', {}),
      act('wallet.deleteEverything', {}, { pid: 2 ** 30 }),
      act('notes.getText', {}, { pid: 2 ** 30 }),
      { ...act('notes.setText', { text: 'new' }), headers: { 'If-Match': `"${capture}"` } },
      { ...act('notes.getText', {}), headers: { 'Idempotency-Key': 'one' } },
      { ...act('notes.getText', {}), headers: { 'Idempotency-Key': 'one' } },
      { ...act('notes.getAll', {}), headers: { 'Idempotency-Key': 'one' } },
      ...[1, 2, 3].map(() => act('notes.getText', {}, { fresh_state: true })),
    ],
    'POST /substrate/v1/browser': [{ body: { url: 'http://127.0.0.1:9/' } }, { body: { url: 'file:///etc/passwd' } }],
    'GET /substrate/v1/approvals': [{}],
    'POST /substrate/v1/approvals': [{ body: { id: 'ask_00000000', approve: true } }],
    'POST /substrate/v1/verify': [{ body: { pid, expression: 'notes.text' } }],
    'POST /substrate/v1/dashboard/code': [{ body: {} }],
    'POST /substrate/v1/dashboard/key': [{ body: { code: 'wrong' } }],
    'GET /substrate/v1/watch/{pid}': [
      {},
      {
        query: 'keys=notes.**',
        headers: {
          Connection: 'Upgrade',
          Upgrade: 'websocket',
          'Sec-WebSocket-Version': '13',
          'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        },
      },
    ],
    'GET /openapi.json': [{}],
    'POST /mcp': [
      { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
      ...Object.entries(toolCallsOf(facts)).flatMap(([name, calls]) =>
        calls.map((given) => ({
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
        })),
      ),
    ],
    'GET /metrics': [{}],
    'POST /substrate/v1/learn/{pid}': [
      learn('notes.text'),
      learn('notes.txet'),
      learn('notes.getText', capture, 'action_correction'),
      learn('notes.text', capture, 'type_correction'),
      learn('notes.text', otherCapture),
      learn('notes.text', '01900000-0000-7000-8000-000000000000'),
    ],
    'POST /substrate/v1/detach/{pid}': [{ body: {} }],
  };
}

/** By the name of the tool. */
export function toolCallsOf({ pid: app, capture }: Facts): Readonly<Record<string, readonly object[]>> {
  return {
    list_apps: [{}],
    open_browser: [{ url: 'http://127.0.0.1:9/' }],
    read_state: [{ app }, { app, globs: ['notes.**'], fresh: true }, {}],
    read_changes: [{ app, since: capture }],
    list_actions: [{ app }],
    run_action: [
      { app, action: 'notes.getText' },
      {
        app,
        action: 'notes.setText',
        parameters: { text: 'new' },
        verify: 'notes.text === "x"',
        verify_timeout_ms: 100,
      },
      { app, action: 'notes.setAmount', parameters: { amount: -1 } },
      { app, action: 'notes.setText', parameters: { text: 'new' }, if_match: capture },
    ],
    wait_for: [
      { app, text: 'mark', timeout_ms: 100 },
      { app, expression: 'notes.text', timeout_ms: 100 },
    ],
    correct_label: [{ app, key: 'notes.text', label: 'notes.other' }],
  };
}

/** Errors that such a key cannot provoke here, and why none of them contains a value. */
export const NOT_PROVOKED: Partial<Record<ErrorCode, string>> = {
  upgrade_required: 'the scope is looked at first',
  internal: 'a constant text with the id of the request',
  confidence_too_low: 'names a key, and two confidences that are no values',
  probe_not_ready: 'there is no state yet',
  overloaded: 'a number of requests',
  probe_timeout: 'a constant text, on a route that needs read',
  action_timeout: 'a constant text',
  request_timeout: 'a constant text',
  host_unreachable: 'the name of a host: no app was asked',
};

/** Invalid forms of the same request: one for each check before the work, and one about a missing object. */
export function wrongOnes(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
): readonly { method: string; target: string; headers: Readonly<Record<string, string>>; body?: string }[] {
  const { 'X-Substrate-Key': _, ...keyless } = headers;
  const same = { method, target, headers, ...(method === 'POST' ? { body: '{}' } : {}) };
  return [
    { method: 'DELETE', target, headers },
    { ...same, headers: keyless },
    { ...same, headers: { ...headers, 'X-Substrate-Key': `sk_substrate_${'0'.repeat(40)}` } },
    { ...same, headers: { ...headers, Host: 'evil.example' } },
    { ...same, headers: { ...headers, Origin: 'http://evil.example' } },
    ...['0', 'x', String(2 ** 30)].map((pid) => ({ ...same, target: target.replace(/\/\d+(?=$|\?)/, `/${pid}`) })),
    ...(method === 'POST'
      ? [
          { ...same, headers: { ...headers, 'Content-Type': 'text/plain' } },
          { ...same, headers: { ...headers, 'Content-Length': '99999999' } },
          { ...same, body: '{"broken' },
          { ...same, body: '{"unknown_field":1}' },
        ]
      : [{ ...same, target: `${target}${target.includes('?') ? '&' : '?'}unknown=1&since=x&keys=[` }]),
  ];
}

export interface RawAnswer {
  readonly status: number;
  /** Status line, header fields and body: everything from the connection. */
  readonly all: string;
  readonly code: string | null;
}

/** Without the headers that a client adds by itself, so that Host and Upgrade can be anything. */
export function askRaw(
  base: string,
  method: string,
  target: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: string | undefined },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${base}${target}`, { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.once('end', () => {
        const all = [`${answer.statusCode} ${answer.statusMessage}`, ...answer.rawHeaders, text].join('\n');
        resolve({ status: answer.statusCode ?? 0, all, code: codeOf(text) });
      });
    });
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error(`${target} was upgraded`));
    });
    request.once('error', (cause) => reject(new Error(`${method} ${target} ${JSON.stringify(headers)}`, { cause })));
    request.end(body);
  });
}

function codeOf(text: string): string | null {
  return /"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? null;
}
