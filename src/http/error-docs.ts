/** What each error code means, for the OpenAPI document. A code without a meaning does not compile. */
import type { ErrorCode } from '../model/errors.ts';
import type { Route } from './route.ts';

export const ERROR_MEANING: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Malformed JSON, or a field that is missing, unknown, of the wrong type or out of range.',
  invalid_content_type: 'The Content-Type of a POST is not application/json.',
  body_too_large: 'The body is larger than 1 MiB.',
  missing_verify_expression: 'An irreversible_write action without verify_expression.',
  verify_expression_too_large: 'The expression is larger than action.verify_expression_max_bytes.',
  dangerous_action_unverified: 'The name of the action is a dangerous one, and the process cannot be resolved.',
  unknown_action: 'The application has no action of this name; the message lists the nearest ones.',
  capture_pid_mismatch: 'The capture belongs to another process.',
  missing_key: 'No X-Substrate-Key header.',
  invalid_key: 'The key matches no record.',
  disabled_key: 'The record of the key is disabled.',
  forbidden_host: 'The Host header names another host than the one on which the daemon listens.',
  forbidden_origin: 'The request was made by a web page of another origin.',
  not_found: 'No such path or method, or the process is not tracked.',
  pid_not_found: 'Neither pid nor app_id resolves to a tracked process.',
  capture_not_found: 'The capture is unknown, or no longer in the history.',
  verification_failed: 'The action ran, but the expression was not true in time. The body is also an action response.',
  upgrade_required: 'A plain request to the WebSocket route.',
  rate_limited: 'The bucket of the key is empty; Retry-After and retry_after_ms tell when to come back.',
  internal: 'An unexpected fault; the log of the daemon has more under the request id.',
  confidence_too_low: 'The confidence of the state is below what the kind of action needs.',
  probe_not_ready: 'There is no snapshot yet. Poll the list of applications until has_state is true.',
  overloaded: 'Too much is in work; Retry-After tells when to come back.',
  probe_timeout: 'The fresh probe cycle took too long. Retry with fresh=false.',
  action_timeout: 'The action took longer than 120 s.',
  request_timeout: 'The request took longer than its limit (30 s; verify: timeout_ms and 5 s).',
};

/** Its own codes and those of every route of its kind, each once. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.doc.errors ?? []);
  const add = (when: boolean, ...more: ErrorCode[]) => {
    for (const code of when ? more : []) codes.add(code);
  };
  add(true, 'forbidden_host', 'forbidden_origin', 'internal');
  add(route.auth, 'missing_key', 'invalid_key', 'disabled_key');
  add(route.bucket !== null, 'rate_limited');
  add(route.auth && !route.upgrade, 'overloaded', route.timeoutCode);
  add(route.request !== null, 'invalid_content_type', 'body_too_large', 'invalid_request');
  add(route.path.endsWith('{pid}'), 'invalid_request', 'not_found');
  add(route.doc.query !== undefined, 'invalid_request');
  return [...codes].sort();
}
