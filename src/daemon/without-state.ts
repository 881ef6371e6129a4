/**
 * The answer to an action for a key without the scope read: whether it ran and was verified, and no value of the app.
 */
import { SubstrateError } from '../model/errors.ts';
import type { VerificationOutcome } from '../model/wire.ts';
import type { ActionResult } from './service.ts';

const NO_SCOPE = 'This key lacks the scope read, so nothing of the app is shown.';

export function withoutState({ fields, isLost }: ActionResult): ActionResult {
  const { success, verification } = fields;
  return {
    fields: {
      ...fields,
      message: `${success ? 'The action ran.' : 'The action did not succeed.'} ${NO_SCOPE}`,
      verification: verification && withoutValues(verification),
      state_delta: null,
      // A returned value belongs to the app as much as its state.
      raw_return: null,
      invocation_context: null,
    },
    updatedState: null,
    effect: null,
    ...(isLost === undefined ? {} : { isLost }),
  };
}

/** Names of keys stay: without them nobody could correct a request. */
export function withoutStateInError(error: unknown): never {
  if (!(error instanceof SubstrateError) || !('diff' in error.extra)) throw error;
  const { code, message, extra, retryAfterMs } = error;
  const retry = retryAfterMs === null ? {} : { retryAfterMs };
  throw new SubstrateError(code, message, { extra: { ...extra, diff: null }, ...retry });
}

function withoutValues(verification: VerificationOutcome): VerificationOutcome {
  const explanation = `The expression is ${verification.passed ? '' : 'not '}true. ${NO_SCOPE}`;
  return { ...verification, computed_value: null, explanation, changed_fields: [] };
}
