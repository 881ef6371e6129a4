/**
 * Actions that a client may repeat with `Idempotency-Key`: each is carried out once, and gets the first answer again.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { uuidv7 } from 'uuidv7';
import type { CallOptions } from '../daemon/service.ts';
import { RefusedError, SubstrateError } from '../model/errors.ts';
import type { Claim, RetryRecords } from '../model/retries.ts';
import type { ActionRequest, ActionResponse } from '../model/wire.ts';
import { bytesReply, errorReply, jsonReply, type Reply } from './reply.ts';

const MAX_KEY_CHARS = 200;
/** A longer answer is kept without the state. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** The limit of an action. Its sender may have gone; a repeated request fetches the answer. */
const LIMIT_MS = 120_000;
const REPLAYED = { 'Idempotency-Replayed': 'true' };

interface Repeatable {
  readonly key: string;
  readonly request: ActionRequest;
  /** Two clients may choose the same text, and permissions may have been restricted since the first answer. */
  readonly caller: Pick<CallOptions, 'keyId' | 'permissions'>;
  readonly requestId: string;
  /** The caller is in this process, and gets the answer as a value. */
  readonly isInner: boolean;
}

export function idempotencyKey(headers: IncomingHttpHeaders): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  if (typeof given === 'string' && /^[\x21-\x7e]+$/.test(given) && given.length <= MAX_KEY_CHARS) return given;
  throw new SubstrateError(
    'invalid_request',
    `Idempotency-Key: expected 1 to ${MAX_KEY_CHARS} visible ASCII characters`,
  );
}

/** `refuse` throws the given error. */
export async function once(
  records: RetryRecords,
  repeatable: Repeatable,
  work: (signal: AbortSignal) => Promise<Reply>,
  refuse: (error: unknown) => Promise<never>,
): Promise<Reply> {
  const { key, caller, request, requestId } = repeatable;
  const name = `${caller.keyId}\n${key}`;
  const extra = { action: request.action };
  let claim: Claim;
  try {
    claim = records.claim(name, `${canonical(request)}${caller.permissions.fingerprint}`);
  } catch (error) {
    return refuse(error);
  }
  switch (claim.kind) {
    case 'other request': {
      const message = 'This Idempotency-Key was used for another request, or with other permissions.';
      return refuse(new RefusedError('idempotency_mismatch', message, { extra }));
    }
    case 'running': {
      const message = 'The action with this Idempotency-Key is still running.';
      return refuse(new RefusedError('in_progress', message, { extra, retryAfterMs: 1000 }));
    }
    case 'lost': {
      const text = JSON.stringify(lostAnswer(request));
      records.finish(name, { status: 200, text });
      return replayed(200, text, repeatable);
    }
    case 'done':
      return replayed(claim.answer.status, claim.answer.text, repeatable);
    case 'new':
      break;
  }
  const limit = new AbortController();
  const timer = setTimeout(
    () =>
      limit.abort(
        new SubstrateError('action_timeout', 'The action took too long. Whether it took effect is not known.'),
      ),
    LIMIT_MS,
  );
  try {
    const reply = await work(limit.signal);
    records.finish(name, { status: reply.status, text: textOf(reply) });
    return reply;
  } catch (error) {
    if (error instanceof RefusedError) records.release(name);
    else
      records.finish(name, { status: statusOf(error), text: textOf(errorReply(asSubstrateError(error), requestId)) });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function replayed(status: number, text: string, { isInner }: Repeatable): Reply {
  const reply = isInner ? jsonReply(JSON.parse(text), status) : bytesReply([Buffer.from(text)], status);
  return { ...reply, headers: REPLAYED };
}

function textOf({ body }: Reply): string {
  const text = 'json' in body ? JSON.stringify(body.json) : Buffer.concat(body.chunks).toString();
  if (text.length <= MAX_TEXT_BYTES) return text;
  const answer = JSON.parse(text) as Partial<ActionResponse>;
  return JSON.stringify({ ...answer, updated_state: null, state_delta: null });
}

const statusOf = (error: unknown) => asSubstrateError(error).status;

function asSubstrateError(error: unknown): SubstrateError {
  if (error instanceof SubstrateError) return error;
  return new SubstrateError(
    'internal',
    'Something went wrong while the action ran. Whether it took effect is not known.',
  );
}

/** Sorts keys, so that equal requests give equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}

/** The same answer as after a connection that was lost during an action. */
function lostAnswer({ action }: ActionRequest): ActionResponse {
  return {
    success: false,
    action_id: uuidv7(),
    action,
    executed: true,
    runtime: 'unknown',
    total_latency_ms: 0,
    message: 'The daemon ended during the action. Whether the action was done is not known.',
    verification: null,
    updated_state: null,
    state_delta: null,
    raw_return: null,
    invocation_context: null,
  };
}
