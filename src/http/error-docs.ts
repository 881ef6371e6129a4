/** Cause and remedy of each error, for the OpenAPI document and the API reference. A code without both does not compile. */
import type { ErrorCode } from '../model/errors.ts';
import type { Route } from './route.ts';
import { isForOthers } from './router.ts';

interface ErrorDoc {
  readonly cause: string;
  readonly remedy: string;
}

export const ERROR_DOCS: Readonly<Record<ErrorCode, ErrorDoc>> = {
  invalid_request: {
    cause: 'Malformed JSON, or a missing, unknown or wrong field.',
    remedy: 'Correct the field that the message names.',
  },
  invalid_content_type: {
    cause: 'The Content-Type of a POST is not application/json.',
    remedy: 'Send `Content-Type: application/json`, uncompressed.',
  },
  body_too_large: {
    cause: 'The body is larger than 1 MiB.',
    remedy: 'Split the request into several.',
  },
  missing_verify_expression: {
    cause: 'An irreversible_write action without verify_expression.',
    remedy: 'Add a `verify_expression` that reads the state.',
  },
  verify_expression_too_large: {
    cause: 'The expression is too large.',
    remedy: 'Shorten it, or raise `[action] verify_expression_max_bytes`.',
  },
  dangerous_action_unverified: {
    cause: 'The action has a dangerous name, and the process cannot be resolved.',
    remedy: 'Name a `pid` or `app_id` from the list of apps.',
  },
  unknown_action: {
    cause: 'The app has no action of this name, even after a new capture.',
    remedy: 'Use a name from the schema route; the message lists the nearest ones.',
  },
  capture_pid_mismatch: {
    cause: 'The capture belongs to another process.',
    remedy: 'Use a `capture_id` of this process.',
  },
  idempotency_mismatch: {
    cause: 'The Idempotency-Key was used for another request, or with other permissions, in the last 24 hours.',
    remedy: 'Use a new key for each action.',
  },
  in_progress: {
    cause: 'The action with this Idempotency-Key is still running.',
    remedy: 'Send it again later to get its answer.',
  },
  state_changed: {
    cause: 'A key that the action or its verify_expression reads has changed since the capture of If-Match.',
    remedy: 'Read `diff` in the answer, decide again, and send the new `capture_id`.',
  },
  missing_key: {
    cause: 'The request has no key.',
    remedy: 'Send `X-Substrate-Key`. Create a key with `substrate keygen`.',
  },
  invalid_key: {
    cause: 'The key matches no record, or the code of a dashboard link is used or too old.',
    remedy: 'Compare with `substrate keys list`. Send one key only.',
  },
  disabled_key: {
    cause: 'The key is disabled.',
    remedy: '`substrate keys enable <id>`, or use another key.',
  },
  expired_key: {
    cause: 'The `expires_at` of the key has passed. Dashboard keys end after 12 hours, and with the daemon.',
    remedy: 'Use another key. For the dashboard, `substrate up` prints a new link.',
  },
  forbidden_host: {
    cause: 'The Host header names a host other than the daemon.',
    remedy: 'Call `127.0.0.1`, or add the name to `[server] allowed_hosts`.',
  },
  forbidden_origin: {
    cause: 'A web page of another origin made the request.',
    remedy: 'Use a program, or type the dashboard address into the address bar.',
  },
  forbidden_scope: {
    cause: 'The key may not do this: see its restrictions in `substrate keys list`.',
    remedy: 'Use another key. Repeating the request does not help.',
  },
  not_confirmed: {
    cause: 'The key needs a person for each action, and the person said no or did not answer in time.',
    remedy: 'Ask the person. They confirm in the dashboard or by `substrate approve`.',
  },
  browser_failed: {
    cause: 'No browser of `[browser] programs` is installed, or it did not start.',
    remedy: 'The message quotes its output. See `[browser]` in the configuration.',
  },
  not_found: {
    cause: 'No such path, method or tracked process; at /: this build has no dashboard.',
    remedy: 'Check path and method byte for byte; take the pid from the list of apps.',
  },
  pid_not_found: {
    cause: 'Neither pid nor app_id resolves to a tracked process.',
    remedy: 'Take one from the list of apps; the process may have ended.',
  },
  capture_not_found: {
    cause: 'The capture is unknown, or no longer in the history.',
    remedy: 'Read the state again, or raise `[probe] history`.',
  },
  method_not_allowed: {
    cause: 'The MCP route accepts POST only; it has no sessions.',
    remedy: 'Send messages by POST.',
  },
  verification_failed: {
    cause: 'The action ran, but the expression did not become true in time.',
    remedy: 'Read `verification.explanation` and the state before you try again.',
  },
  upgrade_required: {
    cause: 'A plain request to the WebSocket route.',
    remedy: 'Connect with a WebSocket client, protocol version 13.',
  },
  rate_limited: {
    cause: 'The bucket of the key is empty.',
    remedy: 'Wait for `retry_after_ms`, use one key per agent, or raise `[rate_limit]`.',
  },
  internal: {
    cause: 'An unexpected fault.',
    remedy: 'Search the log for the request id and report it.',
  },
  confidence_too_low: {
    cause: 'The action, or a key that its verify_expression reads, has too little confidence.',
    remedy: 'Verify with a better named key, or have somebody with another API key correct it.',
  },
  probe_not_ready: {
    cause: 'There is no snapshot, or no probe is attached.',
    remedy: 'Poll the list of apps until `has_state` is true. The message gives the reason.',
  },
  overloaded: {
    cause: 'Too many requests are in progress, or the app is too busy for the action.',
    remedy: 'Wait for `Retry-After` seconds and send fewer requests at once.',
  },
  probe_timeout: {
    cause: 'The app did not answer a fresh probe cycle in time.',
    remedy: 'Read with `fresh=false`. The app may be busy or stopped.',
  },
  action_timeout: {
    cause: 'The action took longer than 120 s.',
    remedy: 'Its effect is unknown: read the state first.',
  },
  request_timeout: {
    cause: 'The request exceeded its time limit.',
    remedy: 'Send the request faster, or wait for less (`timeout_ms`).',
  },
  host_unreachable: {
    cause: 'No daemon of this name answers in the fleet, it ended or fell silent, or the NATS server is not reached.',
    remedy: 'See the list of hosts. What an action did is unknown if the host fell silent: read the state first.',
  },
};

/** Its own codes and those of all routes of its kind, without duplicates. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.doc.errors ?? []);
  const add = (when: boolean, ...more: ErrorCode[]) => {
    for (const code of when ? more : []) codes.add(code);
  };
  add(true, 'forbidden_host', 'forbidden_origin', 'internal');
  add(route.auth, 'missing_key', 'invalid_key', 'disabled_key', 'expired_key');
  add(route.scope !== null, 'forbidden_scope');
  add(route.bucket !== null, 'rate_limited');
  add(route.auth && !route.upgrade, 'overloaded', route.timeoutCode);
  // Via the path of another host.
  add(isForOthers(route), 'host_unreachable');
  add(route.request !== null, 'invalid_content_type', 'body_too_large', 'invalid_request');
  add(route.path.endsWith('{pid}'), 'invalid_request', 'not_found');
  add(route.doc.query !== undefined, 'invalid_request');
  return [...codes].sort();
}
