/** Hears of what the app throws outside of a call that we made, for a while after it. */

/** What an action sets going is mostly over by then. */
const LISTEN_MS = 2000;
/** Node tells it of errors that nobody catches, and does with them whatever it would have done. */
const MONITOR = 'uncaughtExceptionMonitor';

export interface LaterThrowsParts {
  readonly setTimeout: typeof import('node:timers')['setTimeout'];
  readonly clearTimeout: typeof import('node:timers')['clearTimeout'];
  tell(error: unknown): void;
}

export class LaterThrows {
  private readonly parts: LaterThrowsParts;
  private timer: NodeJS.Timeout | null = null;
  private readonly listener = (error: unknown) => this.parts.tell(error);

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
