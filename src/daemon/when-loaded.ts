import { pause } from './pause.ts';
import type { Session } from './session.ts';

/** The limit of the wait for the result of an action. */
const LOADING_MS = 5000;
const LOADING_LOOK_MS = 250;

/** After a change of page the answer has the content of the loaded page, not its beginning. */
export async function whenLoaded(session: Session, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LOADING_MS;
  while (session.head?.isLoading === true && performance.now() < deadline) {
    await pause(LOADING_LOOK_MS, signal);
    // It may not answer while it loads; the last capture counts.
    await session.refresh().catch(() => undefined);
  }
}

/** A view of an app requests its data after it is shown: waits until nothing changes any more, or for a short while. */
const MOVING_MS = 1500;

export async function whenStill(session: Session, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MOVING_MS;
  while (performance.now() < deadline) {
    await pause(LOADING_LOOK_MS, signal);
    const before = session.sameSince;
    // The last capture counts, as above.
    await session.refresh().catch(() => undefined);
    if (session.sameSince === before) return;
  }
}
