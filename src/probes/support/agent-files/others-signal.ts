/** A trigger is the file that makes a runtime treat its next signal as an attach. */
import type { Stats } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const YOUNG_MS = 2000;
const POLL_MS = 2;

/**
 * An existing trigger may belong to a daemon that was killed after it had sent its signal: while the file is young the
 * signal may be pending, and a second one would write to the app's output. Resolves when the signal has arrived, or
 * there is nothing to wait for.
 */
export async function awaitOthersSignal(statTrigger: () => Stats | null, hasCome: () => boolean): Promise<void> {
  const isYoung = () => Math.abs(Date.now() - (statTrigger()?.mtimeMs ?? 0)) < YOUNG_MS;
  while (!hasCome() && isYoung()) await delay(POLL_MS);
}
