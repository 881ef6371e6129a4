/** The budget of an attach: as configured, and at a faster pace if nothing has to be searched for. */
import type { AppSchema } from '../model/app-schema.ts';
import type { ProbeBudget } from '../model/budget.ts';
import type { Config } from '../model/config.ts';

/**
 * A search of unknown length is spread over seconds by a small share of the time. A program that was once read within
 * its budget will take as long again, so it gets a larger share, still in slices between which the program runs.
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
