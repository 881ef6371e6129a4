/**
 * When a Mono program may be signalled. One that ends just then crashes, or has lines of Mono's in its output. What it will
 * do nobody can tell from outside; but one that is starting or has begun to end is not at rest, and a program that waits for
 * something is. So it is watched until its main thread has been asleep for a moment, in one and the same sleep.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { readSmallText } from '../../../support/plain-file.ts';

/** A program that has begun to end sleeps too, for other threads, but not as long as this. */
const CALM_MS = 100;
/** Some programs never rest. One that goes on as before for so long is not about to end. */
const PATIENCE_MS = 1000;
const LOOK_MS = 5;

/** The number of its sleep; `busy`: it is awake. Null: nobody can tell. */
export type Sleep = string | 'busy' | null;

/** `status`: what the kernel says of the main thread. */
export function parseSleep(status: string | null): Sleep {
  const switches = status === null ? null : /^voluntary_ctxt_switches:\s*(\d{1,20})$/m.exec(status)?.[1];
  if (status === null || switches === undefined || switches === null) return null;
  return /^State:\s*S/m.test(status) ? switches : 'busy';
}

export class MonoMoment {
  private readonly look: () => Sleep;
  private calm: Sleep = 'busy';
  private began: number | null = null;

  constructor(look: () => Sleep) {
    this.look = look;
  }

  static of(process: ProcessInfo, inspect: ProcessInspector): MonoMoment {
    const pid = inspect.details(process)?.namespacePid ?? process.pid;
    // As the program itself would read it, which is also right in a container.
    return new MonoMoment(() =>
      parseSleep(readSmallText(inspect.resolvePath(process, `/proc/${pid}/task/${pid}/status`))),
    );
  }

  /** Still in the sleep that was waited for. */
  get isHere(): boolean {
    return this.calm === null || (this.calm !== 'busy' && this.look() === this.calm);
  }

  /** Resolves when it has come, or will not come. */
  async wait(abort: AbortSignal): Promise<void> {
    let since = performance.now();
    this.began ??= since;
    let sleep = this.look();
    while (sleep !== null && !abort.aborted) {
      const now = performance.now();
      if (sleep !== 'busy' && now - since >= CALM_MS) break;
      if (now - this.began >= PATIENCE_MS) {
        this.calm = null;
        return;
      }
      await delay(LOOK_MS);
      const next = this.look();
      if (next !== sleep || next === 'busy') since = performance.now();
      sleep = next;
    }
    this.calm = sleep;
  }
}
