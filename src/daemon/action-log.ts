/** What the log of actions tells of each one, whether it ran or was refused. */
import type { AuditEntry } from '../model/audit-entry.ts';
import { SubstrateError } from '../model/errors.ts';
import type { ActionRequest } from '../model/wire.ts';
import type { ActionResult, CallOptions } from './service.ts';

const MAX_NAMES = 50;
const MAX_NAME = 100;

export interface ActionLog {
  note(entry: AuditEntry): void;
  /** Keeps an action that begins now, in case the daemon does not live to note its end. Gives how to forget it. */
  begin(entry: AuditEntry): () => void;
}

/** What is known of an action while it is on its way. */
export interface ActionTrace {
  pid: number | null;
  appId: string | null;
  /** The key of the person who agreed. */
  confirmedBy: string | null;
  /** From here on the app may have been changed. */
  begin(): void;
}

/** Notes how the work ends. `trace` is filled by the work. */
export async function logged<Result>(
  log: ActionLog,
  request: Pick<ActionRequest, 'action' | 'parameters' | 'pid' | 'app_id'>,
  { keyId }: Pick<CallOptions, 'keyId'>,
  work: (trace: ActionTrace) => Promise<Result>,
  outcomeOf: (result: Result) => [AuditEntry['outcome'], string | null],
): Promise<Result> {
  const entry = (outcome: AuditEntry['outcome'], code: string | null): AuditEntry => ({
    time: new Date().toISOString(),
    key_id: keyId,
    pid: trace.pid,
    app_id: trace.appId,
    action: request.action,
    parameters: Object.keys(request.parameters)
      .slice(0, MAX_NAMES)
      .map((name) => name.slice(0, MAX_NAME)),
    outcome,
    code,
    confirmed_by: trace.confirmedBy,
  });
  let forget = () => {};
  const trace: ActionTrace = {
    pid: request.pid ?? null,
    appId: request.app_id ?? null,
    confirmedBy: null,
    begin: () => {
      forget = log.begin(entry('unknown', null));
    },
  };
  try {
    const result = await work(trace);
    log.note(entry(...outcomeOf(result)));
    return result;
  } catch (error) {
    const isRefused = error instanceof SubstrateError && error.extra.executed === false;
    log.note(entry(isRefused ? 'refused' : 'unknown', error instanceof SubstrateError ? error.code : null));
    throw error;
  } finally {
    forget();
  }
}

/** For `logged`. */
export function outcomeOfAction({
  fields: { success, verification },
  isLost,
}: ActionResult): [AuditEntry['outcome'], string | null] {
  if (success) return ['ran', null];
  if (isLost) return ['unknown', null];
  return verification?.passed === false ? ['unverified', 'verification_failed'] : ['failed', null];
}
