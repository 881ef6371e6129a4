/** The selected app: its heading, and its views as tabs. */
import { ActionsView } from '../actions/actions-view.tsx';
import { ChangesView } from '../changes/changes-view.tsx';
import { ChartsView } from '../charts/charts-view.tsx';
import { pinsOf } from '../charts/pins.ts';
import { useModel } from '../live/app-model.ts';
import type { LiveApp } from '../live/live-app.ts';
import { PredicateView } from '../predicate/predicate-view.tsx';
import { StateView } from '../state/state-view.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { grouped } from '../ui/grouped.ts';
import { AppHeading } from './app-heading.tsx';
import { linkTo, linkToCharts, TABS, type Tab } from './route.ts';

const VIEWS = {
  state: StateView,
  actions: ActionsView,
  changes: ChangesView,
  verify: PredicateView,
  charts: ChartsView,
} as const;
const TITLES: Record<Tab, string> = {
  state: 'State',
  actions: 'Actions',
  changes: 'Changes',
  verify: 'Verify',
  charts: 'Charts',
};

function NoState({ app }: { app: LiveApp }) {
  const { pid, problem, summary, notAttached } = app;
  if (notAttached !== null)
    return (
      <EmptyState title="Not attached">
        <p class="shell-why" role="status">
          This app is not attached to by itself: {notAttached}.
        </p>
        <Button kind="main" onClick={() => void app.attach()}>
          Attach
        </Button>
      </EmptyState>
    );
  if (problem === null) return <p class="shell-wait">Reading the state…</p>;
  const isThere = summary !== null && summary.probe_status !== 'detached';
  return (
    <EmptyState title={isThere ? 'This app cannot be looked into' : 'This app is not there'}>
      <p class="shell-why" role="status">
        {problem}
      </p>
      {isThere && (
        <>
          <p>For details:</p>
          <pre>substrate doctor {pid}</pre>
        </>
      )}
    </EmptyState>
  );
}

export function AppPane({ app, tab }: { app: LiveApp; tab: Tab }) {
  useModel(app);
  const pins = pinsOf(app);
  useModel(pins);
  const View = VIEWS[tab];
  // Shown before the state has arrived, too, so that the tabs keep their places.
  const counts: { readonly [tab in Tab]?: number | undefined } = {
    state: app.counts?.keys,
    actions: app.counts?.actions,
    charts: pins.keys.length === 0 ? undefined : pins.keys.length,
  };
  const linkOf = (name: Tab) =>
    name === 'charts' && app.state
      ? linkToCharts({ appId: app.state.app_id, pid: app.pid }, pins.keys)
      : linkTo(app.pid, name);
  return (
    <div class="shell-app">
      <AppHeading app={app} />
      <nav class="shell-tabs" aria-label="Views of the app">
        {TABS.map((name) => (
          <a key={name} href={linkOf(name)} aria-current={name === tab ? 'page' : undefined}>
            {TITLES[name]}
            {counts[name] !== undefined && <span class="shell-count">{grouped(counts[name])}</span>}
          </a>
        ))}
      </nav>
      {app.state && app.problem !== null && (
        <p class="shell-problem" role="status">
          {app.problem}
        </p>
      )}
      <div class="shell-view">{app.state ? <View model={app} /> : <NoState app={app} />}</div>
    </div>
  );
}
