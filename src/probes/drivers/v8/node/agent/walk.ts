import type { SearchQueue } from './search-queue.ts';

/** The progress of a search. */
export interface Walk {
  readonly queue: SearchQueue;
  readonly visited: Set<unknown>;
  readonly timers: readonly unknown[];
  /** Functions that servers call for each request. */
  readonly handlers: ReadonlySet<unknown>;
  /** Number of inspected functions of libraries, and of those that servers call. */
  libraryScopes: number;
  servers: number;
}

export function newWalk(
  queue: SearchQueue,
  timers: readonly unknown[] = [],
  handlers: ReadonlySet<unknown> = new Set(),
): Walk {
  return { queue, timers, handlers, visited: new Set(), libraryScopes: 0, servers: 0 };
}
