import type { SearchQueue } from './search-queue.ts';

/** A search, as far as it came. */
export interface Walk {
  readonly queue: SearchQueue;
  readonly visited: Set<unknown>;
  readonly timers: readonly unknown[];
  /** Functions that servers call for each request. */
  readonly handlers: ReadonlySet<unknown>;
  /** Functions of libraries that were looked into, and those of them that servers call. */
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
