/** A daemon that was started for clients alone, by `substrate mcp`, ends when none of them is left. */
import { setTimeout as delay } from 'node:timers/promises';
import { forgetRecord, liveRecord } from './background/daemon-record.ts';
import { withStartLock } from './background/start-lock.ts';

const SHORTEST_LOOK_MS = 100;

export interface IdleExit {
  readonly limitMs: number;
  /** How long no client with a key has asked. */
  readonly idleMs: () => number;
  readonly storageDir: string;
  /** From then on nobody can come in. */
  readonly stopListening: () => Promise<void>;
}

/** Resolves when the daemon listens no more. Never, once `substrate up` has kept the daemon. */
export async function untilIdle({ limitMs, idleMs, storageDir, stopListening }: IdleExit): Promise<void> {
  for (;;) {
    const left = limitMs - idleMs();
    if (left > 0) {
      await delay(Math.max(left, SHORTEST_LOOK_MS), undefined, { ref: false });
      continue;
    }
    // Whoever starts or keeps a daemon holds the same lock: nobody finds one that is about to end.
    const outcome = await withStartLock(storageDir, () => end()).catch(() => 'locked' as const);
    if (outcome === 'ended') return;
    if (outcome === 'kept') await new Promise<never>(() => {});
    // A folder that cannot be written to is no reason to end at once, nor to try without a pause.
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

/** A daemon without a record, whose starter was killed, is kept by nobody. */
export function isKept(storageDir: string): boolean {
  const record = liveRecord(storageDir);
  return record?.pid === process.pid && !record.idle_exit;
}
