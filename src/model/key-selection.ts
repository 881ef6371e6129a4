/**
 * Keys of apps that the configuration selects: `coffee*:shop.queue.length`, an app by name or id, then a glob of keys.
 */
import { KeyFilter } from './key-filter.ts';
import { type AppIdentity, Permissions } from './permissions.ts';

/** The form of such a setting. */
export const SELECTED_KEYS = /^[^:]+:.+$/s;

interface Part {
  readonly apps: Permissions;
  readonly glob: string;
}

/** Enough for all running apps and some earlier ones. */
const MAX_REMEMBERED = 1000;

export class KeySelection {
  private readonly parts: readonly Part[];
  /** By the names of an app; null if none of its keys is selected. */
  private readonly known = new Map<string, KeyFilter | null>();

  constructor(texts: readonly string[]) {
    this.parts = texts.map((text) => {
      const colon = text.indexOf(':');
      return { apps: new Permissions({ apps: [text.slice(0, colon)] }), glob: text.slice(colon + 1) };
    });
  }

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** Null if no key of this app is selected. */
  keysOf(app: AppIdentity): KeyFilter | null {
    const name = JSON.stringify([app.appId, app.appName, app.aliases, app.isForeign]);
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const globs = this.parts.filter(({ apps }) => apps.includesApp(app)).map(({ glob }) => glob);
    const filter = globs.length === 0 ? null : new KeyFilter(globs);
    if (this.known.size >= MAX_REMEMBERED) this.known.clear();
    this.known.set(name, filter);
    return filter;
  }
}
