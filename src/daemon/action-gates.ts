/** What is checked before anything is dispatched, in this order. A failure leaves the app untouched. */

import { type ErrorCode, SubstrateError } from '../model/errors.ts';
import type { ActionRequest, Reversibility } from '../model/wire.ts';
import { type Action, checkArguments } from '../semantic/actions.ts';
import { nearestNames } from '../semantic/nearest.ts';
import { compilePredicate, type Predicate } from '../semantic/predicate/predicate.ts';
import { hasDangerousName } from '../semantic/reversibility.ts';
import type { Session } from './session.ts';
import type { SnapshotHead } from './snapshot.ts';

/** How sure the state must be for each kind of action. */
const CONFIDENCE_NEEDED: Record<Reversibility, number> = {
  reversible_read: 0.4,
  reversible_write: 0.8,
  irreversible_write: 0.95,
};

/** Before the app is known: the size of the expression, then its syntax. */
export function checkExpression({ action, verify_expression }: ActionRequest, maxBytes: number): Predicate | null {
  if (verify_expression === undefined) return null;
  const bytes = Buffer.byteLength(verify_expression);
  if (bytes > maxBytes)
    throw refusal(
      action,
      'verify_expression_too_large',
      `verify_expression has ${bytes} bytes; at most ${maxBytes} are allowed.`,
    );
  try {
    return compilePredicate(verify_expression);
  } catch (error) {
    if (error instanceof SubstrateError) throw refusal(action, error.code, error.message);
    throw error;
  }
}

export function unresolved({ action, pid, app_id }: ActionRequest): SubstrateError {
  if (hasDangerousName(action)) {
    return refusal(
      action,
      'dangerous_action_unverified',
      `${action} sounds destructive and its application is not known: name a tracked pid or app_id.`,
    );
  }
  const what = [pid === undefined ? null : `pid ${pid}`, app_id === undefined ? null : `app_id ${app_id}`]
    .filter((part) => part !== null)
    .join(' with ');
  return refusal(action, 'pid_not_found', `No tracked application has ${what}. GET /substrate/v1/apps lists them.`);
}

/** There is a state to act on. */
export function checkState({ action }: ActionRequest, requireHead: () => SnapshotHead): SnapshotHead {
  try {
    return requireHead();
  } catch (error) {
    if (error instanceof SubstrateError) throw refusal(action, error.code, error.message);
    throw error;
  }
}

export function checkAction(request: ActionRequest, session: Session): Action {
  const { action: name } = request;
  const action = session.actions.get(name);
  if (!action) {
    const near = nearestNames(name, session.actions.keys());
    const hint =
      near.length > 0
        ? `Nearest: ${near.join(', ')}.`
        : session.actions.size === 0
          ? 'The app has no actions.'
          : 'GET /substrate/v1/schema/{pid} lists them.';
    throw refusal(
      name,
      'unknown_action',
      `${session.recognition.appName} has no action ${JSON.stringify(name)}. ${hint}`,
    );
  }
  const [problem] = checkArguments(action, request.parameters);
  if (problem !== undefined) throw refusal(name, 'invalid_request', `${problem}.`);
  return action;
}

export function checkIrreversible({ action: name, verify_expression }: ActionRequest, { schema }: Action): void {
  if (schema.reversibility !== 'irreversible_write' || verify_expression !== undefined) return;
  throw refusal(
    name,
    'missing_verify_expression',
    `${name} cannot be undone: it needs a verify_expression that tells from the state whether it worked.`,
  );
}

/** Asked right before the dispatch: it may change while other actions come first. */
export function checkConfidence(
  { action: name }: ActionRequest,
  { schema: { reversibility, confidence: ofAction } }: Action,
  { confidence: ofState }: Pick<SnapshotHead, 'confidence'>,
): void {
  const needed = CONFIDENCE_NEEDED[reversibility];
  // The lower of both counts.
  const [whose, confidence, remedy] =
    ofState <= ofAction
      ? ["The state's", ofState, 'Correct labels by /learn, or read fresh state.']
      : ["The action's own", ofAction, 'Say by an action_correction to /learn how sure you are of it.'];
  if (confidence >= needed) return;
  throw refusal(
    name,
    'confidence_too_low',
    `${whose} confidence is ${confidence}; ${reversibility} needs ${needed}. ${remedy}`,
  );
}

export function refusal(action: string, code: ErrorCode, message: string): SubstrateError {
  return new SubstrateError(code, message, { extra: { action, executed: false } });
}
