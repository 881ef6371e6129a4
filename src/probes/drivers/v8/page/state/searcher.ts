/** Schedules the search for state: the whole page at first, later a little at each poll. */
import type { Closures } from './closures.ts';
import type { Discovery } from './discovery.ts';
import type { RootRegistry } from './root-registry.ts';

/** New roots are searched from time to time, not at every poll. */
const POLLS_PER_SEARCH = 10;
/** The time for a search within one poll, once the page is known. */
const SEARCH_MS = 0.5;
/** How often the first search is repeated with the daemon's results about the objects that it met. */
const MAX_SEARCHES = 4;

export interface SearcherParts {
  readonly registry: RootRegistry;
  readonly closures: Closures;
  readonly discovery: Discovery;
  now(): number;
  /** True when the call has used up its time. */
  isLate(): boolean;
  /** True when the budget of this search is used up. */
  isSpent(): boolean;
  /** Lets the daemon check the waiting objects; returns false if it did not. */
  waitForLook(): Generator<void, boolean, void>;
}

export class Searcher {
  /** Number of polls so far. */
  polls = 0;
  private readonly parts: SearcherParts;
  private search: Generator<void, void, void> | null = null;
  private again = false;

  constructor(parts: SearcherParts) {
    this.parts = parts;
  }

  stop(): void {
    this.search = null;
  }

  /** The whole search at the first poll and while nothing is found; later a little at each poll. */
  *run(): Generator<void, void, void> {
    const { registry, closures, discovery, now } = this.parts;
    yield* this.paced(closures.judge());
    const isThorough = this.polls === 0 || closures.needsSearch;
    if (closures.needsSearch) this.search = null;
    closures.needsSearch = false;
    if (this.polls++ % POLLS_PER_SEARCH === 0 || isThorough || !registry.hasStores || this.again) this.start();
    const limit = isThorough ? Number.POSITIVE_INFINITY : now() + SEARCH_MS;
    yield* this.proceed(limit);
    for (
      let round = 1;
      isThorough && round < MAX_SEARCHES && discovery.isIncomplete && !this.parts.isSpent();
      round++
    ) {
      if (!(yield* this.parts.waitForLook())) return;
      this.start();
      yield* this.proceed(limit);
    }
  }

  private start(): void {
    const { closures, discovery } = this.parts;
    this.search ??= discovery.search((found) => closures.keeps(found));
  }

  private *paced(work: Generator<void, void, void>): Generator<void, void, void> {
    while (!work.next().done) if (this.parts.isLate()) yield;
  }

  private *proceed(limit: number): Generator<void, void, void> {
    const { discovery, now, isLate, isSpent } = this.parts;
    while (this.search && now() < limit && !isSpent()) {
      if (this.search.next().done) {
        this.search = null;
        // New objects are known by the next poll; only once, since a busy page always has new ones.
        this.again = !this.again && discovery.isIncomplete;
      } else if (isLate()) yield;
    }
  }
}
