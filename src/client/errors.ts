/** The errors of requests to the daemon. */
import type { ActionResponse, ErrorBody, ErrorCode } from './types.ts';

/** The daemon answered with an error. `code` is one of the API's own. */
export class SubstrateError extends Error {
  override readonly name = 'SubstrateError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly requestId: string;
  /** How long to wait before asking again; null where waiting does not help. */
  readonly retryAfterMs: number | null;
  /** False if an action was refused before it reached the app. Undefined where no action was asked for. */
  readonly executed: boolean | undefined;

  constructor(status: number, body: ErrorBody) {
    super(body.error.message);
    this.code = body.error.code;
    this.status = status;
    this.requestId = body.error.request_id;
    this.retryAfterMs = body.error.retry_after_ms ?? null;
    this.executed = typeof body.executed === 'boolean' ? body.executed : undefined;
  }
}

/** Nobody answers, or the answer is not the daemon's. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** The listener at the daemon's address is neither this user's nor root's: nothing was sent, above all no key. */
export class ForeignListenerError extends ConnectionError {
  override readonly name = 'ForeignListenerError';

  /** `user`: the owner of the process; null if it accepts no connection, so that its owner is not known. */
  constructor(place: string, port: number, user: string | null) {
    const who =
      user === null
        ? `The process that listens at ${place} accepts no connection, so its user is unknown`
        : `A process of another user (${user}) listens at ${place}`;
    super(`${who}: no key is sent there. Root can see which process it is: ss -tlnp 'sport = :${port}'`);
  }
}

/** An action ran, and the expected condition is not true afterwards. The answer has the details. */
export class VerificationError extends Error {
  override readonly name = 'VerificationError';
  readonly response: ActionResponse;

  constructor(response: ActionResponse) {
    super(response.verification?.explanation ?? response.message);
    this.response = response;
  }
}

/** An action ran, and the app itself failed. */
export class ActionFailedError extends Error {
  override readonly name = 'ActionFailedError';
  readonly response: ActionResponse;

  constructor(response: ActionResponse) {
    super(response.message);
    this.response = response;
  }
}
