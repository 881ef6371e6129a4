/** The checks before an action is dispatched. If one fails, the app is untouched. */
import { RefusedError, SubstrateError } from '../model/errors.ts';
import { nearestNames } from '../model/nearest.ts';
import type { Permissions } from '../model/permissions.ts';
import type { ActionRequest, DiffResponse, Reversibility } from '../model/wire.ts';
import { type Action, checkArguments } from '../semantic/actions.ts';
import { type Holder, holderOf } from '../semantic/predicate/holder.ts';
import type { Predicate, StateView } from '../semantic/predicate/predicate.ts';
import { hasDangerousName } from '../semantic/reversibility.ts';
import { type ActionCall, differencesFrom, shownAction } from './action-call.ts';
import { compileExpression } from './compile-expression.ts';
import { diffOf } from './diff.ts';
import { openerOf } from './openers.ts';
import type { Session } from './session.ts';

/** The confidence in the state that each kind of action needs. */
const CONFIDENCE_NEEDED: Record<Reversibility, number> = {
  reversible_read: 0.4,
  reversible_write: 0.8,
  irreversible_write: 0.95,
};

/** The holder of keys that have no other. */
const WHOLE_STATE = 'state';
/** Characters of an expression, or of a name in it. */
const MAX_QUOTED = 100;
/** Number of changes that are listed in words, and in a diff. */
const MAX_NAMED = 5;
const MAX_LISTED = 100;

/** The checks that need no app: the size of the expression, then its syntax. */
export async function checkExpression(
  { verify_expression }: ActionRequest,
  maxBytes: number,
): Promise<Predicate | null> {
  if (verify_expression === undefined) return null;
  const bytes = Buffer.byteLength(verify_expression);
  if (bytes > maxBytes)
    throw new SubstrateError(
      'verify_expression_too_large',
      `verify_expression has ${bytes} bytes; at most ${maxBytes} are allowed.`,
    );
  return compileExpression(verify_expression);
}

export function unresolved({ action, pid, app_id }: ActionRequest): SubstrateError {
  if (hasDangerousName(action)) {
    return new SubstrateError(
      'dangerous_action_unverified',
      `${action} sounds destructive and its application is not known: name a tracked pid or app_id.`,
    );
  }
  const what = [pid === undefined ? null : `pid ${pid}`, app_id === undefined ? null : `app_id ${app_id}`]
    .filter((part) => part !== null)
    .join(' with ');
  return new SubstrateError('pid_not_found', `No tracked application has ${what}. GET /substrate/v1/apps lists them.`);
}

/** Turns every error before the dispatch into a refusal that names the action. */
export async function refusing<Result>(
  request: Pick<ActionRequest, 'action'>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SubstrateError ? refused(request, error) : error;
  }
}

export function refused(
  { action }: Pick<ActionRequest, 'action'>,
  { code, message, extra, retryAfterMs }: SubstrateError,
): RefusedError {
  const retry = retryAfterMs === null ? {} : { retryAfterMs };
  return new RefusedError(code, message, { extra: { ...extra, action }, ...retry });
}

/**
 * Runs right before the dispatch, since everything may change while a person thinks or other actions run. `checkFirst`
 * runs before the requirements of the action itself.
 */
export function gate(call: ActionCall, checkFirst: (action: Action, call: ActionCall) => void = () => {}): Action {
  const { request, predicate, session, app, options } = call;
  // The key itself is checked again: meanwhile it may have been disabled or restricted.
  const permissions = options.permissionsNow();
  permissions.requireScope('act');
  permissions.requireApp(app);
  const action = findAction(request, session, permissions);
  checkFirst(action, call);
  const problems = checkArguments(action, request.parameters);
  if (problems.length > 0) throw new SubstrateError('invalid_request', `${problems.join('; ')}.`);
  permissions.requireReversibility(request.action, action.schema.reversibility);
  checkIrreversible(action, request.action, predicate, session.view);
  checkConfidence(action, predicate, session, options.keyId);
  return action;
}

/** Checks that the action is still the one that a person confirmed. */
export function checkConfirmed(action: Action, { request, options, confirmed }: ActionCall): void {
  if (confirmed === null) {
    if (!options.permissionsNow().confirm) return;
    throw notConfirmed(request, 'since it was asked for, its key came to need a person who agrees');
  }
  const differences = differencesFrom(confirmed.shown, shownAction(action));
  if (differences.length > 0)
    throw notConfirmed(request, `since it was approved, it has changed: ${differences.join('; ')}`);
}

function notConfirmed({ action }: ActionRequest, why: string): SubstrateError {
  return new SubstrateError('not_confirmed', `${action} was not run: ${why}. Ask again.`);
}

function findAction({ action: name }: ActionRequest, session: Session, permissions: Permissions): Action {
  const action = session.actions.get(name);
  if (!action) {
    if (session.blockedBy !== null) throw blocked(name, session.blockedBy, permissions);
    const opener = openerOf(session, name);
    if (opener !== null) {
      const message = `${JSON.stringify(name)} is not on the screen now: ${opener} opens it. Run that first.`;
      throw new SubstrateError('unknown_action', message);
    }
    const near = nearestNames(name, session.actions.keys());
    const hint =
      near.length > 0
        ? `Nearest: ${near.join(', ')}.`
        : session.actions.size === 0
          ? 'The app has no actions.'
          : 'GET /substrate/v1/schema/{pid} lists them.';
    throw new SubstrateError(
      'unknown_action',
      `${session.recognition.appName} has no action ${JSON.stringify(name)}. ${hint}`,
    );
  }
  return action;
}

/** An expression that reads nothing of the app proves nothing. It may read keys that the action will create. */
function checkIrreversible({ schema }: Action, name: string, predicate: Predicate | null, view: StateView): void {
  if (schema.reversibility !== 'irreversible_write') return;
  // Names that are not evaluated are not read: `true || cart.total === 3`.
  const paths = predicate === null || predicate.paths.size === 0 ? [] : [...predicate.evaluate(view).keys];
  if (paths.some((path) => holderOf(view, path) !== null)) return;
  const needed = `${name} cannot be undone: it needs a verify_expression that tells from the state whether it worked`;
  const message = `${needed}${whyNothingIsRead(predicate, paths, view)}`;
  throw new SubstrateError('missing_verify_expression', message.endsWith('.') ? message : `${message}.`);
}

function whyNothingIsRead(predicate: Predicate | null, paths: readonly string[], view: StateView): string {
  if (predicate === null) return '';
  const source = JSON.stringify(predicate.source.slice(0, MAX_QUOTED));
  const [wanted] = paths;
  if (wanted === undefined) return `, and ${source} reads nothing of it`;
  const { explanation } = predicate.evaluate(view);
  return `, and of ${source} the app has nothing: neither ${wanted.slice(0, MAX_QUOTED)} nor what would hold it. ${explanation}`;
}

/**
 * The parts that the action needs must be certain: its own binding, and the keys that its verification reads. A name
 * that a key taught itself opens no gate for that key.
 */
export function checkConfidence(
  { schema: { reversibility, confidence }, inferredConfidence, by }: Action,
  predicate: Predicate | null,
  { engine, view }: Pick<Session, 'engine' | 'view'>,
  keyId: string,
): void {
  const needed = CONFIDENCE_NEEDED[reversibility];
  const own = by === keyId ? Math.min(confidence, inferredConfidence) : confidence;
  let lowest = { what: 'The action', confidence: own };
  for (const key of keysOf(predicate, view)) {
    const ofKey = confidenceIn(engine, holderOf(view, key) ?? holderOf(view, WHOLE_STATE), keyId);
    if (ofKey < lowest.confidence) lowest = { what: `${key}, which verify_expression reads,`, confidence: ofKey };
  }
  if (lowest.confidence >= needed) return;
  const remedy =
    'Verify by a key that is named in the app itself, or have somebody with another key correct it by /learn.';
  throw new SubstrateError(
    'confidence_too_low',
    `${lowest.what} has a confidence of ${lowest.confidence}; ${reversibility} needs ${needed}. ${remedy}`,
  );
}

/**
 * A key that does not exist has the confidence of its holder. A key is only as certain as its least certain name, so a
 * holder is at least as certain as the most certain key below it.
 */
function confidenceIn(engine: Session['engine'], holder: Holder | null, keyId: string): number {
  if (holder === null || holder.keys.length === 0) return 1;
  return Math.max(...holder.keys.map((key) => engine.confidenceOf(key, keyId) ?? 0));
}

/**
 * Compare and act: everything that the action or its expression reads must be unchanged since that capture. An action
 * reads its siblings; if it has none and no verification, every shown key counts.
 */
export function checkUnchanged(
  { action }: ActionRequest,
  predicate: Predicate | null,
  session: Session,
  capture: string,
): void {
  const changes = session.changesSince(capture, true);
  if (!changes) throw changed('The capture of If-Match is not known any more: read the state again.', null);
  const place = action.slice(0, Math.max(0, action.lastIndexOf('.'), action.lastIndexOf('[')));
  const named = new Set(keysOf(predicate, session.view));
  const isRead = (key: string) =>
    named.has(key) ||
    (place !== '' && key.startsWith(place) && /^[.[]|^$/.test(key.slice(place.length))) ||
    (place === '' && predicate === null && session.engine.isShown(key));
  const read = changes.filter(({ key }) => isRead(key));
  if (read.length === 0) return;
  const names = read.slice(0, MAX_NAMED).map(({ key }) => key);
  const more = read.length > MAX_NAMED ? ` and ${read.length - MAX_NAMED} more` : '';
  const { captureId } = session.handOut();
  const about = { pid: session.process.pid, appId: session.appId, since: capture, captureId };
  throw changed(
    `Changed since the capture of If-Match: ${names.join(', ')}${more}.`,
    diffOf(read.slice(0, MAX_LISTED), about),
  );
}

function changed(message: string, diff: DiffResponse | null): SubstrateError {
  return new SubstrateError('state_changed', message, { extra: { diff } });
}

/** The keys that the expression names, evaluated or not, and the keys that it reads. */
function keysOf(predicate: Predicate | null, view: StateView): Iterable<string> {
  return predicate === null ? [] : new Set([...predicate.paths, ...predicate.evaluate(view).keys]);
}

/** While a dialog is open the other actions are not available. The text of the dialog is data of the app. */
export function blocked(action: string, why: string, permissions: Permissions): SubstrateError {
  const shown = permissions.has('read') ? why : 'A dialog is open, which has to be answered first.';
  return new SubstrateError('unknown_action', `${action} cannot be run now. ${shown}`);
}
