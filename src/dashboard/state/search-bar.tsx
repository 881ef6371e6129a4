import { useEffect, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { grouped } from '../ui/grouped.ts';
import type { Filter, StateBrowser } from './state-browser.ts';

/** Typing goes on during a search: not every letter is worth one. */
const PAUSE_MS = 120;

export function SearchBar({ browser }: { browser: StateBrowser }) {
  const { filter, matches, tree, isBusy } = browser;
  const [query, setQuery] = useState(filter.query);
  const set = (change: Partial<Filter>) => void browser.setFilter({ ...browser.filter, ...change });
  useEffect(() => {
    if (query === browser.filter.query) return;
    const timer = setTimeout(() => set({ query }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  return (
    <search class="state-tools">
      <input
        class="ui-input"
        type="search"
        aria-label="Search the keys"
        placeholder="Search keys: text, or items[*].price"
        spellcheck={false}
        value={query}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <span class="state-options">
        <label class="ui-check">
          <input
            type="checkbox"
            checked={filter.inValues}
            onChange={(event) => set({ inValues: event.currentTarget.checked })}
          />
          values too
        </label>
        <label class="ui-check">
          <input
            type="checkbox"
            checked={filter.recentOnly}
            onChange={(event) => set({ recentOnly: event.currentTarget.checked })}
          />
          changed recently
        </label>
        <span class="state-all">
          <Button kind="quiet" onClick={() => browser.setAllOpen(true)}>
            Open all
          </Button>
          <Button kind="quiet" onClick={() => browser.setAllOpen(false)}>
            Close all
          </Button>
        </span>
        <span class="state-count" role="status">
          {countText(matches?.size ?? null, tree.size, isBusy)}
        </span>
      </span>
    </search>
  );
}

function countText(found: number | null, all: number, isBusy: boolean): string {
  if (isBusy && found === null) return 'reading…';
  const total = grouped(all);
  return found === null ? `${total} keys` : `${grouped(found)} of ${total} keys`;
}
