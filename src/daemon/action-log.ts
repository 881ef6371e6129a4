/** Writes the log of actions: each action, run or refused, and each event that changes the meaning of names. */
import type { AuditEntry, AuditEvent } from '../model/audit-entry.ts';
import { RefusedError, SubstrateError } from '../model/errors.ts';
import type { ActionRequest, LearnRequest } from '../model/wire.ts';
import type { Action } from '../semantic/actions.ts';
import type { ActionResult, CallOptions } from './service.ts';

/** A line stays short whatever a request holds, so that no caller can fill the log. */
const MAX_PARAMETERS = 20;
const MAX_NAME = 60;
const MAX_ACTION = 200;
const MAX_NAMED_CORRECTIONS = 3;

export interface ActionLog {
  note(entry: AuditEntry): void;
  /**
   * Records an action that begins now, in case the daemon dies before its end. Returns a function that removes the
   * record.
   */
  begin(entry: AuditEntry): () => void;
}

/** The facts about an action in progress. */
export interface ActionTrace {
  pid: number | null;
  appId: string | null;
  /** The key of the person who agreed. */
  confirmedBy: string | null;
  /** From here on something may have changed: by this action of an app, or by the daemon itself (null). */
  begin(action: Action | null): void;
}

/** Logs the outcome of the work, which fills in `trace`. */
export async function logged<Result>(
  log: ActionLog,
  request: Pick<ActionRequest, 'action' | 'parameters' | 'pid' | 'app_id'>,
  { keyId }: Pick<CallOptions, 'keyId'>,
  work: (trace: ActionTrace) => Promise<Result>,
  outcomeOf: (result: Result) => [AuditEntry['outcome'], string | null],
): Promise<Result> {
  let dispatched: Action | null = null;
  const entry = (outcome: AuditEntry['outcome'], code: string | null): AuditEntry => ({
    ...eventEntry('action', keyId, { pid: trace.pid, appId: trace.appId }, request.action),
    binding: dispatched === null ? null : shorten(dispatched.binding, MAX_ACTION),
    reversibility: dispatched?.schema.reversibility ?? null,
    parameters: Object.keys(request.parameters)
      .slice(0, MAX_PARAMETERS)
      .map((name) => shorten(name, MAX_NAME)),
    outcome,
    code,
    confirmed_by: trace.confirmedBy,
  });
  let forget = () => {};
  const trace: ActionTrace = {
    pid: request.pid ?? null,
    appId: request.app_id ?? null,
    confirmedBy: null,
    begin: (action) => {
      dispatched = action;
      forget = log.begin(entry('unknown', null));
    },
  };
  try {
    const result = await work(trace);
    log.note(entry(...outcomeOf(result)));
    return result;
  } catch (error) {
    log.note(
      entry(error instanceof RefusedError ? 'refused' : 'unknown', error instanceof SubstrateError ? error.code : null),
    );
    throw error;
  } finally {
    forget();
  }
}

/** An event other than an action. `about` describes its object in a few words. */
export function eventEntry(
  event: AuditEvent,
  keyId: string,
  app: { readonly pid: number | null; readonly appId: string | null },
  about: string,
): AuditEntry {
  return {
    time: new Date().toISOString(),
    event,
    key_id: keyId,
    pid: app.pid,
    app_id: app.appId === null ? null : shorten(app.appId, MAX_ACTION),
    action: shorten(about, MAX_ACTION),
    binding: null,
    reversibility: null,
    parameters: [],
    outcome: 'ran',
    code: null,
    confirmed_by: null,
    count: 1,
  };
}

/** The names that change their meaning; the first ones. */
export function aboutCorrections({ feedback_type, corrections }: LearnRequest, accepted: number): string {
  const changes = corrections.slice(0, MAX_NAMED_CORRECTIONS).map(({ observed_key, correct_label, binding }) => {
    const bound = binding === undefined ? '' : ` bound to ${binding}`;
    return `${observed_key} is ${correct_label}${bound}`;
  });
  return `${accepted} of ${corrections.length} ${feedback_type}: ${changes.join('; ')}`;
}

function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The outcome for `logged`. */
export function outcomeOfAction({
  fields: { success, verification },
  isLost,
}: ActionResult): [AuditEntry['outcome'], string | null] {
  if (success) return ['ran', null];
  if (isLost) return ['unknown', null];
  return verification?.passed === false ? ['unverified', 'verification_failed'] : ['failed', null];
}
