/** The answer to an action: its fields as JSON, and the bytes of the state put in as they are. */
import type { ActionResult } from '../daemon/service.ts';
import { ERROR_STATUS } from '../model/errors.ts';
import type { ErrorBody } from '../model/wire.ts';
import { bytesReply, type Reply } from './reply.ts';

export function actionReply({ fields, updatedState }: ActionResult, requestId: string): Reply {
  const head = JSON.stringify({ ...fields, raw_return: fields.raw_return ?? null }).slice(0, -1);
  const state = updatedState ?? [Buffer.from('null')];
  const chunks = (tail: string) => [Buffer.from(`${head},"updated_state":`), ...state, Buffer.from(tail)];
  if (fields.verification?.passed !== false) return bytesReply(chunks('}'));

  const error: ErrorBody['error'] = {
    code: 'verification_failed',
    message: `The action ran, but the expression was not true in time: ${fields.verification.explanation}`,
    request_id: requestId,
  };
  return bytesReply(chunks(`,"error":${JSON.stringify(error)}}`), ERROR_STATUS.verification_failed);
}
