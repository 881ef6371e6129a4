/** Reports exceptions that the app throws outside of a call of ours, for a while after it. */

/** Most effects of an action have ended by then. */
const LISTEN_MS = 2000;
/** Node reports uncaught errors to this event, and handles them as usual. */
const MONITOR = 'uncaughtExceptionMonitor';

export interface LaterThrowsParts {
  readonly setTimeout: typeof import('node:timers')['setTimeout'];
  readonly clearTimeout: typeof import('node:timers')['clearTimeout'];
  report(error: unknown): void;
}

export class LaterThrows {
  private readonly parts: LaterThrowsParts;
  private timer: NodeJS.Timeout | null = null;
  private readonly listener = (error: unknown) => this.parts.report(error);

  constructor(parts: LaterThrowsParts) {
    this.parts = parts;
  }

  /** From now on, and for a while after the last call of this. */
  listen(): void {
    if (this.timer) this.parts.clearTimeout(this.timer);
    else process.on(MONITOR, this.listener);
    this.timer = this.parts.setTimeout(() => this.stop(), LISTEN_MS);
    this.timer.unref();
  }

  stop(): void {
    if (!this.timer) return;
    this.parts.clearTimeout(this.timer);
    this.timer = null;
    process.off(MONITOR, this.listener);
  }
}
