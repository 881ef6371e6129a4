/** The whole page for a user with a key: header, list of apps, and the selected app. */
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Substrate } from '../../client/index.ts';
import { AppList } from '../apps/app-list.tsx';
import { HostList } from '../hosts/host-list.tsx';
import { useHosts } from '../hosts/use-hosts.ts';
import { useModel } from '../live/app-model.ts';
import { AppsModel } from '../live/apps-model.ts';
import { LiveApp } from '../live/live-app.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { AppPane } from './app-pane.tsx';
import { Approvals } from './approvals.tsx';
import { Header } from './header.tsx';
import { useShortcuts } from './keyboard.ts';
import { linkToList, routeAmong, usePlace } from './route.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';

export interface WorkspaceProps {
  readonly substrate: Substrate;
  readonly onRefused: (reason: string) => void;
}

export function Workspace({ substrate, onRefused }: WorkspaceProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { host, isAtHosts, address } = usePlace();
  const hosts = useHosts(substrate, isAtHosts);
  // One client per host is kept, so that the page of a host is unchanged when the user returns to it.
  const elsewhere = useMemo(() => new Map<string, Substrate>(), [substrate]);
  const apps = useMemo(() => appsOf(substrate, host, elsewhere), [substrate, host]);
  useEffect(() => apps.start(), [apps]);
  useModel(apps);
  const found = routeAmong(address, apps.apps);
  const route = found ?? null;
  useEffect(() => {
    if (apps.link.kind === 'refused') onRefused(apps.link.reason);
  }, [apps.link]);
  const app = useSelectedApp(apps, route?.pid ?? null);
  useShortcuts({ route, showHelp: () => dialog.current?.showModal() });
  return (
    <div class={`shell ${address === null && !isAtHosts ? 'shell-at-list' : 'shell-at-app'}`}>
      <Header apps={apps} host={host ?? hosts?.host ?? null} onHelp={() => dialog.current?.showModal()} />
      {apps.link.kind === 'lost' && (
        <p class="shell-banner" role="alert">
          {apps.link.reason === null ? (
            <>
              The daemon does not answer. It is asked again by itself; if it does not run, start it with{' '}
              <code>substrate up</code>.
            </>
          ) : (
            `The daemon says: ${apps.link.reason} It is asked again by itself.`
          )}
        </p>
      )}
      <Approvals apps={apps} />
      <main class="shell-body">
        {address === null && !isAtHosts && <h1 class="ui-hidden">Apps</h1>}
        <AppList apps={apps} selected={app} />
        <section class="shell-main" aria-label="App">
          {isAtHosts ? (
            <HostList hosts={hosts} shown={host} />
          ) : app && route ? (
            <AppPane key={`${host}/${app.pid}`} app={app} tab={route.tab} />
          ) : found === undefined ? (
            apps.link.kind === 'connected' && (
              <EmptyState title="The app of this link does not run">
                <p>Start it, or choose another one from the list. The link works as soon as the app is there.</p>
                <p>
                  <a href={linkToList()}>All apps</a>
                </p>
              </EmptyState>
            )
          ) : (
            apps.apps.length > 0 && (
              <EmptyState title="No app selected">
                <p>Choose one from the list to see its state, run its actions and follow its changes.</p>
                <p>
                  <kbd>j</kbd> and <kbd>k</kbd> go through the list, <kbd>Enter</kbd> opens, <kbd>?</kbd> shows all
                  keys.
                </p>
              </EmptyState>
            )
          )}
        </section>
      </main>
      <ShortcutsDialog dialog={dialog} />
    </div>
  );
}

function appsOf(substrate: Substrate, host: string | null, elsewhere: Map<string, Substrate>): AppsModel {
  if (host === null) return new AppsModel(substrate, false);
  const there = elsewhere.get(host) ?? substrate.on(host);
  elsewhere.set(host, there);
  return new AppsModel(there, true);
}

function useSelectedApp(apps: AppsModel, pid: number | null): LiveApp | null {
  const app = useMemo(() => (pid === null ? null : new LiveApp(apps.substrate, pid)), [apps, pid]);
  useLayoutEffect(() => {
    if (app === null) return;
    const onList = () => {
      if (apps.link.kind === 'lost') app.noteLost();
      else if (apps.link.kind === 'connected')
        app.noteSummary(apps.apps.find((summary) => summary.pid === app.pid) ?? null);
    };
    onList();
    const stop = apps.subscribe(onList);
    return () => {
      stop();
      app.stop();
    };
  }, [apps, app]);
  return app;
}
