import { pause } from './pause.ts';
import type { Session } from './session.ts';

/** What an action leads to is waited for so long. */
const LOADING_MS = 5000;
const LOADING_LOOK_MS = 250;

/** What led to another page is told with what that page shows, not with the first of it. */
export async function whenLoaded(session: Session, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LOADING_MS;
  while (session.head?.isLoading === true && performance.now() < deadline) {
    await pause(LOADING_LOOK_MS, signal);
    // It may not answer while it comes; the last look counts.
    await session.refresh().catch(() => undefined);
  }
}

/** What shows another part of an app asks for its data after that: a short while, or until nothing changes any more. */
const MOVING_MS = 1500;

export async function whenStill(session: Session, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MOVING_MS;
  while (performance.now() < deadline) {
    await pause(LOADING_LOOK_MS, signal);
    const before = session.sameSince;
    // The last look counts, as above.
    await session.refresh().catch(() => undefined);
    if (session.sameSince === before) return;
  }
}
