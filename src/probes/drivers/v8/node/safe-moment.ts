/**
 * When a program may be signalled. Node aborts when SIGUSR1 comes while it shuts down, and a program that waits in its event
 * loop does not shut down. So it is watched from outside until it is seen to wait, and not about to wake up.
 */
import type { MainThreadWait, ProcessInfo, ProcessInspector } from '../../../../model/process.ts';

/** Some programs never rest: after this time short waits will do. Long enough to have seen every shorter wait begin. */
const PATIENCE_MS = 1000;
/** As old as this, a program has shown by how often it woke up what watching it would show. */
const OLD_MS = 10 * PATIENCE_MS;
/** What the signal needs to be acted upon, on a machine that is busy with others. */
const CALM_MS = 50;
/** Seen twice in the same wait, so far apart. */
const SEEN_MS = 5;
/** Between looks while others have their turn. */
const LOOK_MS = 50;

/** One wait, as far as it was watched. */
export interface WatchedWait {
  readonly forMs: MainThreadWait['forMs'];
  /** Since it was first seen. */
  readonly seenMs: number;
  /** It cannot have begun longer ago; null: that is not known. */
  readonly ageMs: number | null;
  /** How old the process is; null: that is not known. */
  readonly processAgeMs: number | null;
  /** Since the program is watched. */
  readonly watchedMs: number;
  /** How often its main thread has waited since it began. */
  readonly waits: number;
}

export function isSafe({ forMs, seenMs, ageMs, processAgeMs, watchedMs, waits }: WatchedWait): boolean {
  const neverRests = processAgeMs !== null && processAgeMs >= OLD_MS && waits * CALM_MS >= processAgeMs;
  const isPatient = watchedMs < PATIENCE_MS && !neverRests;
  // What lies before us cannot be known: what lies behind has to do.
  if (forMs === 'unknown') return seenMs >= (isPatient ? CALM_MS : 0);
  if (isPatient && seenMs < SEEN_MS) return false;
  if (forMs === null) return true;
  const oldestMs = Math.min(ageMs ?? Number.POSITIVE_INFINITY, processAgeMs ?? Number.POSITIVE_INFINITY);
  if (forMs - oldestMs >= CALM_MS) return true;
  // A program that has woken up so often is not more likely to end at this time than at any other.
  if (!isPatient && (forMs <= CALM_MS || forMs - oldestMs >= forMs / 2)) return true;
  // Nobody saw it begin. The wait of a server is met at any time, but that of a script that waits once nears its end.
  const sinceStart = processAgeMs === null ? Number.POSITIVE_INFINITY : processAgeMs;
  return ageMs === null && forMs >= PATIENCE_MS && sinceStart >= forMs + PATIENCE_MS;
}

/** Whether it waits now, or nobody can tell. */
export function waitsIn(seen: MainThreadWait | 'busy' | null, calls: readonly MainThreadWait['call'][]): boolean {
  return seen === null || (seen !== 'busy' && calls.includes(seen.call));
}

/** Looks of one attach at the main thread of one program. */
export class MomentWatch {
  private readonly process: ProcessInfo;
  private readonly inspect: ProcessInspector;
  private readonly calls: readonly MainThreadWait['call'][];
  private startedAt: number | null = null;
  private lookedAt: number | null = null;
  private wait: { readonly switches: bigint; readonly firstSeenAt: number; readonly notBefore: number | null } | null =
    null;

  /** `calls`: in which the event loop of such a program waits. */
  constructor(process: ProcessInfo, inspect: ProcessInspector, calls: readonly MainThreadWait['call'][]) {
    this.process = process;
    this.inspect = inspect;
    this.calls = calls;
  }

  /** Until somebody calls what it returns: it is good to know when a wait began. */
  keepLooking(): () => void {
    const timer = setInterval(() => void this.look(), LOOK_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** The number of the wait in which it may be signalled; null: not now. `unknown`: nothing can be seen from outside. */
  look(): bigint | 'unknown' | null {
    const now = performance.now();
    const seen = this.inspect.mainThreadWait(this.process);
    if (seen === null) return 'unknown';
    const before = this.lookedAt;
    this.startedAt ??= now;
    this.lookedAt = now;
    if (seen === 'busy' || !waitsIn(seen, this.calls)) {
      this.wait = null;
      return null;
    }
    if (this.wait?.switches !== seen.switches) {
      this.wait = { switches: seen.switches, firstSeenAt: now, notBefore: before };
    }
    const { firstSeenAt, notBefore } = this.wait;
    // Zero is what a container says that counts its own time.
    const processAgeMs = typeof seen.forMs === 'number' ? this.inspect.activity(this.process)?.ageMs || null : null;
    const watched: WatchedWait = {
      forMs: seen.forMs,
      seenMs: now - firstSeenAt,
      ageMs: notBefore === null ? null : now - notBefore,
      processAgeMs,
      watchedMs: now - this.startedAt,
      waits: Number(seen.switches),
    };
    return isSafe(watched) ? seen.switches : null;
  }
}
