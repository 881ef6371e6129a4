/** Reports that something changed, while somebody waits for it. */
import type { Found } from './found.ts';
import { attempt } from './safe.ts';

/** The daemon may be gone at any time: without a poll for this long the subscriptions end. */
const LEASE_MS = 15_000;

export class Changes {
  private readonly founds: () => Found[];
  private readonly now: () => number;
  private readonly stops = new Map<object, () => void>();
  /** Shared by all who wait: each waits anew at every turn, and the last one may never be answered. */
  private pending: { readonly promise: Promise<void>; resolve(): void } | null = null;
  private dirty = false;
  private lastTouch = 0;
  private listening = false;

  constructor(founds: () => Found[], now: () => number) {
    this.founds = founds;
    this.now = now;
  }

  /** The daemon is still there. */
  touch(): void {
    this.lastTouch = this.now();
    this.dirty = false;
    if (this.listening) this.listen();
  }

  /** Resolves soon after the next change; at once if there was one since the last poll. */
  next(): Promise<void> {
    this.listening = true;
    this.listen();
    if (this.dirty) return Promise.resolve();
    if (!this.pending) {
      let resolve = (): void => undefined;
      const promise = new Promise<void>((settle) => {
        resolve = settle;
      });
      this.pending = { promise, resolve };
    }
    return this.pending.promise;
  }

  stop(): void {
    this.listening = false;
    for (const stop of this.stops.values()) attempt(stop, 'Changes.stop');
    this.stops.clear();
    this.release();
  }

  private listen(): void {
    for (const { identity, subscribe } of this.founds()) {
      if (!subscribe || this.stops.has(identity)) continue;
      this.stops.set(identity, attempt(() => subscribe(this.notify), 'Changes.subscribe') ?? (() => undefined));
    }
  }

  /** Runs inside the app's own change: short, and it never throws. */
  private readonly notify = (): void => {
    if (this.now() - this.lastTouch > LEASE_MS) this.stop();
    else {
      this.dirty = true;
      this.release();
    }
  };

  private release(): void {
    const { pending } = this;
    this.pending = null;
    pending?.resolve();
  }
}
