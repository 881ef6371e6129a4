/** The time of a Node or Deno process, and how busy it is. */
import type { PaceClock } from './pace.ts';

/** Loads a module of Node itself. */
export type Load = <Module>(name: string) => Module;

type Utilization = ReturnType<typeof import('node:perf_hooks')['performance']['eventLoopUtilization']>;

export function createClock(load: Load): PaceClock {
  // Not the global ones, which tests like to replace by clocks that stand still.
  const { setImmediate, setTimeout } = load<typeof import('node:timers')>('timers');
  const { performance } = load<typeof import('node:perf_hooks')>('perf_hooks');
  const { getHeapStatistics } = load<typeof import('node:v8')>('v8');
  let mark: Utilization | null = null;
  return {
    now: () => performance.now(),
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    nextTurn: () => new Promise((resolve) => setImmediate(resolve)),
    // It must not keep a program alive that is about to end.
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    markLoad: () => {
      mark = utilization(performance);
    },
    load: () => {
      const since = mark && utilization(performance, mark);
      return since?.utilization ?? 0;
    },
    heapUsed: () => getHeapStatistics().used_heap_size,
  };
}

/** Null in Deno, which does not have it. */
function utilization(
  { eventLoopUtilization }: Partial<typeof import('node:perf_hooks')['performance']>,
  since?: Utilization,
): Utilization | null {
  try {
    return eventLoopUtilization?.(since) ?? null;
  } catch {
    // As where it does not exist: the budget is kept by time alone.
    return null;
  }
}
