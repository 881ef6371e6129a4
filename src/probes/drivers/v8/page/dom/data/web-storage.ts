/** The local and session storage of the page. Another document may change it without an event here. */

import { toValue } from '../../../../../insight/screen/words.ts';
import { discarded } from '../../../tree/discarded.ts';
import type { Data } from '../screen.ts';
import { type Bounded, boundData, parseJson } from './bounded-data.ts';

const MAX_ENTRIES = 100;
/** A longer text is not parsed, and only its beginning is shown. */
const MAX_JSON = 100_000;

interface Seen extends Bounded {
  readonly text: string;
}

export class WebStorage {
  leftOut = 0;
  readonly data: Data = {};
  private readonly isShownByPage = isFrameOfSameSite();
  private readonly seen = { local: new Map<string, Seen>(), session: new Map<string, Seen>() };

  /** Returns true if something has changed since the last call. */
  refresh(): boolean {
    if (this.isShownByPage) return false;
    this.leftOut = 0;
    const local = this.read('local');
    const session = this.read('session');
    return local || session;
  }

  private read(kind: 'local' | 'session'): boolean {
    const storage = open(kind);
    const known = this.seen[kind];
    if (!storage || storage.length === 0) {
      if (known.size === 0) return false;
      known.clear();
      delete this.data[kind];
      return true;
    }
    let changed = false;
    const count = Math.min(storage.length, MAX_ENTRIES);
    this.leftOut += storage.length - count;
    const keys = new Set<string>();
    for (let index = 0; index < count; index++) {
      const key = storage.key(index);
      const text = key === null ? null : storage.getItem(key);
      if (key === null || text === null) continue;
      keys.add(key);
      this.leftOut += known.get(key)?.leftOut ?? 0;
      if (known.get(key)?.text === text) continue;
      known.set(key, { text, ...shown(text) });
      changed = true;
    }
    for (const key of known.keys()) {
      if (keys.has(key)) continue;
      known.delete(key);
      changed = true;
    }
    if (changed) this.data[kind] = Object.fromEntries([...known].sort(byKey).map(([key, { value }]) => [key, value]));
    return changed;
  }
}

function byKey([a]: [string, Seen], [b]: [string, Seen]): number {
  return a < b ? -1 : 1;
}

function shown(text: string): Bounded {
  const parsed = /^\s*[[{"]/.test(text) && text.length <= MAX_JSON ? parseJson(text) : undefined;
  return boundData(parsed ?? toValue(text));
}

/** Refused in sandboxed frames and for some schemes. */
function open(kind: 'local' | 'session'): Storage | null {
  try {
    return kind === 'local' ? localStorage : sessionStorage;
  } catch {
    // Counted, and reported with the state.
    discarded('WebStorage.open');
    return null;
  }
}

/** It shares the storage of the surrounding page. */
function isFrameOfSameSite(): boolean {
  try {
    return window.parent !== window && window.parent.location.origin === location.origin;
  } catch {
    // The browser refuses to reveal its site, so it is another one.
    return false;
  }
}
