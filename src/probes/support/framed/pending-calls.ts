/** The calls that wait for answers of an agent. Answers may come in any order; one without a call is dropped. */
import * as z from 'zod';
import { NO_TRACE, type OpenStep, type Trace } from '../../../model/trace.ts';

const MAX_ERROR_LENGTH = 300;
const answer = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() });

interface Waiter {
  resolve(result: unknown): void;
  reject(error: Error): void;
  readonly step: OpenStep;
  sent: number;
}

export class PendingCalls {
  private readonly waiting = new Map<number, Waiter>();
  private readonly trace: Trace;
  private lastId = 0;

  constructor(trace: Trace = NO_TRACE) {
    this.trace = trace;
  }

  /**
   * `send` gets the number of the call, unless it was aborted before it began, and returns the number of bytes sent.
   */
  start(op: string, signal: AbortSignal, send: (id: number) => number): Promise<unknown> {
    const id = ++this.lastId;
    const step = this.trace.call(op, { id });
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting.delete(id);
        const reason = signal.reason instanceof Error ? signal.reason : new Error('aborted');
        step.fail(reason);
        reject(reason);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const settle =
        <Value>(done: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener('abort', onAbort);
          done(value);
        };
      const waiter = { resolve: settle(resolve), reject: settle(reject), step, sent: 0 };
      this.waiting.set(id, waiter);
      waiter.sent = send(id);
    });
  }

  /** Untrusted input: throws when it is no answer. Returns the number of its call. */
  receive(frame: unknown, bytes: number): number {
    const { id, result, error } = answer.parse(frame);
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    if (error !== undefined) this.refuse(waiter, new Error(error.slice(0, MAX_ERROR_LENGTH)));
    else {
      waiter?.step.end({ sent: waiter.sent, received: bytes });
      waiter?.resolve(result);
    }
    return id;
  }

  fail(id: number, error: Error): void {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    this.refuse(waiter, error);
  }

  private refuse(waiter: Waiter | undefined, error: Error): void {
    waiter?.step.fail(error);
    waiter?.reject(error);
  }

  /** No more answers will come. */
  failAll(): void {
    for (const id of [...this.waiting.keys()]) this.fail(id, connectionLost());
  }
}

export function connectionLost(): Error {
  return new Error('the connection to the app was lost');
}
