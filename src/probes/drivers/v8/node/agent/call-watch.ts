/**
 * Sees the `this` of a function's next call. V8 keeps the `this` of an arrow function where the inspector lists none, but
 * the condition of a breakpoint is evaluated inside the call and can hand it over. The condition is false, so nothing
 * pauses, and its first evaluation removes the breakpoint: an evaluation costs 0.2 ms, and the function may be called in
 * a loop.
 */
import { discarded } from '../../tree/discarded.ts';
import type { Relay } from './relay.ts';

type Take = (receiver: unknown) => void;

export interface WatchTools {
  readonly relay: Relay;
  post<Result>(method: string, params: object): Result;
  /** Hands `work` the inspector's id of a function. */
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

  /** The debugger must be enabled. Returns what ends the wait; null: this function cannot be watched. */
  watch(fn: object, take: Take): (() => void) | null {
    // The condition runs where the function was made: in another realm there is nobody who would take what it hands over.
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
      // There is one at the same function, made by another instance of the code around it.
      return null;
    }
  }

  dispose(): void {
    for (const number of [...this.watched.keys()]) this.remove(number);
    this.tools.relay.stop();
  }

  /** Runs inside the app's call: nothing may be thrown, and nothing of the app be run. */
  private readonly onCall = (message: unknown): void => {
    try {
      const [number, receiver] = message as [number, unknown];
      const call = this.watched.get(number);
      this.remove(number);
      call?.take(receiver);
    } catch {
      // The call goes on; its `this` is not seen this time.
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
