/** Runs an action: gates, dispatch, settling, verification, changes. One at a time per process. */

import { uuidv7 } from 'uuidv7';
import { SubstrateError } from '../model/errors.ts';
import { messageOf } from '../model/failure.ts';
import { ACTION_LIMIT_MS, type ActionOutcome } from '../model/raw-action.ts';
import type { ActionEffect } from '../model/state-look.ts';
import type { ActionRequest, VerificationOutcome } from '../model/wire.ts';
import { BadArgumentError, BlockedError, NotDispatchedError, TargetBusyError } from '../probes/probe.ts';
import { redactText } from '../semantic/redact.ts';
import { hide, redactMessage, redactReturn, secretsAmong } from '../semantic/redact-return.ts';
import type { ActionCall } from './action-call.ts';
import { blocked, checkConfirmed, checkUnchanged, gate, refused, refusing } from './action-gates.ts';
import { EarlierRuns } from './earlier-runs.ts';
import { evaluated } from './evaluations.ts';
import { noteOpener } from './openers.ts';
import { pause } from './pause.ts';
import type { ActionResult } from './service.ts';
import type { Session } from './session.ts';
import { waitFor } from './verifier.ts';
import { whenLoaded, whenStill } from './when-loaded.ts';

/** The app gets this long to settle before its state is read. */
const SETTLE_MS = 200;
const VERIFY_INTERVAL_MS = 500;
const EVALUATION_MS = 20_000;
const MAX_QUEUED = 32;
/** Longer than the interval of process scans. */
const ENDING_MS = 1500;
const ENDING_LOOK_MS = 20;

export class ActionRunner {
  readonly earlier = new EarlierRuns();
  private readonly queues = new WeakMap<Session, { last: Promise<unknown>; waiting: number }>();

  /** Waits for earlier actions on the same process. */
  async run(call: ActionCall): Promise<ActionResult> {
    const { session } = call;
    const queue = this.queues.get(session) ?? { last: Promise.resolve(), waiting: 0 };
    this.queues.set(session, queue);
    if (queue.waiting >= MAX_QUEUED) {
      const message = `${MAX_QUEUED} actions wait for this application already.`;
      throw refused(call.request, new SubstrateError('overloaded', message, { retryAfterMs: 1000 }));
    }
    queue.waiting++;
    const deadline = performance.now() + ACTION_LIMIT_MS;
    const turn = queue.last.then(() => this.perform(call, deadline));
    // The sender of that action gets its error; the next action only waits for its end.
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      queue.waiting--;
    }
  }

  private async perform(call: ActionCall, deadline: number): Promise<ActionResult> {
    const { request, session, options } = call;
    const started = performance.now();
    const wasLoading = session.head?.isLoading === true;
    const { action, before, namesBefore, urlBefore, wasTrue, outcome } = await refusing(request, () =>
      this.dispatch(call, deadline),
    );
    options.signal.throwIfAborted();
    if (outcome === 'lost') return describeLost(request, session, await hasEnded(session, options.signal), started);
    if (outcome.wasRefused !== true) await pause(SETTLE_MS, options.signal);
    const verified = await this.verify(call, before, outcome.ok);
    // A page that was loading before may keep loading for long.
    if (!wasLoading) await whenLoaded(session, options.signal);
    if (outcome.ok && session.head?.context.url !== urlBefore) await whenStill(session, options.signal);
    const isRead = session.head !== null && session.head.captureId !== before;
    if (isRead) await session.renderAhead();
    const problem = isRead || session.hasEnded ? '' : ` The state could not be read after it: ${verified.problem}`;
    const reported = { ...outcome, message: `${outcome.message}${aftermath(session)}${problem}` };
    const verification = verified.outcome && wasTrue ? saidBefore(verified.outcome) : verified.outcome;
    const appeared = [...session.actions.keys()].filter((name) => !namesBefore.has(name));
    if (isRead && session.head?.context.url === urlBefore) noteOpener(session, request.action, appeared);
    const changed = isRead ? { since: before, urlBefore, appeared } : null;
    const result = describe(
      request,
      session,
      withoutSecrets(reported, request, action.rawName),
      verification,
      changed,
      started,
    );
    this.earlier.note(session, action.binding, result.fields.state_delta && Object.keys(result.fields.state_delta));
    return result;
  }

  /** Every reason for a refusal comes before the dispatch. */
  private async dispatch(call: ActionCall, deadline: number) {
    const { request, session, options, ifMatch } = call;
    options.signal.throwIfAborted();
    session.requireHead();
    if (request.fresh_state) options.spendSnapshot();
    if (request.fresh_state || ifMatch !== null) await refreshFirst(session);
    await lookFor(request, session);
    const known = await withOutcome(call);
    const action = gate(known, checkConfirmed);
    if (ifMatch !== null) checkUnchanged(request, known.predicate, session, ifMatch);
    const { captureId: before, context } = session.handOut();
    const namesBefore = new Set(session.actions.keys());
    const wasTrue = known.predicate?.evaluate(session.view).passed === true;
    // Nobody waits for the result any more, and some actions cannot be stopped once begun.
    options.signal.throwIfAborted();
    call.onDispatch(action);
    const outcome = await invoke(call, action.binding, deadline - performance.now());
    return { action, before, namesBefore, urlBefore: context.url, wasTrue, outcome };
  }

  /** After a failed action there is no wait: its effect will not come. */
  private async verify(
    { request, predicate, session, options: { keyId, signal } }: ActionCall,
    since: string,
    hasWorked: boolean,
  ): Promise<{ outcome: VerificationOutcome | null; problem: string }> {
    if (!predicate) {
      const problem = await session.refresh().then(
        () => '',
        (error: unknown) => messageOf(error),
      );
      return { outcome: null, problem };
    }
    const { outcome, problem } = await waitFor(predicate, session, {
      timeoutMs: hasWorked ? request.verify_timeout_ms : 0,
      intervalMs: VERIFY_INTERVAL_MS,
      signal,
      owner: ownerOf(keyId),
      since,
      cachedFirst: false,
    });
    return { outcome, problem: problem ?? '' };
  }
}

/** Verifications of a key's actions have turns of their own, separate from those of its `/verify`. */
const ownerOf = (keyId: string) => `action ${keyId}`;

/**
 * The action may be new since the last capture, and an unjudged one is judged before others. If the capture fails, the
 * action stays unknown and the gates report it.
 */
export async function lookFor({ action }: ActionRequest, session: Session): Promise<void> {
  const known = session.actions.get(action);
  if (known !== undefined && known.schema.judged !== false) return;
  if (known !== undefined) session.judgeFirst(known.binding);
  // The gates report what is still missing.
  await session.refresh().catch(() => undefined);
}

/** The gates need the result of the expression several times, so it is evaluated once. */
export async function withOutcome(call: ActionCall): Promise<ActionCall> {
  const { predicate, session, options } = call;
  if (predicate === null) return call;
  const { keyId, signal } = options;
  const known = await evaluated(predicate, session, { owner: ownerOf(keyId), signal, limitMs: EVALUATION_MS });
  return { ...call, predicate: known };
}

/** An expression that was true before proves little. */
function saidBefore(outcome: VerificationOutcome): VerificationOutcome {
  return { ...outcome, explanation: `${outcome.explanation} It was true before the action already.` };
}

async function refreshFirst(session: Session): Promise<void> {
  try {
    await session.refresh();
  } catch (error) {
    if (error instanceof SubstrateError) throw error;
    const message = 'The state could not be read before the action, so nothing was dispatched.';
    throw new SubstrateError('probe_not_ready', message);
  }
}

async function invoke(
  { request: { action, parameters }, session, options: { permissions, signal } }: ActionCall,
  binding: string,
  limitMs: number,
): Promise<ActionOutcome | 'lost'> {
  try {
    return await session.invoke(binding, parameters, signal, limitMs);
  } catch (error) {
    if (signal.aborted) return 'lost';
    if (error instanceof SubstrateError) throw error;
    if (error instanceof BadArgumentError) throw new SubstrateError('invalid_request', error.message);
    if (error instanceof BlockedError) throw blocked(action, redactText(error.message), permissions);
    if (error instanceof NotDispatchedError) {
      // The message may quote the screen.
      const why = permissions.has('read') ? error.message : 'The app does not let it be called now.';
      throw new SubstrateError('invalid_request', `${why} Read the state again.`);
    }
    if (error instanceof TargetBusyError) throw new SubstrateError('overloaded', error.message, { retryAfterMs: 1000 });
    return 'lost';
  }
}

/** A dying process closes its connections shortly before it is gone. */
async function hasEnded(session: Session, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + ENDING_MS;
  while (!session.hasEnded && performance.now() < deadline) await pause(ENDING_LOOK_MS, signal);
  return session.hasEnded;
}

/** Effects of the action outside its call. */
function aftermath(session: Session): string {
  const thrown = session.takeThrown();
  const ended = session.hasEnded ? ' The program has ended since.' : '';
  return `${thrown === null ? '' : ` Later, outside of the call, the app threw ${thrown}.`}${ended}`;
}

function describeLost(request: ActionRequest, session: Session, ended: boolean, started: number): ActionResult {
  const thrown = session.takeThrown();
  const given = secretsAmong(request.parameters);
  const what = ended
    ? 'The program ended during the action'
    : 'The connection to the program was lost during the action';
  const why = thrown === null ? '' : ` (it threw ${redactMessage(String(hide(given, thrown)), null, request.action)})`;
  return {
    fields: {
      success: false,
      action_id: uuidv7(),
      action: request.action,
      executed: true,
      runtime: session.recognition.runtime,
      total_latency_ms: Math.round(performance.now() - started),
      message: `${what}${why}. Whether the action was done is not known.`,
      verification: null,
      state_delta: null,
      raw_return: null,
      invocation_context: null,
    },
    updatedState: null,
    effect: null,
    isLost: true,
  };
}

/** Checks all names of the action: a harmless new name does not make its result harmless. */
function withoutSecrets(outcome: ActionOutcome, { action, parameters }: ActionRequest, rawName: string): ActionOutcome {
  const given = secretsAmong(parameters);
  let message = String(hide(given, outcome.message));
  let rawReturn = hide(given, outcome.rawReturn);
  const quoted = outcome.quoted === undefined ? outcome.rawReturn : hide(given, outcome.quoted);
  for (const name of [rawName, action]) {
    message = redactMessage(message, quoted, name);
    rawReturn = redactReturn(rawReturn, name);
  }
  return { ...outcome, message, rawReturn };
}

/** `changed` is null if the state was not read since. An older state would be mistaken for the outcome. */
function describe(
  request: ActionRequest,
  session: Session,
  outcome: ActionOutcome,
  verification: VerificationOutcome | null,
  changed: Omit<ActionEffect, 'changes'> | null,
  started: number,
): ActionResult {
  const changes = changed && session.changesSince(changed.since, true);
  const shown = changes?.filter(({ key }) => session.engine.isShown(key)) ?? null;
  const delta =
    shown &&
    Object.fromEntries(shown.map(({ key, before, after }) => [key, { before: before ?? null, after: after ?? null }]));
  return {
    fields: {
      success: outcome.ok && (verification?.passed ?? true),
      action_id: uuidv7(),
      action: request.action,
      executed: outcome.wasRefused !== true,
      runtime: session.recognition.runtime,
      total_latency_ms: Math.round(performance.now() - started),
      message: outcome.message,
      verification,
      state_delta: delta,
      raw_return: outcome.rawReturn,
      invocation_context: outcome.invocationContext,
    },
    updatedState: changed && session.stateBytes(false),
    effect: changed && changes && { ...changed, changes },
  };
}
