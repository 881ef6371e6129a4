/** The pinned keys of an app, drawn side by side over one time axis. */
import { useEffect, useState } from 'preact/hooks';
import { clockTime } from '../changes/clock.ts';
import { useModel } from '../live/app-model.ts';
import type { LiveApp } from '../live/live-app.ts';
import { allGivenBy, linkTo, linkToCharts } from '../shell/route.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { Chart } from './chart.tsx';
import { pinsOf } from './pins.ts';
import { csvOf, type Series } from './series.ts';
import { useSeries } from './use-series.ts';

/** Lines must go on while nothing changes. */
const TICK_MS = 1000;

export function ChartsView({ model }: { model: LiveApp }) {
  const pins = pinsOf(model);
  useModel(pins);
  useLinkedPins(model);
  const { keys } = pins;
  const { series, fromMs, problem } = useSeries(model, keys);
  const [atMs, setAtMs] = useState<number | null>(null);
  const nowMs = useNow();
  if (keys.length === 0) return <Nothing pid={model.pid} />;
  const last = Math.max(0, ...series.map(({ points }) => points.at(-1)?.atMs ?? 0));
  const toMs = Math.max(nowMs, last);
  const name = model.state?.app_name ?? `pid ${model.pid}`;
  return (
    <div class="charts">
      <div class="charts-tools">
        <h2>{keys.length === 1 ? '1 key' : `${keys.length} keys`}</h2>
        {fromMs !== null && (
          <span class="charts-span">
            since <time dateTime={new Date(fromMs).toISOString()}>{clockTime(fromMs)}</time>
          </span>
        )}
        <span class="charts-space" />
        <Button onClick={() => save(name, series)} disabled={series.length === 0}>
          Download CSV
        </Button>
        <Button onClick={() => void copyText(location.href, 'Link')}>
          <Icon name="copy" /> Copy link
        </Button>
        <Button onClick={() => pins.set([])}>Unpin all</Button>
      </div>
      {problem !== null && (
        <p class="charts-problem" role="status">
          The history could not be read: {problem}
        </p>
      )}
      <div class="charts-grid">
        {fromMs !== null &&
          series.map((one) => (
            <Chart
              key={one.key}
              series={one}
              fromMs={Math.min(fromMs, toMs - 1)}
              toMs={toMs}
              atMs={atMs}
              onPoint={setAtMs}
              onSave={() => save(name, [one])}
              onUnpin={() => pins.toggle(one.key)}
            />
          ))}
      </div>
    </div>
  );
}

/** Pins the keys of a link, and writes the pinned keys into the address. */
function useLinkedPins(model: LiveApp): void {
  const pins = pinsOf(model);
  const appId = model.state?.app_id;
  useEffect(() => {
    const writeAddress = () => {
      if (appId !== undefined) history.replaceState(null, '', linkToCharts({ appId, pid: model.pid }, pins.keys));
    };
    const take = () => {
      const given = allGivenBy(location.hash, 'key');
      if (given.length > 0) pins.set(given);
      else writeAddress();
    };
    const unsubscribe = pins.subscribe(writeAddress);
    take();
    addEventListener('hashchange', take);
    return () => {
      unsubscribe();
      removeEventListener('hashchange', take);
    };
  }, [pins, appId]);
}

function Nothing({ pid }: { pid: number }) {
  return (
    <EmptyState title="Nothing is pinned">
      <p>
        Pin keys in the <a href={linkTo(pid, 'state')}>state</a>: with the pin of a row, with <kbd>p</kbd>, or in the
        details of a key. They are drawn here over the history that the daemon keeps, side by side.
      </p>
    </EmptyState>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

function save(app: string, series: readonly Series[]): void {
  const url = URL.createObjectURL(new Blob([csvOf(series)], { type: 'text/csv' }));
  const [only, ...more] = series;
  const what = only && more.length === 0 ? `${app}-${only.key}` : `${app}-history`;
  const link = document.createElement('a');
  link.href = url;
  link.download = `${what.replace(/[^\w.-]+/g, '_').slice(0, 80)}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
