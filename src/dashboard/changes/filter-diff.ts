/** The part of a difference that matches a search. */
import type { Differences } from '../live/state-diff.ts';
import { matcherFor } from '../state/search.ts';

export function filterDiff({ changed, added, removed }: Differences, query: string): Differences {
  const fits = matcherFor(query, false);
  if (!fits) return { changed, added, removed };
  return {
    changed: changed.filter(({ path, after }) => fits(path, after)),
    added: added.filter(({ path, value }) => fits(path, value)),
    removed: removed.filter(({ path, value }) => fits(path, value)),
  };
}
