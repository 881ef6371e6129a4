/**
 * Finds rows of lists that only moved: a row put to the front, or removed from the middle, changes the keys of all
 * later rows. Rows are identified by an id, or, if they have none, by a text, provided that the rest of the row moved
 * with it. The cost depends on the rows that changed.
 */
import type { Scalar } from '../model/scalar.ts';
import type { KeyChange } from '../model/state-look.ts';

/** One position of a row, and its changes by the rest of the key. */
export interface Row {
  readonly at: number;
  readonly changes: ReadonlyMap<string, KeyChange>;
}

export interface Move {
  readonly from: Row;
  readonly to: Row;
}

export interface MovedList {
  readonly list: string;
  /** The field that identifies its rows: `.id`. */
  readonly idField: string;
  /** Rows that changed their order. Rows that are neither here, nor gone, nor new, are in their old order. */
  readonly moves: readonly Move[];
  readonly gone: readonly Row[];
  readonly appeared: readonly Row[];
  /** The direction in which these made the others move. */
  readonly others: 'none' | 'up' | 'down' | 'both';
  /** The last position with a change. If the list became longer or shorter, it has all fields of a row. */
  readonly last: Row;
}

export interface FoundMoves {
  readonly lists: readonly MovedList[];
  /** All other changes, and changes within moved rows: at their new position, with the earlier values. */
  readonly rest: readonly KeyChange[];
}

const ID_FIELDS = ['.id', '.key', '.uuid', '._id', '.name'];
/** Levels of nested lists. */
const LEVELS = 3;
/** Rows without an id are compared as a whole: limits for their number, and for the number of texts. */
const MAX_WHOLE_ROWS = 200;
const MAX_TEXTS = 5;

type Rows = Map<number, Map<string, KeyChange>>;

export interface Now {
  get(key: string): Scalar | undefined;
  /** The fields of the rows of a list: `.customer`. */
  fieldsOf(list: string): readonly string[];
  /** False for changes that are not reported. */
  isReported(key: string): boolean;
}

/** Changes per step. */
const STEP = 256;

export function* findMoves(changes: readonly KeyChange[], now: Now): Generator<void, FoundMoves, void> {
  const lists: MovedList[] = [];
  const done: KeyChange[] = [];
  let pending = changes;
  for (let level = 0; level < LEVELS; level++) {
    const next: KeyChange[] = [];
    for (const [list, rows] of yield* rowsOf(pending, level, done)) {
      yield;
      const [sample] = rows.values();
      const isReported = [...(sample?.values() ?? [])].some(({ key }) => now.isReported(key));
      const field = isReported ? idFieldOf(list, rows, now) : null;
      if (field !== null) lists.push(yield* explain(list, rows, field, now, next));
      else for (const row of rows.values()) next.push(...row.values());
    }
    pending = next;
  }
  return { lists, rest: lists.length === 0 ? changes : [...done, ...pending] };
}

/** By list and position. `others` receives changes outside the lists of this level. */
function* rowsOf(
  changes: readonly KeyChange[],
  level: number,
  others: KeyChange[],
): Generator<void, Map<string, Rows>, void> {
  const lists = new Map<string, Rows>();
  for (const [place, change] of changes.entries()) {
    if (place % STEP === 0) yield;
    const { key } = change;
    const open = indexIn(key, level);
    if (open < 0) {
      others.push(change);
      continue;
    }
    const close = key.indexOf(']', open);
    const list = key.slice(0, open);
    const rows: Rows = lists.get(list) ?? new Map();
    if (rows.size === 0) lists.set(list, rows);
    const at = Number(key.slice(open + 1, close));
    const row = rows.get(at);
    const rest = key.slice(close + 1);
    if (row) row.set(rest, change);
    else rows.set(at, new Map([[rest, change]]));
  }
  return lists;
}

/** The position of the index of this level, or -1. */
function indexIn(key: string, level: number): number {
  let left = level;
  for (let open = key.indexOf('['); open >= 0; ) {
    if (key[open + 1] !== '"') {
      if (left-- === 0) return open;
      open = key.indexOf('[', open + 1);
      continue;
    }
    let at = open + 2;
    while (at < key.length && key[at] !== '"') at += key[at] === '\\' ? 2 : 1;
    open = key.indexOf('[', at);
  }
  return -1;
}

/** Null if its rows have none, or if none has moved. */
function idFieldOf(list: string, rows: Rows, now: Now): string | null {
  const [first] = rows.keys();
  for (const field of ID_FIELDS) {
    const ids = idsOf(rows, field);
    if (ids === 'none') {
      // It identifies the rows, and shows that none has moved.
      if (now.get(`${list}[${first}]${field}`) !== undefined) return null;
    } else if (ids !== 'alike') {
      for (const id of ids.now.keys()) if (ids.before.has(id)) return field;
      return null;
    }
  }
  return textFieldOf(list, rows, now);
}

/** For rows without an id: a text that moved together with its whole row. */
function textFieldOf(list: string, rows: Rows, now: Now): string | null {
  if (rows.size > MAX_WHOLE_ROWS) return null;
  const all = new Set([...rows.values()].flatMap((row) => [...row.keys()]));
  const texts = [...all].filter((field) => [...rows.values()].some((row) => typeof row.get(field)?.after === 'string'));
  if (texts.length === 0) return null;
  for (const field of now.fieldsOf(list)) all.add(field);
  const isSame = (from: number, to: number) =>
    [...all].every((field) =>
      Object.is(valueBefore(list, from, rows, field, now), valueAfter(list, to, rows, field, now)),
    );
  for (const field of texts.slice(0, MAX_TEXTS)) {
    const ids = idsOf(rows, field);
    if (typeof ids === 'string') continue;
    const kept = [...ids.before].flatMap(([id, from]) => {
      const to = ids.now.get(id);
      return to === undefined ? [] : [[from, to] as const];
    });
    if (kept.length > 0 && kept.every(([from, to]) => isSame(from, to))) return field;
  }
  return null;
}

/** An unchanged value is the same now as before. */
function valueBefore(list: string, at: number, rows: Rows, field: string, now: Now): Scalar | undefined {
  const change = rows.get(at)?.get(field);
  return change ? change.before : now.get(`${list}[${at}]${field}`);
}

function valueAfter(list: string, at: number, rows: Rows, field: string, now: Now): Scalar | undefined {
  const change = rows.get(at)?.get(field);
  return change ? change.after : now.get(`${list}[${at}]${field}`);
}

interface Ids {
  readonly before: ReadonlyMap<Scalar, number>;
  readonly now: ReadonlyMap<Scalar, number>;
}

/** The old and new position of each id. `none`: none has changed; `alike`: it is no id. */
function idsOf(rows: Rows, field: string): Ids | 'none' | 'alike' {
  const [before, now] = [new Map<Scalar, number>(), new Map<Scalar, number>()];
  for (const [at, row] of rows) {
    const change = row.get(field);
    if (!change) continue;
    if (!put(before, change.before, at) || !put(now, change.after, at)) return 'alike';
  }
  return before.size + now.size === 0 ? 'none' : { before, now };
}

function put(ids: Map<Scalar, number>, id: Scalar | undefined, at: number): boolean {
  if (id === undefined) return true;
  if (id === null || id === '' || typeof id === 'boolean' || ids.has(id)) return false;
  ids.set(id, at);
  return true;
}

/** `rest` receives the other changes in the list. */
function* explain(
  list: string,
  rows: Rows,
  idField: string,
  look: Now,
  rest: KeyChange[],
): Generator<void, MovedList, void> {
  yield;
  const ids = idsOf(rows, idField);
  yield;
  const { before, now }: Ids = typeof ids === 'string' ? { before: new Map(), now: new Map() } : ids;
  const rowAt = (at: number): Row => ({ at, changes: rows.get(at) ?? new Map() });
  const kept: Move[] = [];
  const gone: Row[] = [];
  for (const [id, at] of before) {
    const to = now.get(id);
    if (to === undefined) gone.push(rowAt(at));
    else kept.push({ from: rowAt(at), to: rowAt(to) });
    if (kept.length % STEP === 0) yield;
  }
  const appeared = [...now].filter(([id]) => !before.has(id)).map(([, at]) => rowAt(at));
  for (const row of rows.values()) if (!row.has(idField)) rest.push(...row.values());
  yield;
  for (const [place, move] of kept.entries()) {
    if (place % STEP === 0) yield;
    addChanged(list, move, rows, look, rest);
  }
  yield;
  const places = [...new Set([...before.values(), ...now.values()])].sort((one, other) => one - other);
  yield;
  const inOrder = keptInOrder(kept, places);
  yield;
  const shifts = new Set([...inOrder].map(({ from, to }) => to.at < from.at));
  const others = shifts.size === 0 ? 'none' : shifts.size > 1 ? 'both' : shifts.has(true) ? 'up' : 'down';
  const byPlace = (one: Row, other: Row) => one.at - other.at;
  const moves = kept.filter((move) => !inOrder.has(move)).sort((one, other) => byPlace(one.to, other.to));
  gone.sort(byPlace);
  appeared.sort(byPlace);
  return { list, idField, moves, gone, appeared, others, last: rowAt(places.at(-1) ?? 0) };
}

/** The changes within a row, apart from its position. */
function addChanged(list: string, { from, to }: Move, rows: Rows, now: Now, into: KeyChange[]): void {
  const compare = (field: string) => {
    const [was, is] = [valueBefore(list, from.at, rows, field, now), valueAfter(list, to.at, rows, field, now)];
    if (!Object.is(was, is)) into.push({ key: `${list}[${to.at}]${field}`, before: was, after: is });
  };
  for (const field of to.changes.keys()) compare(field);
  for (const field of from.changes.keys()) if (!to.changes.has(field)) compare(field);
}

/**
 * As many rows as possible that are still in their old order and need no report. A row that did not change keeps its
 * position: no other may pass it unreported.
 */
function keptInOrder(kept: readonly Move[], changed: readonly number[]): Set<Move> {
  const blocks = new Map<number, number>();
  for (const at of changed) blocks.set(at, blocks.get(at - 1) ?? at);
  const candidates = kept
    .filter(({ from, to }) => blocks.get(from.at) === blocks.get(to.at))
    .sort((one, other) => one.from.at - other.from.at);
  return new Set(longestRising(candidates, ({ to }) => to.at));
}

/** The longest increasing subsequence. */
function longestRising<Item>(items: readonly Item[], rankOf: (item: Item) => number): Item[] {
  interface Step {
    readonly item: Item;
    readonly before: Step | undefined;
  }
  /** By length: the end of the subsequence that ends lowest. */
  const ends: Step[] = [];
  for (const item of items) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = ends[middle];
      if (end && rankOf(end.item) < rankOf(item)) low = middle + 1;
      else high = middle;
    }
    ends[low] = { item, before: ends[low - 1] };
  }
  const longest: Item[] = [];
  for (let step = ends.at(-1); step; step = step.before) longest.push(step.item);
  return longest;
}
