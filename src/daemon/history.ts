/** The captures that a diff can start from: ids, times, and the changes from each to the next. */
import type { Change } from '../semantic/state-table.ts';

/** The limit for the changes of all captures together; a long text counts as several. */
const MAX_KEPT_CHANGES = 500_000;
const CHARACTERS_PER_CHANGE = 100;
/** The cost of an entry besides its changes, counted in changes. */
const ENTRY_WEIGHT = 10;
/** A client may return with an id for this long. */
const HANDED_OUT_MS = 10 * 60_000;
const MAX_IDS = 10_000;

/** One state of the app, and all captures that found it. */
interface Entry {
  /** Time of the first capture that found this state, in ms since 1970. */
  readonly capturedAtMs: number;
  /** Changes from the previous entry to this one. */
  changes: readonly Change[];
  handedOutAt: number;
}

/** The value of a key from a capture on; undefined if the key did not exist. */
export interface Point {
  readonly atMs: number;
  readonly value: Change['before'];
}

export class History {
  private readonly limit: number;
  private readonly now: () => number;
  private entries: Entry[] = [];
  /** The entry number of each id, the oldest first. */
  private readonly numbers = new Map<string, number>();
  /** Number of the first entry that is kept. */
  private first = 0;
  private keptChanges = 0;
  /** The newest id. The next capture drops it, unless that has changes or the id was handed out. */
  private passing: string | null = null;

  /** `limit`: how many changes are kept, including those of captures that nobody requested. */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.limit = limit;
    this.now = now;
  }

  /** A capture without changes takes no place: its id means the previous entry. */
  push(captureId: string, changes: readonly Change[], capturedAtMs = Date.now()): void {
    this.forgetPassing();
    const newest = this.entries.at(-1);
    if (newest && changes.length === 0) this.passing = captureId;
    else {
      this.entries.push({ capturedAtMs, changes, handedOutAt: Number.NEGATIVE_INFINITY });
      this.keptChanges += weightOf(changes);
    }
    this.numbers.set(captureId, this.first + this.entries.length - 1);
    this.forgetOld();
  }

  /** A client was given the newest id. */
  handOut(): void {
    const newest = this.entries.at(-1);
    if (newest) newest.handedOutAt = this.now();
    this.passing = null;
  }

  clear(): void {
    this.first += this.entries.length;
    this.entries = [];
    this.numbers.clear();
    this.keptChanges = 0;
    this.passing = null;
  }

  has(captureId: string): boolean {
    return this.numbers.has(captureId);
  }

  /** True if no key has changed since that capture. */
  isNewest(captureId: string): boolean {
    return this.numbers.get(captureId) === this.first + this.entries.length - 1;
  }

  /**
   * Every key that changed since that capture, with its value then (undefined if absent); null if it is no longer kept.
   */
  valuesAt(captureId: string): Map<string, Change['before']> | null {
    const number = this.numbers.get(captureId);
    if (number === undefined) return null;
    const before = new Map<string, Change['before']>();
    for (let at = this.entries.length - 1; at > number - this.first; at--) {
      const changes = this.entries[at]?.changes ?? [];
      // Backwards: a key can be removed and added again in one capture, and its first `before` counts.
      for (let index = changes.length - 1; index >= 0; index--) {
        const change = changes[index];
        if (change) before.set(change.key, change.before);
      }
    }
    return before;
  }

  /** Time of the oldest kept state, or null. */
  get sinceMs(): number | null {
    return this.entries[0]?.capturedAtMs ?? null;
  }

  /**
   * The values of these keys over the kept captures, a point for each change, the oldest first. `now` gives the values
   * of the newest one. The deltas are walked backwards once, for all keys.
   */
  pointsOf(keys: readonly string[], now: (key: string) => Change['before']): Map<string, Point[]> {
    const points = new Map(keys.map((key): [string, Point[]] => [key, []]));
    const values = new Map(keys.map((key) => [key, now(key)]));
    const [oldest, ...later] = this.entries;
    for (const { capturedAtMs: atMs, changes } of later.reverse()) {
      const before = new Map<string, Change['before']>();
      // Backwards: a key can change twice in one capture, and its value before the first change counts.
      for (let index = changes.length - 1; index >= 0; index--) {
        const change = changes[index];
        if (change && values.has(change.key)) before.set(change.key, change.before);
      }
      for (const [key, old] of before) {
        const value = values.get(key);
        if (Object.is(old, value)) continue;
        points.get(key)?.push({ atMs, value });
        values.set(key, old);
      }
    }
    if (oldest) for (const [key, value] of values) points.get(key)?.push({ atMs: oldest.capturedAtMs, value });
    for (const list of points.values()) list.reverse();
    return points;
  }

  private forgetPassing(): void {
    if (this.passing !== null) this.numbers.delete(this.passing);
    this.passing = null;
  }

  private forgetOld(): void {
    const handedOutSince = this.now() - HANDED_OUT_MS;
    this.forgetChanges(this.entries[0]);
    let drop = 0;
    for (let left = this.entries.length; left > 1; left--) {
      const isWanted = left <= this.limit || (this.entries[drop]?.handedOutAt ?? 0) >= handedOutSince;
      if (isWanted && this.keptChanges + left * ENTRY_WEIGHT <= MAX_KEPT_CHANGES) break;
      this.forgetChanges(this.entries[++drop]);
    }
    if (drop > 0) this.entries = this.entries.slice(drop);
    this.first += drop;
    for (const [id, number] of this.numbers) {
      if (number >= this.first && this.numbers.size <= MAX_IDS) break;
      this.numbers.delete(id);
    }
  }

  /** The changes that led to the oldest capture are useless: nothing older can be compared with. */
  private forgetChanges(oldest: Entry | undefined): void {
    if (!oldest) return;
    this.keptChanges -= weightOf(oldest.changes);
    oldest.changes = [];
  }
}

function weightOf(changes: readonly Change[]): number {
  let characters = 0;
  for (const { before, after } of changes) {
    if (typeof before === 'string') characters += before.length;
    if (typeof after === 'string') characters += after.length;
  }
  return changes.length + Math.floor(characters / CHARACTERS_PER_CHANGE);
}
