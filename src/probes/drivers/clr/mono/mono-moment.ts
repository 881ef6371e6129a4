/**
 * Decides when a Mono program may be signalled. A program that ends just then crashes, or has lines of Mono in its
 * output. Its plans cannot be seen from outside; but a program that is starting or ending is not at rest, and one that
 * waits for something is. So it is watched until its main thread has been asleep for a moment, in one and the same
 * sleep.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessInfo, ProcessInspector } from '../../../../model/process.ts';
import { readSmallText } from '../../../support/plain-file.ts';

/** A program that is ending sleeps too, for other threads, but not as long as this. */
const CALM_MS = 100;
/** Some programs never rest. One that is busy for this long is not about to end. */
const TIMEOUT_MS = 1000;
const POLL_MS = 5;

/** The number of its sleep; `busy` if it is awake. Null if it is not known. */
export type Sleep = string | 'busy' | null;

/** `status`: the kernel's status of the main thread. */
export function parseSleep(status: string | null): Sleep {
  const switches = status === null ? null : /^voluntary_ctxt_switches:\s*(\d{1,20})$/m.exec(status)?.[1];
  if (status === null || switches === undefined || switches === null) return null;
  return /^State:\s*S/m.test(status) ? switches : 'busy';
}

export class MonoMoment {
  private readonly readSleep: () => Sleep;
  private calm: Sleep = 'busy';
  private began: number | null = null;

  constructor(readSleep: () => Sleep) {
    this.readSleep = readSleep;
  }

  static of(process: ProcessInfo, inspect: ProcessInspector): MonoMoment {
    const pid = inspect.details(process)?.namespacePid ?? process.pid;
    // Read like the program itself would, which is also right in a container.
    return new MonoMoment(() =>
      parseSleep(readSmallText(inspect.resolvePath(process, `/proc/${pid}/task/${pid}/status`))),
    );
  }

  /** True while it is still in the sleep that was waited for. */
  get isHere(): boolean {
    return this.calm === null || (this.calm !== 'busy' && this.readSleep() === this.calm);
  }

  /** Resolves when the moment has come, or will not come. */
  async wait(abort: AbortSignal): Promise<void> {
    let since = performance.now();
    this.began ??= since;
    let sleep = this.readSleep();
    while (sleep !== null && !abort.aborted) {
      const now = performance.now();
      if (sleep !== 'busy' && now - since >= CALM_MS) break;
      if (now - this.began >= TIMEOUT_MS) {
        this.calm = null;
        return;
      }
      await delay(POLL_MS);
      const next = this.readSleep();
      if (next !== sleep || next === 'busy') since = performance.now();
      sleep = next;
    }
    this.calm = sleep;
  }
}
