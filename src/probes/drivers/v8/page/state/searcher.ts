/** When to look for state: all over the page at first, later a little at each poll. */
import type { Closures } from './closures.ts';
import type { Discovery } from './discovery.ts';
import type { RootRegistry } from './root-registry.ts';

/** New roots are looked for now and then, not at every poll. */
const POLLS_PER_SEARCH = 10;
/** What a search may take of one poll once the page is known. */
const SEARCH_MS = 0.5;
/** How often the first search is repeated with what the daemon has found out about the objects that it met. */
const MAX_SEARCHES = 4;

export interface SearcherParts {
  readonly registry: RootRegistry;
  readonly closures: Closures;
  readonly discovery: Discovery;
  now(): number;
  /** The call has taken its time. */
  isLate(): boolean;
  /** No more may be spent on this search. */
  isSpent(): boolean;
  /** Has the daemon look at what waits for it; false: it did not. */
  waitForLook(): Generator<void, boolean, void>;
}

export class Searcher {
  /** How many polls there were. */
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

  /** All of it at the first poll and while nothing is found; later a little at each poll. */
  *run(): Generator<void, void, void> {
    const { registry, closures, discovery, now } = this.parts;
    yield* this.paced(closures.judge());
    const isThorough = this.polls === 0 || closures.hasNews;
    if (closures.hasNews) this.search = null;
    closures.hasNews = false;
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
        // What is new is known by the next poll; then no more, since a busy page always has something new.
        this.again = !this.again && discovery.isIncomplete;
      } else if (isLate()) yield;
    }
  }
}
