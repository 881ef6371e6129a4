/** A trigger is the file by which a runtime knows that its next signal asks for an attach. */
import type { Stats } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const YOUNG_MS = 2000;
const POLL_MS = 2;

/**
 * A trigger that is there may be of a daemon that was killed when it had sent its signal: while it is young that may be on
 * its way, and a second one would write to the app's output. Resolves when it has come, or nothing is to be waited for.
 */
export async function awaitOthersSignal(lookAtTrigger: () => Stats | null, hasCome: () => boolean): Promise<void> {
  const isYoung = () => Math.abs(Date.now() - (lookAtTrigger()?.mtimeMs ?? 0)) < YOUNG_MS;
  while (!hasCome() && isYoung()) await delay(POLL_MS);
}
