/** The clock of a Node or Deno process, and its load. */
import type { PaceClock } from './pace.ts';

/** Loads a module of Node itself. */
export type Load = <Module>(name: string) => Module;

const NOT_KEPT = /^(?:new_|read_only_)/;

type Utilization = ReturnType<typeof import('node:perf_hooks')['performance']['eventLoopUtilization']>;

export function createClock(load: Load): PaceClock {
  // Not the globals, which tests like to replace by clocks that stand still.
  const { setImmediate, setTimeout } = load<typeof import('node:timers')>('timers');
  const { performance } = load<typeof import('node:perf_hooks')>('perf_hooks');
  const v8 = load<typeof import('node:v8')>('v8');
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
    heapUsed: () => v8.getHeapStatistics().used_heap_size,
    heapKept: () => heapKept(v8),
  };
}

/** Everything but the new space, which holds short-lived garbage and has a limited size. */
function heapKept({ getHeapSpaceStatistics, getHeapStatistics }: typeof import('node:v8')): number {
  let kept = 0;
  try {
    for (const { space_name, space_used_size } of getHeapSpaceStatistics())
      if (!NOT_KEPT.test(space_name)) kept += space_used_size;
  } catch {
    // Deno has the function, but no data for it.
    kept = 0;
  }
  return kept > 0 ? kept : getHeapStatistics().used_heap_size;
}

/** Null in Deno, which does not have it. */
function utilization(
  { eventLoopUtilization }: Partial<typeof import('node:perf_hooks')['performance']>,
  since?: Utilization,
): Utilization | null {
  try {
    return eventLoopUtilization?.(since) ?? null;
  } catch {
    // As if it did not exist: the budget is kept by time alone.
    return null;
  }
}
