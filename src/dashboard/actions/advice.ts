/** The remedy for an error of the daemon, for the user of this page. */
import type { ErrorCode, SubstrateError } from '../../client/index.ts';

const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  missing_verify_expression: 'Say in “Verify” what must be true of the state afterwards.',
  verify_expression_too_large: 'Shorten the expression, or raise [action] verify_expression_max_bytes.',
  forbidden_scope: 'Open the dashboard with a key that may do this: substrate keys list shows which.',
  unknown_action: 'The app has changed: choose from the list again.',
  confidence_too_low: 'Verify by another key, or have somebody with another key confirm the name (substrate learn).',
  not_found: 'The app may have ended: choose another from the list.',
  pid_not_found: 'The app may have ended: choose another from the list.',
  capture_not_found: 'Choose a newer capture, or raise [probe] history.',
  rate_limited: 'Wait a moment, or raise the limits in [rate_limit].',
  internal: 'Look for the request id in the log of the daemon.',
  probe_not_ready: 'Wait until the app shows as active.',
  overloaded: 'Wait a few seconds.',
  probe_timeout: 'The app may be busy or stopped. What is shown was seen before.',
  action_timeout: 'Whether it took effect is not known: look at the state first.',
  request_timeout: 'Try again, or wait for less.',
};

export function adviceFor({ code, retryAfterMs, requestId }: SubstrateError): string | null {
  if (code === 'rate_limited' && retryAfterMs !== null) return `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
  if (code === 'internal') return `Look for ${requestId} in the log of the daemon.`;
  return ADVICE[code] ?? null;
}
