/** The public view of a tracked app: its summary, and whether and why it is attached to. */
import type { AppOrigin } from '../model/app-origin.ts';
import { type AttachVerdict, verdictOf } from '../model/attach-verdict.ts';
import { HEALTHY } from '../model/health.ts';
import type { ProcessOrigin } from '../model/process.ts';
import type { AppSummary, Attachment } from '../model/wire.ts';
import type { AppTrace } from './app-trace.ts';
import type { Verdict } from './attach-policy.ts';
import type { ProbeLoop } from './probe-loop.ts';
import type { Session } from './session.ts';

export interface TrackedApp {
  readonly session: Session;
  readonly loop: ProbeLoop;
  readonly trace: AppTrace;
  /** Pause before its first attach, counted from its start. */
  settleMs: number;
  readonly foundAt: number;
  /** Whether it is attached to without being asked, and why. */
  verdict: Verdict;
  /** When to judge it again; null for never. */
  judgeAt: number | null;
  isStarted: boolean;
  /** A request named it, and waits for its state. */
  isAsked: boolean;
  /** Set when the process ended. It stays listed for a while, so that clients see why it is gone. */
  endedAt: number | null;
}

export function attachVerdict({ loop, verdict }: TrackedApp): AttachVerdict {
  return verdictOf({
    isAttached: loop.status === 'active',
    diagnosis: null,
    problem: loop.lastProblem,
    givenUp: loop.hasGivenUp,
    policy: verdict,
  });
}

export function attachmentOf(app: TrackedApp): Attachment {
  const { session, loop, verdict } = app;
  const { byItself, sentences } = attachVerdict(app);
  const { parts, discarded } = session.health ?? HEALTHY;
  const { recognition } = session;
  return {
    pid: session.process.pid,
    app_id: session.appId,
    origin: recognition.origin ? shown(recognition.origin) : null,
    probe_status: loop.status,
    by_itself: byItself,
    reason: verdict.why,
    problem: loop.lastProblem,
    given_up: loop.hasGivenUp,
    verdict: sentences.join(' '),
    cost: costOf(app),
    parts: [...parts],
    discarded: { ...discarded },
  };
}

function shown({ engine, id, name, pod }: ProcessOrigin): AppOrigin {
  return { engine, id, name, pod };
}

function costOf({ session: { head, cost }, loop }: TrackedApp): Attachment['cost'] {
  if (head === null) return null;
  return {
    search_ms: Math.round(cost.searchMs),
    poll_ms: Math.round(loop.meanCostMs * 10) / 10,
    poll_interval_ms: Math.round(loop.intervalMs),
    stopped_by: cost.stoppedBy,
  };
}

export function summarise({ session, loop, endedAt }: TrackedApp): AppSummary {
  const { head, recognition, process } = session;
  return {
    pid: process.pid,
    app_id: session.appId,
    app_name: recognition.appName,
    ...(session.aliases.length > 0 ? { aliases: [...session.aliases] } : {}),
    ...(recognition.origin ? { origin: shown(recognition.origin) } : {}),
    runtime: recognition.runtime,
    runtime_name: recognition.runtimeName,
    probe_status: endedAt === null ? loop.status : 'detached',
    confidence: head?.confidence ?? 0,
    confidence_reason: head?.confidenceReason ?? null,
    object_count: session.engine.salience.shownKeys(),
    action_count: head ? session.actions.size : 0,
    last_captured_at: session.lastCapturedAt,
    has_state: head !== null,
    current_view: head?.context.view ?? null,
    current_url: head?.context.url ?? null,
  };
}
