/**
 * The time limit of a request. At the limit the client gets its answer at once, and the work is aborted by a signal.
 */
import type { SubstrateError } from '../model/errors.ts';

/** The client has gone; there is nobody to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
}

export class Deadline {
  /** Created on first use: answers from memory never need it. */
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
    // There may be no waiting caller when it ends.
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

  /** The result of the work, unless the time is up or the client leaves first. */
  within<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.ended]);
  }

  end(reason: Error): void {
    clearTimeout(this.timer);
    // Rejects before it aborts: work that ends because of the abort must not answer first.
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
