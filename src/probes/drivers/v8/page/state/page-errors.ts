/** Counts uncaught errors of the page's scripts, while somebody polls. */
import type { Found } from './found.ts';
import { attempt, isFunction, isNative, isObject, own } from './safe.ts';

const { apply } = Reflect;
const MAX_TEXT = 300;
const MAX_COUNTED = 10_000;
/** The daemon may be gone at any time. */
const LEASE_MS = 15_000;

export class PageErrors {
  count = 0;
  private first = '';
  private lastTouch = 0;
  private isListening = false;
  private readonly now: () => number;
  /** The source of its keys. */
  readonly found: Found;

  constructor(now: () => number) {
    this.now = now;
    this.found = {
      kind: 'troubles',
      id: '',
      wanted: 'page',
      origin: 'what scripts of the page have thrown',
      identity: this,
      stable: false,
      mangled: false,
      read: () => (this.count === 0 ? undefined : { errors: this.count, error: this.first }),
    };
  }

  touch(): void {
    this.lastTouch = this.now();
    if (this.isListening) return;
    this.isListening = true;
    this.listen('addEventListener');
  }

  stop(): void {
    if (this.isListening) this.listen('removeEventListener');
    this.isListening = false;
  }

  private listen(method: 'addEventListener' | 'removeEventListener'): void {
    const target = own(globalThis, 'EventTarget');
    const prototype = own(target, 'prototype');
    const given = [own(prototype, method), own(prototype, `__zone_symbol__${method}`)];
    const genuine = given.find((fn) => isFunction(fn) && isNative(fn));
    if (!isFunction(genuine)) return;
    for (const type of ['error', 'unhandledrejection'])
      attempt(() => apply(genuine, globalThis, [type, this.onError]), 'PageErrors.listen');
  }

  /** Runs while the page handles its own error: short, and it never throws. */
  private readonly onError = (event: unknown): void => {
    attempt(() => {
      if (this.now() - this.lastTouch > LEASE_MS) {
        this.stop();
        return;
      }
      if (this.count++ === 0) this.first = textOf(event).slice(0, MAX_TEXT);
      this.count = Math.min(this.count, MAX_COUNTED);
    });
  };
}

/** Both are properties of the browser's own events, not of the page's objects. */
function textOf(event: unknown): string {
  if (typeof ErrorEvent === 'function' && event instanceof ErrorEvent) return event.message;
  if (typeof PromiseRejectionEvent !== 'function' || !(event instanceof PromiseRejectionEvent)) return '';
  const reason: unknown = event.reason;
  if (!isObject(reason)) return isFunction(reason) ? '' : String(reason);
  const message = own(reason, 'message');
  return typeof message === 'string' ? message : '';
}
