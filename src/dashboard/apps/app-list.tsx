import { useState } from 'preact/hooks';
import type { AppSummary } from '../../client/index.ts';
import { useModel } from '../live/app-model.ts';
import type { AppsModel } from '../live/apps-model.ts';
import type { LiveApp } from '../live/live-app.ts';
import { linkTo } from '../shell/route.ts';
import { Badge } from '../ui/badge.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { grouped } from '../ui/grouped.ts';
import { visible } from '../ui/value-text.ts';
import { chosenApps, isEnded, type Order } from './app-order.ts';
import { ConfidenceMeter } from './confidence-meter.tsx';
import { Sparkline } from './sparkline.tsx';
import { StatusBadge } from './status-badge.tsx';

export function AppList({ apps, selected }: { apps: AppsModel; selected: LiveApp | null }) {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>('name');
  const counts = new Map(apps.apps.map(({ pid }) => [pid, apps.activityOf(pid).read(Date.now())]));
  const activityOf = (pid: number) => (counts.get(pid) ?? []).reduce((sum, count) => sum + count, 0);
  const shown = chosenApps(apps.apps, { filter, order, activityOf });
  return (
    <nav class="apps" aria-label="Apps">
      <div class="apps-tools">
        <input
          class="ui-input"
          type="search"
          aria-label="Filter the apps"
          placeholder={apps.apps.length > 1 ? `Filter ${apps.apps.length} apps` : 'Filter the apps'}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <select
          class="ui-input"
          aria-label="Order of the apps"
          value={order}
          onChange={(event) => setOrder(event.currentTarget.value === 'activity' ? 'activity' : 'name')}
        >
          <option value="name">by name</option>
          <option value="activity">by activity</option>
        </select>
      </div>
      <ul class="apps-list">
        {shown.map((app) => (
          <li key={app.pid}>
            <AppRow app={app} activity={counts.get(app.pid) ?? []} live={app.pid === selected?.pid ? selected : null} />
          </li>
        ))}
      </ul>
      {shown.length === 0 && apps.link.kind === 'connected' && <NoApps isFiltered={apps.apps.length > 0} />}
    </nav>
  );
}

interface AppRowProps {
  readonly app: AppSummary;
  readonly activity: readonly number[];
  /** For the selected app only. */
  readonly live: LiveApp | null;
}

function AppRow({ app, activity, live }: AppRowProps) {
  const where = app.current_url ?? app.current_view;
  return (
    <a
      class={`apps-row ${isEnded(app) ? 'apps-ended' : ''}`}
      href={linkTo(app.pid)}
      aria-current={live ? 'true' : undefined}
    >
      <span class="apps-first">
        <span class="apps-name" title={visible(app.app_name)}>
          {visible(app.app_name)}
        </span>
        <StatusBadge status={app.probe_status} />
      </span>
      <span class="apps-second">
        <Badge>{app.runtime_name}</Badge>
        <span>pid {app.pid}</span>
        {where && (
          <span class="apps-where" title={visible(where)}>
            {visible(where)}
          </span>
        )}
      </span>
      {app.has_state && (
        <span class="apps-third">
          <ConfidenceMeter confidence={app.confidence} reason={app.confidence_reason} />
          {live ? <LiveCounts app={live} /> : <Counts keys={app.object_count} actions={app.action_count} />}
          <Sparkline counts={activity} />
        </span>
      )}
    </a>
  );
}

/** The numbers of the view beside it: the list is updated later than the app itself. */
function LiveCounts({ app }: { app: LiveApp }) {
  useModel(app);
  return app.counts && <Counts {...app.counts} />;
}

function Counts({ keys, actions }: { keys: number; actions: number }) {
  return (
    <>
      <span>{plural(keys, 'key')}</span>
      <span>{plural(actions, 'action')}</span>
    </>
  );
}

function NoApps({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No app matches" />;
  return (
    <EmptyState title="No apps yet">
      <p>Most programs appear here by themselves. A browser must be started so that it can be looked into:</p>
      <pre>substrate run -- chromium</pre>
      <p>If something is missing, this shows why:</p>
      <pre>substrate doctor</pre>
    </EmptyState>
  );
}

function plural(count: number, what: string): string {
  return `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;
}
