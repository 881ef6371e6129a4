/** Actions that wait for a person: requested by a key with `confirm`, decided by another key. No answer means no. */
import { randomBytes } from 'node:crypto';
import { SubstrateError } from '../model/errors.ts';
import type { AppIdentity, Permissions } from '../model/permissions.ts';
import type { Approval } from '../model/wire.ts';
import type { Action } from '../semantic/actions.ts';
import { hide, redactReturn, secretsAmong } from '../semantic/redact-return.ts';
import type { ActionCall } from './action-call.ts';

/** Leaves some of the request's time for the action itself. */
const WAIT_MS = 100_000;
const MAX_WAITING = 32;
/** A limit per key, so that one key cannot take all the places. */
const MAX_WAITING_OF_KEY = 8;
const MAX_CHANGES = 20;

/** The parts of the question that change while it waits. */
type Current = Pick<Approval, 'changes' | 'change_count' | 'already_true'>;
type Question = Omit<Approval, 'id' | 'asked_at' | 'expires_at' | keyof Current>;

export interface Asking {
  readonly question: Question;
  readonly app: AppIdentity;
  /** Called each time the question is shown. */
  readonly current: () => Current;
  /** Throws if the requesting key is no longer valid. */
  readonly checkKey: () => void;
}

interface Waiting extends Asking {
  readonly approval: Omit<Approval, keyof Current>;
  readonly decide: (decision: Decision) => void;
}
type Decision = { readonly isYes: boolean; readonly keyId: string } | { readonly problem: unknown } | null;

export class Approvals {
  private readonly waiting = new Map<string, Waiting>();
  private readonly waitMs: number;

  constructor(waitMs = WAIT_MS) {
    this.waitMs = waitMs;
  }

  /** Returns the key of the person who agreed. Throws `not_confirmed` if nobody does. */
  async ask(asking: Asking, signal: AbortSignal): Promise<string> {
    const { question } = asking;
    this.requireRoom(question.key_id);
    const id = `ask_${randomBytes(4).toString('hex')}`;
    const now = Date.now();
    const approval = {
      ...question,
      id,
      asked_at: new Date(now).toISOString(),
      expires_at: new Date(now + this.waitMs).toISOString(),
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      const decision = await new Promise<Decision>((decide) => {
        this.waiting.set(id, { ...asking, approval, decide });
        timer = setTimeout(decide, this.waitMs, null);
        signal.addEventListener('abort', () => decide(null), { once: true });
      });
      if (decision !== null && 'problem' in decision) throw decision.problem;
      if (decision?.isYes) return decision.keyId;
      const why = decision === null ? 'Nobody answered in time' : 'A person said no';
      throw new SubstrateError('not_confirmed', `${why}: ${question.action} was not run.`);
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  /** The waiting actions of permitted apps, the oldest first. Values of a state need the scope read. */
  list(permissions: Permissions): Approval[] {
    this.dropDead();
    const meant = [...this.waiting.values()].filter(({ app }) => permissions.includesApp(app));
    return meant.map((waiting) => shownTo(permissions, waiting));
  }

  /** Throws `not_found` if nothing with this id waits, and `forbidden_scope` if a key would decide its own request. */
  decide(id: string, isYes: boolean, keyId: string, permissions: Permissions): Approval {
    this.dropDead();
    const waiting = this.waiting.get(id);
    if (waiting === undefined || !permissions.includesApp(waiting.app)) throw notWaiting(id);
    if (waiting.question.key_id === keyId)
      throw new SubstrateError('forbidden_scope', 'This key asked for the action: another one has to decide.');
    const approval = shownTo(permissions, waiting);
    waiting.decide({ isYes, keyId });
    return approval;
  }

  /** Removes questions of keys that were disabled or deleted. */
  dropDead(): void {
    for (const [id, { checkKey, decide }] of this.waiting) {
      try {
        checkKey();
      } catch (problem) {
        this.waiting.delete(id);
        decide({ problem });
      }
    }
  }

  private requireRoom(keyId: string): void {
    this.dropDead();
    const own = [...this.waiting.values()].filter(({ question }) => question.key_id === keyId).length;
    if (own < MAX_WAITING_OF_KEY && this.waiting.size < MAX_WAITING) return;
    const whose = own < MAX_WAITING_OF_KEY ? `${MAX_WAITING} actions` : `${own} actions of this key`;
    throw new SubstrateError('overloaded', `${whose} wait for a person already.`, { retryAfterMs: 5000 });
  }
}

function shownTo(permissions: Permissions, { approval, current }: Waiting): Approval {
  const now = current();
  return permissions.has('read') ? { ...approval, ...now } : { ...approval, ...now, changes: [], already_true: null };
}

export function notWaiting(id: string): SubstrateError {
  return new SubstrateError('not_found', `No action ${JSON.stringify(id)} waits: it was decided, or took too long.`);
}

export function questionOf(
  { request: { action, parameters, verify_expression }, session, options }: ActionCall,
  { binding, schema: { description, reversibility, signature } }: Action,
  earlier_runs: Approval['earlier_runs'],
): Question {
  const secrets = secretsAmong(parameters);
  const shown = Object.entries(parameters).map(([name, value]) => [name, hide(secrets, redactReturn(value, name))]);
  return {
    key_id: options.keyId,
    key_label: options.keyLabel,
    pid: session.process.pid,
    app_id: session.appId,
    app_name: session.recognition.appName,
    action,
    description,
    binding,
    signature,
    reversibility,
    parameters: Object.fromEntries(shown),
    verify_expression: verify_expression ?? null,
    earlier_runs,
  };
}

/** The changes since that capture, and whether the expression is already true. */
export function currentOf({ session, predicate }: ActionCall, captureId: string): Current {
  const changes = session.changesSince(captureId) ?? [];
  const listed = changes.slice(0, MAX_CHANGES);
  return {
    changes: listed.map(({ key, before, after }) => ({ path: key, before: before ?? null, after: after ?? null })),
    change_count: changes.length,
    already_true: predicate === null ? null : predicate.evaluate(session.view).passed,
  };
}
