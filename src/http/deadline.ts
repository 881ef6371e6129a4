/** The time that a request has. Ends it for the client at once, and tells the work by a signal. */
import type { SubstrateError } from '../model/errors.ts';

/** The client has gone; there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export class Deadline {
  /** Made for the first who looks: what is answered from memory never asks. */
  private controller: AbortController | null = null;
  private reason: Error | null = null;
  private readonly late: () => SubstrateError;
  private readonly ended: Promise<never>;
  private reject: (reason: Error) => void = () => {};
  private timer: NodeJS.Timeout;

  constructor(limitMs: number, late: () => SubstrateError) {
    this.late = late;
    this.ended = new Promise((_, reject) => {
      this.reject = reject;
    });
    // Nobody may be waiting when it ends.
    this.ended.catch(() => {});
    this.timer = this.start(limitMs);
  }

  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.reason !== null) this.controller.abort(this.reason);
    }
    return this.controller.signal;
  }

  /** Counts from now. */
  restart(limitMs: number): void {
    clearTimeout(this.timer);
    if (this.reason === null) this.timer = this.start(limitMs);
  }

  /** The outcome of the work, unless the time or the client goes first. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.ended]);
  }

  end(reason: Error): void {
    clearTimeout(this.timer);
    // First the answer, then the abort: work that ends because of the abort must not answer in its place.
    this.reject(reason);
    this.reason ??= reason;
    this.controller?.abort(reason);
  }

  /** The work is done. */
  clear(): void {
    clearTimeout(this.timer);
  }

  private start(limitMs: number): NodeJS.Timeout {
    return setTimeout(() => this.end(this.late()), limitMs);
  }
}
