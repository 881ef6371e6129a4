/**
 * Changes for reading: rows and objects instead of single keys, the important ones first, absent distinguished from
 * null.
 */
import { pathPattern } from '../model/path.ts';
import type { KeyChange, StateLook } from '../model/state-look.ts';
import { briefText, cut } from './app-data.ts';
import { inOrder } from './key-groups.ts';
import { isUnnamed, nameOf, ofAllEntries, placeOf } from './key-place.ts';
import { type ReportedList, reportMoved } from './moved-lines.ts';
import { findMoves } from './moved-rows.ts';
import { openingsAmong } from './opening-words.ts';

type Kind = 'changed' | 'appeared' | 'gone';

/** Changes of one kind in one object or list. */
interface Bundle {
  readonly kind: Kind;
  /** A pattern. */
  readonly container: string;
  /** By object or row. */
  readonly rows: Map<string, KeyChange[]>;
  count: number;
  salience: number;
}

export interface ChangeLines {
  readonly lines: readonly string[];
  /** The omitted changes: their number by pattern. */
  readonly left: ReadonlyMap<string, number>;
  /** Number of changes of noise and of keys without a name. */
  readonly noise: number;
}

const LONGEST_LINE = 240;
const LONGEST_VALUE = 80;
/** If there are few changes, each gets more room. */
const LONG_VALUE = 400;
/** More rows, or more single values, of one place are summarised. */
const FEW = 3;
/** Repetitions of the same change in several places. */
const FEW_ALIKE = 2;
const SHORT_TEXT = 3;
/** More than a change adds to a score. */
const COUNTING = 0.4;

/** Changes per step. */
const STEP = 64;
/** The salience of opened parts, which come first: they can be used now. */
const MOST = 2;

/** `all` includes noise, because it was requested. */
export function* changeLines(
  changes: readonly KeyChange[],
  look: StateLook,
  room: number,
  all = false,
): Generator<void, ChangeLines, void> {
  const isReported = (key: string) => all || (!isUnnamed(key) && look.isShown(key));
  const { lists, rest } = yield* findMoves(changes, {
    get: (key) => look.get(key),
    isReported,
    fieldsOf: (list) => fieldsOfRows(list, look.keys.places.keys()),
  });
  const shown: KeyChange[] = [];
  for (const [at, change] of rest.entries()) {
    if (at % STEP === 0) yield;
    if (isReported(change.key)) shown.push(change);
  }
  // Requested keys are reported as keys.
  const { openings, others } = all ? { openings: [], others: shown } : openingsAmong(shown);
  const reported = withoutSizes(others);
  yield;
  const lines: string[] = [];
  const left = new Map<string, number>();
  const said = new Map<string, number>();
  let free = room;
  const value = Math.min(LONG_VALUE, Math.max(LONGEST_VALUE, Math.floor(room / 2 / Math.max(1, reported.length))));
  const longest = 2 * Math.max(LONGEST_LINE, value);
  const parts: ReportedList[] = openings.length === 0 ? [] : [{ lines: openings, salience: MOST }];
  for (const list of lists) {
    yield;
    parts.push(reportMoved(list, look, isReported));
  }
  for (const bundle of withRemovalsMerged(yield* bundlesOf(reported, look))) {
    yield;
    parts.push({ lines: linesOf(bundle, value), salience: salienceOf(bundle) });
  }
  let counted = 0;
  for (const part of inOrder(parts)) {
    yield;
    for (const { text, changes } of part.lines) {
      const isNews = changes.length !== 1 || count(said, sameAs(changes[0])) <= FEW_ALIKE;
      if (isNews && text.length < free && text.length <= longest) {
        lines.push(text);
        free -= text.length + 1;
        continue;
      }
      for (const { key } of changes) {
        count(left, ofAllEntries(pathPattern(key)));
        if (++counted % STEP === 0) yield;
      }
    }
  }
  return { lines, left, noise: rest.length - shown.length };
}

function fieldsOfRows(list: string, patterns: Iterable<string>): string[] {
  const row = `${pathPattern(list)}[*]`;
  const fields: string[] = [];
  for (const pattern of patterns)
    if (pattern.startsWith(row) && !pattern.includes('[*]', row.length)) fields.push(pattern.slice(row.length));
  return fields;
}

function count(counts: Map<string, number>, what: string): number {
  const counted = (counts.get(what) ?? 0) + 1;
  counts.set(what, counted);
  return counted;
}

/** One value may be stored in many places: it is reported for the best of them. */
function sameAs(change: KeyChange | undefined): string {
  const { key = '', before, after } = change ?? {};
  const isDistinctive = [before, after].some((value) => typeof value === 'string' && value.length > SHORT_TEXT);
  return isDistinctive ? JSON.stringify([before, after]) : key;
}

/** Added or removed elements imply the new length of a list. */
function withoutSizes(changes: readonly KeyChange[]): KeyChange[] {
  const lists = new Set(
    changes
      .filter(({ before, after }) => before === undefined || after === undefined)
      .flatMap(({ key }) => [...key.matchAll(/\[\d+\]/g)].map(({ index }) => key.slice(0, index))),
  );
  return changes.filter(({ key }) => !(/\.(?:length|size)$/.test(key) && lists.has(key.replace(/\.\w+$/, ''))));
}

function kindOf({ before, after }: KeyChange): Kind {
  if (before === undefined) return 'appeared';
  return after === undefined ? 'gone' : 'changed';
}

function* bundlesOf(changes: readonly KeyChange[], look: StateLook): Generator<void, Bundle[], void> {
  const bundles = new Map<string, Bundle>();
  for (const [at, change] of changes.entries()) {
    if (at % STEP === 0) yield;
    const kind = kindOf(change);
    const { container, rest } = placeOf(change.key);
    const pattern = container === '' ? change.key : ofAllEntries(pathPattern(container));
    const name = `${kind} ${pattern}`;
    const bundle = bundles.get(name) ?? { kind, container: pattern, rows: new Map(), count: 0, salience: 0 };
    bundles.set(name, bundle);
    const row = change.key.slice(0, change.key.length - rest.length);
    const known = bundle.rows.get(row);
    if (known) known.push(change);
    else bundle.rows.set(row, [change]);
    bundle.count++;
    bundle.salience = Math.max(bundle.salience, look.salience(change.key));
  }
  return [...bundles.values()];
}

/** Mere numbers come after texts and flags. */
function salienceOf(bundle: Bundle): number {
  const says = (value: unknown) => typeof value === 'string' || typeof value === 'boolean';
  const saysSome = [...bundle.rows.values()].some((changes) =>
    changes.some(({ before, after }) => says(before) || says(after)),
  );
  return bundle.salience - (saysSome ? 0 : COUNTING);
}

/** Many keys gone from one place only mean that the place is gone: `inbox: 12 keys gone`. */
function withRemovalsMerged(bundles: readonly Bundle[]): Bundle[] {
  const gone = new Map<string, Bundle[]>();
  for (const bundle of bundles) {
    if (bundle.kind !== 'gone') continue;
    const root = rootOf(bundle.container);
    const known = gone.get(root);
    if (known) known.push(bundle);
    else gone.set(root, [bundle]);
  }
  const ruins = [...gone].filter(([, parts]) => parts.length > FEW);
  const isPart = new Set(ruins.flatMap(([, parts]) => parts));
  const whole = ruins.map(([root, parts]): Bundle => {
    const changes = parts.flatMap(({ rows }) => [...rows.values()].flat());
    const salience = parts.reduce((most, part) => Math.max(most, part.salience), 0);
    return { kind: 'gone', container: root, rows: new Map([[root, changes]]), count: changes.length, salience };
  });
  return [...bundles.filter((bundle) => !isPart.has(bundle)), ...whole];
}

const rootOf = (path: string) => /^(?:\["(?:[^"\\]|\\.)*"\]|[^.[]+)/s.exec(path)?.[0] ?? path;

interface Line {
  readonly text: string;
  readonly changes: readonly KeyChange[];
}

/** `room`: the limit of a single value. */
function linesOf({ kind, container, rows, count }: Bundle, room: number): Line[] {
  const all = [...rows.values()].flat();
  if (count <= FEW) return all.map((change) => ({ text: singleLine(change, room), changes: [change] }));
  // The old values of a row are left out if much of it has changed.
  if (kind === 'changed' ? container.endsWith('[*]') && rows.size === 1 : rows.size <= FEW) {
    return [...rows].map(([row, changes]) => ({ text: rowText(kind, row, changes), changes }));
  }
  const what = rows.size === 1 ? `${count} keys` : `${rows.size} rows (${count} keys)`;
  const examples =
    kind === 'changed'
      ? all.slice(0, FEW).map((change) => singleLine(change))
      : [...rows].slice(0, FEW).map(([row, changes]) => rowText(kind, row, changes));
  return [{ text: cut(`${container}: ${what} ${kind}; ${examples.join('; ')}`, LONGEST_LINE), changes: all }];
}

function singleLine({ key, before, after }: KeyChange, room = LONGEST_VALUE): string {
  if (before === undefined) return `${key}: appeared, ${briefText(after, room)}`;
  // A removed value matters less than a new one.
  if (after === undefined) return `${key}: gone, was ${briefText(before, LONGEST_VALUE)}`;
  return `${key}: ${briefText(before, LONGEST_VALUE)} -> ${briefText(after, room)}`;
}

function rowText(kind: Kind, row: string, changes: readonly KeyChange[]): string {
  const values = changes.map(({ key, before, after }) => {
    const name = nameOf(key.slice(row.length));
    const value = briefText(kind === 'gone' ? before : after, LONGEST_VALUE);
    return name === '' ? value : `${name} = ${value}`;
  });
  const start = changes.length > 1 ? `${row}: ${changes.length} keys ${kind}` : `${row}: ${kind}`;
  return cut(`${start}: ${values.join(', ')}`, LONGEST_LINE);
}
