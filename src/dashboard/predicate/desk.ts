/** What a view keeps while another one is shown. It lives as long as the page, and nowhere else. */
import type { AppModel } from '../live/app-model.ts';
import { Listeners } from '../live/listeners.ts';

export class Desk {
  private readonly listeners = new Listeners<null>();

  subscribe(listener: (changed: null) => void): () => void {
    return this.listeners.add(listener);
  }

  protected changed(): void {
    this.listeners.tell(null);
  }
}

/** Of an app, whatever else was looked at meanwhile. */
export type Whose = Pick<AppModel, 'substrate' | 'pid'>;

/** One for each app, made when it is first asked for. */
export function deskOf<Kind extends Desk>(make: (whose: Whose) => Kind): (whose: Whose) => Kind {
  const desks = new WeakMap<Whose['substrate'], Map<number, Kind>>();
  return ({ substrate, pid }) => {
    const byPid = desks.get(substrate) ?? new Map<number, Kind>();
    desks.set(substrate, byPid);
    const desk = byPid.get(pid) ?? make({ substrate, pid });
    byPid.set(pid, desk);
    return desk;
  };
}
