/** The predicate console of one app: the text, the requests, the answers. Kept in memory only. */

import { storeOf, ViewStore, type Whose } from '../view-store.ts';
import { type Answer, AT_ONCE_MS, askDaemon } from './answer.ts';

const MAX_CHECKS = 20;

export interface Check {
  readonly id: number;
  readonly expression: string;
  readonly at: number;
  readonly answer: Answer;
}

export class PredicateStore extends ViewStore {
  text = '';
  timeoutText = '10000';
  isLive = false;
  /** When the pending request was sent, or null. */
  askedAt: number | null = null;
  /** Newest first. */
  checks: readonly Check[] = [];
  private readonly whose: Whose;
  private stopping: AbortController | null = null;
  private count = 0;
  /** The position in the history; 0 is the typed text. */
  private back = 0;
  private typed = '';

  constructor(whose: Whose) {
    super();
    this.whose = whose;
  }

  type(text: string): void {
    this.text = text;
    this.back = 0;
    this.changed();
  }

  setTimeoutText(text: string): void {
    this.timeoutText = text;
    this.changed();
  }

  setLive(isLive: boolean): void {
    this.isLive = isLive;
    this.changed();
  }

  /** -1: to the previous expression. */
  recall(direction: -1 | 1): void {
    const asked = [...new Set(this.checks.map(({ expression }) => expression))];
    if (this.back === 0) this.typed = this.text;
    this.back = Math.max(0, Math.min(asked.length, this.back - direction));
    this.text = this.back === 0 ? this.typed : (asked[this.back - 1] ?? '');
    this.changed();
  }

  async check(timeoutMs = AT_ONCE_MS): Promise<void> {
    const expression = this.text;
    if (expression.trim() === '' || this.askedAt !== null) return;
    this.stopping = new AbortController();
    this.askedAt = Date.now();
    this.back = 0;
    this.changed();
    const { substrate, pid } = this.whose;
    const answer = await askDaemon(substrate, { pid, expression, timeoutMs, signal: this.stopping.signal });
    this.askedAt = null;
    this.checks = [{ id: ++this.count, expression, at: Date.now(), answer }, ...this.checks].slice(0, MAX_CHECKS);
    this.changed();
  }

  cancel(): void {
    this.stopping?.abort();
  }
}

export const predicateStoreOf = storeOf((whose) => new PredicateStore(whose));
