/** The budget of an attach: as configured, and at a faster pace if nothing has to be searched for. */
import type { AppSchema } from '../model/app-schema.ts';
import type { ProbeBudget } from '../model/budget.ts';
import type { Config } from '../model/config.ts';

/**
 * The share of the time spreads a search over seconds, because nobody knows how long it takes. A program that was read
 * within its budget before takes as long as then: it is read at once, in slices between which the program has its turn.
 */
const KNOWN_FACTOR = 20;
const MB = 1024 * 1024;

export function probeBudget(
  probe: Config['probe'],
  { labels, hints }: Pick<AppSchema, 'labels' | 'hints'>,
  residentBytes: number,
): ProbeBudget {
  const isKnown = Object.keys(labels).length > 0 && (hints.stopped_by ?? null) === null;
  return {
    searchMs: probe.budget_search_ms,
    searchPercent: Math.min(100, probe.budget_search_percent * (isKnown ? KNOWN_FACTOR : 1)),
    memoryBytes: Math.max(probe.budget_memory_mb * MB, (residentBytes * probe.budget_memory_percent) / 100),
  };
}
