/** The changes of an app between any two captures seen by this page. */
import { useId, useMemo, useState } from 'preact/hooks';
import { type AppModel, useModel } from '../live/app-model.ts';
import type { Differences } from '../live/state-diff.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { CaptureTimeline } from './capture-timeline.tsx';
import { type ChangeRow, ChangeRows } from './change-rows.tsx';
import { type Choice, NEWEST, pairOf } from './choice.ts';
import { clockTime } from './clock.ts';
import { filterDiff } from './filter-diff.ts';
import { useDiff } from './use-diff.ts';

export function ChangesView({ model }: { model: AppModel }) {
  useModel(model);
  const [choice, setChoice] = useState<Choice>(NEWEST);
  const [search, setSearch] = useState('');
  const searchId = useId();
  const { captures } = model;
  const pair = pairOf(choice, captures);
  const { diff, problem } = useDiff(model, pair);
  const narrowed = useMemo(() => (diff ? filterDiff(diff, search) : null), [diff, search]);
  const isFollowing = choice === NEWEST;
  const timeOf = (captureId: string) => {
    const note = captures.find((capture) => capture.captureId === captureId);
    return note ? clockTime(note.capturedAt) : captureId;
  };
  if (captures.length === 0)
    return <EmptyState title="Nothing was seen yet">{model.problem !== null && <p>{model.problem}</p>}</EmptyState>;
  return (
    <div class="changes">
      <section class="changes-captures" aria-label="Captures">
        <header class="changes-bar">
          <h2>Captures</h2>
          <Button pressed={isFollowing} onClick={() => setChoice(isFollowing && pair ? pair : NEWEST)}>
            Follow the newest
          </Button>
        </header>
        <CaptureTimeline captures={captures} pair={pair} onChoose={setChoice} />
      </section>
      <section class="changes-diff" aria-label="Difference">
        <header class="changes-bar">
          <h2>
            {pair ? (
              <>
                {timeOf(pair.from)} <span class="changes-arrow">→</span> {pair.to === null ? 'now' : timeOf(pair.to)}
              </>
            ) : (
              'Difference'
            )}
          </h2>
          {narrowed && <Counts diff={narrowed} />}
          <span class="changes-tools">
            <label class="ui-hidden" for={searchId}>
              Search the changed keys
            </label>
            <input
              id={searchId}
              class="ui-input"
              type="search"
              placeholder="Search the keys"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            <Button disabled={!narrowed} onClick={() => void copyText(JSON.stringify(narrowed, null, 2), 'Difference')}>
              <Icon name="copy" /> Copy JSON
            </Button>
          </span>
        </header>
        {problem && (
          <EmptyState title={problem.title}>
            <p>{problem.text}</p>
          </EmptyState>
        )}
        {!pair && (
          <EmptyState title="No change yet">
            <p>The app has not changed since this page was opened. Changes show here by themselves.</p>
          </EmptyState>
        )}
        {narrowed && <Rows diff={narrowed} isNarrowed={search.trim() !== ''} />}
      </section>
    </div>
  );
}

function Counts({ diff: { changed, added, removed } }: { diff: Differences }) {
  const words = [`${changed.length} changed`, `${added.length} added`, `${removed.length} removed`];
  return <span class="changes-counts">{words.join(' · ')}</span>;
}

function Rows({ diff, isNarrowed }: { diff: Differences; isNarrowed: boolean }) {
  const rows = useMemo((): ChangeRow[] => {
    const { changed, added, removed } = diff;
    return [
      ...changed,
      ...added.map(({ path, value }) => ({ path, before: undefined, after: value })),
      ...removed.map(({ path, value }) => ({ path, before: value, after: undefined })),
    ];
  }, [diff]);
  if (rows.length > 0) return <ChangeRows rows={rows} label="Changed keys" />;
  return (
    <EmptyState title={isNarrowed ? 'No changed key fits' : 'No difference'}>
      <p>{isNarrowed ? 'Other keys may have changed: clear the search.' : 'Every key has the same value in both.'}</p>
    </EmptyState>
  );
}
