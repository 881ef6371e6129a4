/** The answer to an action: its fields as JSON, with the bytes of the state inserted unchanged. */
import type { ActionResult } from '../daemon/service.ts';
import { ERROR_STATUS } from '../model/errors.ts';
import type { ErrorBody } from '../model/wire.ts';
import { bytesReply, jsonReply, type Reply } from './reply.ts';
import type { Call } from './route.ts';

export function actionReply(
  { fields, updatedState, effect }: ActionResult,
  { requestId, isInner }: Pick<Call, 'requestId' | 'isInner'>,
): Reply {
  const failure = fields.verification?.passed === false ? failureOf(fields.verification.explanation, requestId) : null;
  const status = failure === null ? 200 : ERROR_STATUS.verification_failed;
  const before = { ...fields, raw_return: fields.raw_return ?? null };
  if (isInner) return jsonReply({ ...before, updated_state: null, effect, ...failure }, status);
  const state = updatedState ?? [Buffer.from('null')];
  const head = `${JSON.stringify(before).slice(0, -1)},"updated_state":`;
  const tail = failure === null ? '}' : `,${JSON.stringify(failure).slice(1)}`;
  return bytesReply([Buffer.from(head), ...state, Buffer.from(tail)], status);
}

function failureOf(explanation: string, request_id: string): Pick<ErrorBody, 'error'> {
  const message = `The action ran, but the expression was not true in time: ${explanation}`;
  return { error: { code: 'verification_failed', message, request_id } };
}
