/** The state of an app as a searchable tree, with the details of one key beside it. */
import { useEffect } from 'preact/hooks';
import { useModel } from '../live/app-model.ts';
import type { LiveApp } from '../live/live-app.ts';
import { givenBy } from '../shell/route.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { KeyDetails } from './key-details.tsx';
import { SearchBar } from './search-bar.tsx';
import { StateBrowser } from './state-browser.ts';
import { TreeRows } from './tree-rows.tsx';

/** Open branches and searches are kept while another view is shown. */
const browsers = new WeakMap<LiveApp, StateBrowser>();

const FORGET_MS = 1000;

export function StateView({ model }: { model: LiveApp }) {
  const browser = browserOf(model);
  useModel(browser);
  useEffect(() => {
    const key = givenBy(location.hash, 'key');
    if (key !== null) browser.reveal(key);
  }, [browser]);
  const { recentOnly } = browser.filter;
  useEffect(() => {
    if (!recentOnly) return;
    const timer = setInterval(() => browser.forgetOld(), FORGET_MS);
    return () => clearInterval(timer);
  }, [browser, recentOnly]);
  return (
    <div class={`state ${browser.selected === null ? '' : 'state-with-details'}`}>
      <div class="state-main">
        <SearchBar browser={browser} />
        {browser.rows.length > 0 ? <TreeRows browser={browser} /> : !browser.isBusy && <Nothing browser={browser} />}
      </div>
      {browser.selected !== null && <KeyDetails key={browser.selected} browser={browser} path={browser.selected} />}
    </div>
  );
}

function Nothing({ browser: { filter, tree } }: { browser: StateBrowser }) {
  if (tree.size === 0)
    return (
      <EmptyState title="No state">
        <p>
          The daemon is attached, but has found no data of the app's own. It goes on looking: what the app makes later
          appears here.
        </p>
      </EmptyState>
    );
  if (filter.recentOnly)
    return (
      <EmptyState title="Nothing changed">
        <p>Nothing that is searched for has changed in the last 30 seconds. What changes from now on appears here.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No key matches">
      <p>
        A text finds every key that has it anywhere; <code>*</code> and <code>?</code> make it a pattern for whole keys,
        as in <code>cart.items[*].price</code> or <code>**.total</code>.
      </p>
    </EmptyState>
  );
}

function browserOf(app: LiveApp): StateBrowser {
  const known = browsers.get(app);
  if (known) return known;
  const made = new StateBrowser(app);
  browsers.set(app, made);
  return made;
}
