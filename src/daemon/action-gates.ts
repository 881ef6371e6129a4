/** What is checked before anything is dispatched, in this order. A failure leaves the app untouched. */

import { type ErrorCode, SubstrateError } from '../model/errors.ts';
import type { ActionRequest, Reversibility } from '../model/wire.ts';
import { type Action, checkArguments } from '../semantic/actions.ts';
import { nearestNames } from '../semantic/nearest.ts';
import { compilePredicate, type Predicate, type StateView } from '../semantic/predicate/predicate.ts';
import { hasDangerousName } from '../semantic/reversibility.ts';
import type { Session } from './session.ts';

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
  return refusing(action, () => compilePredicate(verify_expression));
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

/** What `check` throws is said as every refusal is. */
export function refusing<Result>(action: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof SubstrateError) throw refusal(action, error.code, error.message);
    throw error;
  }
}

export function checkAction(request: ActionRequest, session: Session): Action {
  const { action: name } = request;
  const action = session.actions.get(name);
  if (!action) {
    if (session.blockedBy !== null) throw blocked(name, session.blockedBy);
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

/** Something that reads nothing proves nothing. */
export function checkIrreversible(
  { action: name }: ActionRequest,
  { schema }: Action,
  predicate: Predicate | null,
  view: StateView,
): void {
  if (schema.reversibility !== 'irreversible_write') return;
  if (predicate !== null && predicate.paths.size > 0 && predicate.evaluate(view).keys.size > 0) return;
  const needed = `${name} cannot be undone: it needs a verify_expression that tells from the state whether it worked`;
  const why = predicate === null ? '' : `, and ${JSON.stringify(predicate.source.slice(0, 100))} reads nothing of it`;
  throw refusal(name, 'missing_verify_expression', `${needed}${why}.`);
}

/**
 * Asked right before the dispatch: it may change while other actions come first. What counts is what the action needs: its
 * own binding, and the keys that its verification reads. What a key has said itself of a name opens no gate for that key.
 */
export function checkConfidence(
  { action: name }: ActionRequest,
  { schema: { reversibility, confidence }, inferredConfidence, by }: Action,
  predicate: Predicate | null,
  { engine, view }: Pick<Session, 'engine' | 'view'>,
  keyId: string,
): void {
  const needed = CONFIDENCE_NEEDED[reversibility];
  const own = by === keyId ? Math.min(confidence, inferredConfidence) : confidence;
  let lowest = { what: 'The action', confidence: own };
  for (const key of keysOf(predicate, view)) {
    const ofKey = engine.confidenceOf(key, keyId) ?? 1;
    if (ofKey < lowest.confidence) lowest = { what: `${key}, which verify_expression reads,`, confidence: ofKey };
  }
  if (lowest.confidence >= needed) return;
  const remedy =
    'Verify by a key that is named in the app itself, or have somebody with another key correct it by /learn.';
  throw refusal(
    name,
    'confidence_too_low',
    `${lowest.what} has a confidence of ${lowest.confidence}; ${reversibility} needs ${needed}. ${remedy}`,
  );
}

/** Those that it names, also where it would not get to them now, and those that it reads. */
function keysOf(predicate: Predicate | null, view: StateView): Iterable<string> {
  return predicate === null ? [] : new Set([...predicate.paths, ...predicate.evaluate(view).keys]);
}

/** What the app offers otherwise is not there while its dialog is open. */
export function blocked(action: string, why: string): SubstrateError {
  return refusal(action, 'unknown_action', `${action} cannot be run now. ${why}`);
}

export function refusal(action: string, code: ErrorCode, message: string): SubstrateError {
  return new SubstrateError(code, message, { extra: { action, executed: false } });
}
