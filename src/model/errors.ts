/** Every error code of the service, and its HTTP status. A code without a status does not compile. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_content_type: 400,
  body_too_large: 400,
  missing_verify_expression: 400,
  verify_expression_too_large: 400,
  dangerous_action_unverified: 400,
  unknown_action: 400,
  capture_pid_mismatch: 400,
  idempotency_mismatch: 400,
  missing_key: 401,
  invalid_key: 401,
  disabled_key: 401,
  expired_key: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  forbidden_scope: 403,
  not_confirmed: 403,
  not_found: 404,
  pid_not_found: 404,
  capture_not_found: 404,
  method_not_allowed: 405,
  in_progress: 409,
  state_changed: 412,
  verification_failed: 422,
  upgrade_required: 426,
  rate_limited: 429,
  internal: 500,
  confidence_too_low: 503,
  probe_not_ready: 503,
  overloaded: 503,
  browser_failed: 503,
  probe_timeout: 504,
  action_timeout: 504,
  request_timeout: 504,
  host_unreachable: 504,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

interface ErrorOptions {
  readonly extra?: Record<string, unknown>;
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The only error that reaches a client on purpose. Its message is for people and never carries captured values. */
export class SubstrateError extends Error {
  readonly code: ErrorCode;
  /** Merged into the response body beside `error` (`action`, `executed`, …). */
  readonly extra: Readonly<Record<string, unknown>>;
  /** Sent as `Retry-After` and `error.retry_after_ms`. */
  readonly retryAfterMs: number | null;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SubstrateError';
    this.code = code;
    this.extra = options.extra ?? {};
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** An action was refused before its dispatch: nothing ran, and it can be tried again. */
export class RefusedError extends SubstrateError {
  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(code, message, { ...options, extra: { ...options.extra, executed: false } });
  }
}
