/**
 * Decides when a program may be signalled. Node aborts if SIGUSR1 comes while it shuts down, and a program that waits
 * in its event loop does not shut down. So it is watched from outside until it waits, and is not about to wake up.
 */
import type { MainThreadWait, ProcessInfo, ProcessInspector } from '../../../../model/process.ts';

/**
 * Some programs never rest: after this time short waits are enough. Long enough to have seen every shorter wait begin.
 */
const STRICT_MS = 1000;
/** The number of waits of a program of this age shows what watching it would show. */
const OLD_MS = 10 * STRICT_MS;
/** The time that the signal needs to take effect, on a busy machine. */
const CALM_MS = 50;
/** The minimal time between two observations of the same wait. */
const SEEN_MS = 5;
/** The pause between observations while others have their turn. */
const LOOK_MS = 50;

/** One wait, as observed. */
export interface WatchedWait {
  readonly forMs: MainThreadWait['forMs'];
  /** Time since it was first observed. */
  readonly seenMs: number;
  /** The maximal age of the wait; null if unknown. */
  readonly ageMs: number | null;
  /** The age of the process; null if unknown. */
  readonly processAgeMs: number | null;
  /** Time since the program has been watched. */
  readonly watchedMs: number;
  /** How often its main thread has waited since it began. */
  readonly waits: number;
}

export function isSafe({ forMs, seenMs, ageMs, processAgeMs, watchedMs, waits }: WatchedWait): boolean {
  const neverRests = processAgeMs !== null && processAgeMs >= OLD_MS && waits * CALM_MS >= processAgeMs;
  const isStrict = watchedMs < STRICT_MS && !neverRests;
  // The end of the wait is unknown, so its past has to be enough.
  if (forMs === 'unknown') return seenMs >= (isStrict ? CALM_MS : 0);
  if (isStrict && seenMs < SEEN_MS) return false;
  if (forMs === null) return true;
  const oldestMs = Math.min(ageMs ?? Number.POSITIVE_INFINITY, processAgeMs ?? Number.POSITIVE_INFINITY);
  if (forMs - oldestMs >= CALM_MS) return true;
  // A program that has woken up so often is not more likely to end now than at any other time.
  if (!isStrict && (forMs <= CALM_MS || forMs - oldestMs >= forMs / 2)) return true;
  // Its beginning was not observed. The wait of a server can be met at any time, but that of a script that waits once
  // nears its end.
  const sinceStart = processAgeMs === null ? Number.POSITIVE_INFINITY : processAgeMs;
  return ageMs === null && forMs >= STRICT_MS && sinceStart >= forMs + STRICT_MS;
}

/** True if it waits now, or if that is unknown. */
export function waitsIn(seen: MainThreadWait | 'busy' | null, calls: readonly MainThreadWait['call'][]): boolean {
  return seen === null || (seen !== 'busy' && calls.includes(seen.call));
}

/** Observes the main thread of one program during one attach. */
export class MomentWatch {
  private readonly process: ProcessInfo;
  private readonly inspect: ProcessInspector;
  private readonly calls: readonly MainThreadWait['call'][];
  private startedAt: number | null = null;
  private lookedAt: number | null = null;
  private wait: { readonly switches: bigint; readonly firstSeenAt: number; readonly notBefore: number | null } | null =
    null;

  /** `calls`: those in which the event loop of such a program waits. */
  constructor(process: ProcessInfo, inspect: ProcessInspector, calls: readonly MainThreadWait['call'][]) {
    this.process = process;
    this.inspect = inspect;
    this.calls = calls;
  }

  /** Keeps observing until the returned function is called, so that the beginning of a wait is known. */
  keepLooking(): () => void {
    const timer = setInterval(() => void this.look(), LOOK_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /**
   * The number of the wait in which it may be signalled; null if not now. `unknown`: nothing is visible from outside.
   */
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
    // A container that counts its own time reports zero.
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
