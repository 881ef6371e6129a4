/** Who waits for which answer of an agent. Answers may come in any order; one that nobody waits for is dropped. */
import * as z from 'zod';

const MAX_ERROR_LENGTH = 300;
const answer = z.object({ id: z.number(), result: z.unknown().optional(), error: z.string().optional() });

interface Waiter {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class PendingCalls {
  private readonly waiting = new Map<number, Waiter>();
  private lastId = 0;

  /** `send` gets the number of the call, unless it was aborted before it began. */
  start(signal: AbortSignal, send: (id: number) => void): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting.delete(id);
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      const settle =
        <Value>(done: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener('abort', onAbort);
          done(value);
        };
      this.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      send(id);
    });
  }

  /** Foreign input: throws when it is no answer. Gives the number of the call that it belongs to. */
  receive(frame: unknown): number {
    const { id, result, error } = answer.parse(frame);
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    if (error !== undefined) waiter?.reject(new Error(error.slice(0, MAX_ERROR_LENGTH)));
    else waiter?.resolve(result);
    return id;
  }

  fail(id: number, error: Error): void {
    const waiter = this.waiting.get(id);
    this.waiting.delete(id);
    waiter?.reject(error);
  }

  /** Nobody answers any more. */
  failAll(): void {
    for (const id of [...this.waiting.keys()]) this.fail(id, connectionLost());
  }
}

export function connectionLost(): Error {
  return new Error('the connection to the app was lost');
}
