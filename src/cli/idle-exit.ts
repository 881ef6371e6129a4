/** Ends a daemon that `substrate mcp` started for its clients when none of them is left. */
import { setTimeout as delay } from 'node:timers/promises';
import { forgetRecord, liveRecord } from './background/daemon-record.ts';
import { withStartLock } from './background/start-lock.ts';

const MIN_INTERVAL_MS = 100;

export interface IdleExit {
  readonly limitMs: number;
  /** The time since the last request of a client with a key. */
  readonly idleMs: () => number;
  readonly storageDir: string;
  /** From then on no client can connect. */
  readonly stopListening: () => Promise<void>;
}

/** Resolves when the daemon has stopped listening; never if `substrate up` has taken the daemon over. */
export async function untilIdle({ limitMs, idleMs, storageDir, stopListening }: IdleExit): Promise<void> {
  for (;;) {
    const left = limitMs - idleMs();
    if (left > 0) {
      await delay(Math.max(left, MIN_INTERVAL_MS), undefined, { ref: false });
      continue;
    }
    // Starting and keeping a daemon take the same lock, so nobody finds one that is about to end.
    const outcome = await withStartLock(storageDir, () => end()).catch(() => 'locked' as const);
    if (outcome === 'ended') return;
    if (outcome === 'kept') await new Promise<never>(() => {});
    // A folder that is not writable is no reason to end at once, nor to retry without a pause.
    if (outcome === 'locked') await delay(limitMs, undefined, { ref: false });
  }

  async function end(): Promise<'kept' | 'used' | 'ended'> {
    if (isKept(storageDir)) return 'kept';
    if (idleMs() < limitMs) return 'used';
    await stopListening();
    if (liveRecord(storageDir)?.pid === process.pid) forgetRecord(storageDir);
    return 'ended';
  }
}

/** Whether `substrate up` has taken the daemon over. Without a record, as when the starter was killed, it has not. */
export function isKept(storageDir: string): boolean {
  const record = liveRecord(storageDir);
  return record?.pid === process.pid && !record.idle_exit;
}
