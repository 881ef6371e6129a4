/**
 * Deno's inspector sends a longer answer in two parts, and the second only once the first is acknowledged. The kernel
 * delays that by up to 40 ms, in case there is data to send with it: so a call without effect is sent, soon after a
 * call, and then ever less often.
 */
import type { CdpListener, CdpResult, CdpSession } from '../cdp/cdp-session.ts';

const FIRST_NUDGE_MS = 1;
const LAST_NUDGE_MS = 64;
/** Has no effect. */
const NUDGE = ['Runtime.releaseObjectGroup', { objectGroup: 'substrate-none' }] as const;

export class PromptSession implements CdpSession {
  readonly closed: Promise<void>;
  private readonly session: CdpSession;

  constructor(session: CdpSession) {
    this.session = session;
    this.closed = session.closed;
  }

  async send(method: string, params?: object, timeoutMs?: number): Promise<CdpResult> {
    let timer: NodeJS.Timeout | undefined;
    const nudgeAfter = (delayMs: number) => {
      if (delayMs > LAST_NUDGE_MS) return;
      timer = setTimeout(() => {
        // The trace has the failed call. A nudge only wakes the inspector up.
        this.session.send(...NUDGE).catch(() => undefined);
        nudgeAfter(delayMs * 2);
      }, delayMs);
    };
    nudgeAfter(FIRST_NUDGE_MS);
    try {
      return await this.session.send(method, params, timeoutMs);
    } finally {
      clearTimeout(timer);
    }
  }

  on(event: string, listener: CdpListener): () => void {
    return this.session.on(event, listener);
  }

  child(sessionId: string): CdpSession {
    return this.session.child(sessionId);
  }
}
