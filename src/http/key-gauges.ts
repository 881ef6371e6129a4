/** Selected numbers of apps, as gauges for Prometheus. Limited: values beyond the limit are only counted. */
import type { AppChange, ChangeFeed } from '../model/change-feed.ts';
import type { KeySelection } from '../model/key-selection.ts';
import type { AppIdentity, Permissions } from '../model/permissions.ts';
import { Count } from './prometheus.ts';

export const MAX_KEY_GAUGES = 1000;

interface AppNumbers {
  app: AppIdentity;
  readonly values: Map<string, number>;
}

export class KeyGauges implements ChangeFeed {
  private readonly chosen: KeySelection;
  private readonly apps = new Map<number, AppNumbers>();
  private size = 0;
  private readonly leftOut = new Map<number, Set<string>>();

  constructor(chosen: KeySelection) {
    this.chosen = chosen;
  }

  changed({ pid, app, changes }: AppChange): void {
    const filter = this.chosen.keysOf(app);
    if (filter === null) return;
    const numbers = this.apps.get(pid) ?? { app, values: new Map<string, number>() };
    numbers.app = app;
    this.apps.set(pid, numbers);
    for (const { key, after } of changes) if (filter.matches(key)) this.set(pid, numbers.values, key, after);
  }

  forgotten(pid: number): void {
    this.size -= this.apps.get(pid)?.values.size ?? 0;
    this.apps.delete(pid);
    this.leftOut.delete(pid);
  }

  /** For the apps that the permissions include. */
  text(permissions: Permissions): string {
    const gauge = new Count('gauge', 'substrate_key_value', 'Chosen numbers of apps ([metrics] keys).', [
      'app_id',
      'pid',
      'key',
    ]);
    const rest = new Count('gauge', 'substrate_key_values_left_out', `Chosen numbers beyond ${MAX_KEY_GAUGES}.`);
    for (const [pid, { app, values }] of this.apps) {
      if (!permissions.includesApp(app)) continue;
      for (const [key, value] of values) gauge.add({ app_id: app.appId, pid: String(pid), key }, value);
    }
    for (const keys of this.leftOut.values()) rest.add({}, keys.size);
    return `${gauge.text()}\n\n${rest.text()}\n`;
  }

  private set(pid: number, values: Map<string, number>, key: string, after: unknown): void {
    const isKnown = values.has(key);
    if (typeof after !== 'number') {
      if (values.delete(key)) this.size -= 1;
      this.leftOut.get(pid)?.delete(key);
    } else if (isKnown || this.size < MAX_KEY_GAUGES) {
      values.set(key, after);
      if (!isKnown) this.size += 1;
      this.leftOut.get(pid)?.delete(key);
    } else {
      const keys = this.leftOut.get(pid) ?? new Set<string>();
      // More are not needed: the number only says that there are many.
      if (keys.size < MAX_KEY_GAUGES) keys.add(key);
      this.leftOut.set(pid, keys);
    }
  }
}
