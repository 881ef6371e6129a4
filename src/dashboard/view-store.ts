/** The state of a view while another one is shown. It lives as long as the page, in memory only. */
import type { AppModel } from './live/app-model.ts';
import { Listeners } from './live/listeners.ts';

export class ViewStore {
  private readonly listeners = new Listeners<null>();

  subscribe(listener: (changed: null) => void): () => void {
    return this.listeners.add(listener);
  }

  protected changed(): void {
    this.listeners.notify(null);
  }
}

/** Identifies an app. */
export type Whose = Pick<AppModel, 'substrate' | 'pid'>;

/** One per app, created on first use. */
export function storeOf<Kind extends ViewStore>(make: (whose: Whose) => Kind): (whose: Whose) => Kind {
  const stores = new WeakMap<Whose['substrate'], Map<number, Kind>>();
  return ({ substrate, pid }) => {
    const byPid = stores.get(substrate) ?? new Map<number, Kind>();
    stores.set(substrate, byPid);
    const store = byPid.get(pid) ?? make({ substrate, pid });
    byPid.set(pid, store);
    return store;
  };
}
