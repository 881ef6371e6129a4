/** The routes that act in an app, confirm actions, and verify. */
import {
  actionRequest,
  actionResponse,
  approval,
  approvalsResponse,
  browserRequest,
  browserResponse,
  decisionRequest,
  verifyRequest,
  verifyResponse,
} from '../model/wire.ts';
import { actionReply } from './action-reply.ts';
import { requiredTag } from './etag.ts';
import { idempotencyKey, once } from './idempotency.ts';
import { jsonReply } from './reply.ts';
import { get, PREFIX, post, type Route, STANDARD } from './route.ts';

// A wait of the full 30 s must still be able to answer.
const WAIT_SLACK_MS = 5000;
/** Enough for waiting in several apps; each request may need half a second of evaluation. */
const MAX_VERIFY_PER_KEY = 16;

export const ACTION_ROUTES: readonly Route[] = [
  post({
    path: `${PREFIX}/action`,
    auth: true,
    // Checked by the service, which logs every refused action.
    scope: null,
    bucket: 'action',
    timeoutMs: 120_000,
    timeoutCode: 'action_timeout',
    request: actionRequest,
    doc: {
      operationId: 'executeAction',
      summary: 'Execute a typed action behind the safety gates, with optional verification.',
      headers: [
        {
          name: 'Idempotency-Key',
          description:
            'Text of the client: the same request with it runs once in 24 hours and gets the first answer again.',
        },
        {
          name: 'If-Match',
          description: 'A capture_id in quotes: the action does not run if what it reads has changed since.',
        },
      ],
      answer: actionResponse,
      errors: [
        'forbidden_scope',
        'not_confirmed',
        'missing_verify_expression',
        'verify_expression_too_large',
        'dangerous_action_unverified',
        'unknown_action',
        'pid_not_found',
        'verification_failed',
        'confidence_too_low',
        'idempotency_mismatch',
        'in_progress',
        'state_changed',
        'probe_not_ready',
      ],
    },
    handle: async (call, body) => {
      const { backend, options, headers, requestId, isInner } = call;
      const ifMatch = requiredTag(headers['if-match']);
      const act = async (signal: AbortSignal) =>
        actionReply(await backend.service.act(body, { ...options, signal }, ifMatch), call);
      const key = idempotencyKey(headers);
      if (key === null) return act(options.signal);
      return once(backend.retries, { key, caller: options, request: body, requestId, isInner }, act, (error) =>
        backend.service.refuse(body, options, error),
      );
    },
  }),
  post({
    path: `${PREFIX}/browser`,
    auth: true,
    // Checked by the service, which logs it like an action.
    scope: null,
    bucket: 'action',
    timeoutMs: 120_000,
    timeoutCode: 'action_timeout',
    request: browserRequest,
    doc: {
      operationId: 'openBrowser',
      summary: 'Open an address in a browser that can be attached to, and wait for its page.',
      answer: browserResponse,
      errors: ['forbidden_scope', 'not_confirmed', 'browser_failed', 'probe_not_ready'],
    },
    handle: async ({ backend, options }, { url }) => jsonReply(await backend.service.openBrowser(url, options)),
  }),
  get({
    path: `${PREFIX}/approvals`,
    auth: true,
    scope: 'admin',
    bucket: 'state',
    ...STANDARD,
    doc: {
      operationId: 'listApprovals',
      summary: 'List the actions that wait for a person.',
      answer: approvalsResponse,
    },
    handle: ({ backend, options }) => jsonReply({ approvals: backend.service.approvals(options.permissions) }),
  }),
  post({
    path: `${PREFIX}/approvals`,
    auth: true,
    scope: 'admin',
    bucket: 'action',
    ...STANDARD,
    request: decisionRequest,
    doc: {
      operationId: 'decideApproval',
      summary: 'Approve or deny an action that waits for a person.',
      answer: approval,
      errors: ['not_found'],
    },
    handle: ({ backend, options }, { id, approve }) => jsonReply(backend.service.decide(id, approve, options)),
  }),
  post({
    path: `${PREFIX}/verify`,
    auth: true,
    scope: 'read',
    bucket: 'state',
    maxPerKey: MAX_VERIFY_PER_KEY,
    ...STANDARD,
    request: verifyRequest,
    doc: {
      operationId: 'verifyExpression',
      summary: 'Wait until an expression over the state is true. Answers 200 with passed=false if it never is.',
      answer: verifyResponse,
      errors: ['verify_expression_too_large', 'not_found', 'probe_not_ready'],
    },
    handle: async (call, body) => {
      call.allow(body);
      call.limitTo(body.timeout_ms + WAIT_SLACK_MS);
      return jsonReply(await call.backend.service.verify(body, call.options));
    },
  }),
];
