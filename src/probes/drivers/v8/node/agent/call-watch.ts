/**
 * Captures the `this` of a function's next call. V8 keeps the `this` of an arrow function where the inspector lists
 * none, but the condition of a breakpoint is evaluated inside the call and can pass it on. The condition is false, so
 * nothing pauses, and its first evaluation removes the breakpoint: an evaluation costs 0.2 ms, and the function may be
 * called in a loop.
 */
import { discarded } from '../../tree/discarded.ts';
import type { Relay } from './relay.ts';

type Take = (receiver: unknown) => void;

export interface WatchTools {
  readonly relay: Relay;
  post<Result>(method: string, params: object): Result;
  /** Calls `work` with the inspector's id of a function. */
  withId<Result>(fn: object, work: (objectId: string) => Result): Result;
}

interface Watched {
  readonly breakpointId: string;
  readonly take: Take;
}

export class CallWatch {
  private readonly tools: WatchTools;
  private readonly watched = new Map<number, Watched>();
  private count = 0;

  constructor(tools: WatchTools) {
    this.tools = tools;
  }

  get isIdle(): boolean {
    return this.watched.size === 0;
  }

  /** The debugger must be enabled. Returns a function that ends the wait; null if this function cannot be watched. */
  watch(fn: object, take: Take): (() => void) | null {
    // The condition runs in the realm of the function: in another realm nobody receives its message.
    if (!(fn instanceof Function)) return null;
    this.tools.relay.listen(this.onCall);
    const number = this.count++;
    const condition = `(${this.tools.relay.send(`[${number},this]`)},false)`;
    try {
      const { breakpointId } = this.tools.withId(fn, (objectId) =>
        this.tools.post<{ breakpointId: string }>('Debugger.setBreakpointOnFunctionCall', { objectId, condition }),
      );
      this.watched.set(number, { breakpointId, take });
      return () => this.remove(number);
    } catch {
      // The same function is already watched, through another instance of the surrounding code.
      return null;
    }
  }

  dispose(): void {
    for (const number of [...this.watched.keys()]) this.remove(number);
    this.tools.relay.stop();
  }

  /** Runs inside the app's call: it must not throw, and must not run code of the app. */
  private readonly onCall = (message: unknown): void => {
    try {
      const [number, receiver] = message as [number, unknown];
      const call = this.watched.get(number);
      this.remove(number);
      call?.take(receiver);
    } catch {
      // The call goes on; its `this` is missed this time.
      discarded('CallWatch.onCall');
    }
  };

  private remove(number: number): void {
    const call = this.watched.get(number);
    if (!call) return;
    this.watched.delete(number);
    try {
      this.tools.post('Debugger.removeBreakpoint', { breakpointId: call.breakpointId });
    } catch {
      // It went with the session.
      discarded('CallWatch.remove');
    }
  }
}
