/** The answers of `read_state`: a page about the whole state, or the requested keys. */
import { chooseKeys } from '../model/choose-keys.ts';
import { anyCaseMatcher } from '../model/glob.ts';
import { KeyFilter } from '../model/key-filter.ts';
import { pathPattern } from '../model/path.ts';
import type { Scalar } from '../model/scalar.ts';
import { KeyList, type StateLook } from '../model/state-look.ts';
import { type UnmatchedGlob, unmatchedGlobs } from '../model/unmatched-globs.ts';
import { appData, bounded, cut, fitted, keyLine, MAX_CHARACTERS, roomFor, valueText } from './app-data.ts';
import { bestFirst } from './best-first.ts';
import { type Grouped, groupKeys } from './key-groups.ts';
import { outline } from './outline.ts';
import { MANY_ROWS, outlineState } from './state-outline.ts';

/** Characters of the whole answer. */
const PAGE = 3000;
const SMALL_PAGE = 1200;
/** Up to this number, requested values may be long. */
const FEW_KEYS = 3;
const LONGEST_FACT = 150;
const LONGEST_KEY = 80;
const MAX_UNMATCHED = 5;
const SHORTEST_LINE = 6;
/** Characters for the patterns of omitted keys. */
const PATTERNS = 220;
const NOISE_PATTERNS = 160;
/** Characters for the words about them. */
const WORDS = 200;
/** Less important values would fill the page without adding much. */
const USUAL_LINES = 1800;
/** For a page: its screen, and the content behind it in short. */
const PAGE_LINES = 1210;
const PAGE_PATTERNS = 60;
const FEW_GROUPS = 10;
/** Keys per step. */
const STEP = 256;

export function* wholeState(look: StateLook): Generator<void, string, void> {
  const { keys } = look.keys;
  const grouped = yield* groupKeys(look, { isWhole: true });
  // A state with few keys is shown key by key.
  const isPlain = grouped.hidden.size === 0 && grouped.unnamed === 0;
  const text = isPlain ? keyByKey(look, keys, SMALL_PAGE, LONGEST_FACT) : null;
  return text ?? (yield* page(look, grouped));
}

/** Key by key if that fits; otherwise a page about them, as for a whole state. */
export function* partOfState(look: StateLook, given: readonly string[]): Generator<void, string, void> {
  const globs = [...new Map(given.map((glob) => [glob.toLowerCase(), glob])).values()];
  const keys = yield* chooseKeys(look.keys, new KeyFilter(globs, anyCaseMatcher));
  const unmatched = yield* unmatchedGlobs(globs, keys, look.keys.places, anyCaseMatcher);
  const lines = unmatched.slice(0, MAX_UNMATCHED).map(unmatchedLine);
  if (keys.length === 0) return appText(look, lines, 0);
  const text = yield* chosenState(look, globs, keys);
  return lines.length === 0 ? text : [text, appData(lines)].join('\n');
}

/** The glob is the caller's, the keys are the app's. */
function unmatchedLine({ glob, nearest }: UnmatchedGlob): string {
  const near = nearest.length === 0 ? '' : `; nearest: ${nearest.map((key) => cut(key, LONGEST_KEY)).join(', ')}`;
  return `(nothing matches ${cut(glob, LONGEST_KEY)}${near})`;
}

function* chosenState(
  look: StateLook,
  globs: readonly string[],
  keys: readonly string[],
): Generator<void, string, void> {
  const most = keys.length <= FEW_KEYS ? MAX_CHARACTERS : PAGE;
  const text = keyByKey(look, keys, most, roomFor(keys.length, most));
  if (text !== null) return text;
  const sorted = yield* bestFirst(keys, (key) => key, globs);
  const part = yield* withBestFirst(yield* partOfLook(look, sorted), globs);
  const grouped = yield* groupKeys(part);
  if (grouped.groups.length > 0) return yield* page(part, grouped, MANY_ROWS);
  // Keys of libraries only, so the caller has a reason: noise is shown.
  return yield* page(part, yield* groupKeys({ ...part, isShown: () => true }, { all: true }), MANY_ROWS);
}

/** Keys that match most of the globs come first, even if they are noise. */
function* withBestFirst(look: StateLook, globs: readonly string[]): Generator<void, StateLook, void> {
  const matchers = globs.map(anyCaseMatcher);
  const hits = new Map<string, number>();
  let most = 0;
  for (const [pattern, [place = 0]] of look.keys.places) {
    const key = look.keys.keys[place] ?? pattern;
    const count = matchers.filter((matches) => matches(key)).length;
    hits.set(pattern, count);
    most = Math.max(most, count);
    yield;
  }
  const hitsOf = (key: string) => hits.get(pathPattern(key)) ?? 0;
  return {
    ...look,
    isShown: (key) => look.isShown(key) || (most > 1 && hitsOf(key) === most),
    salience: (key) => hitsOf(key) + look.salience(key),
  };
}

/** The same view of fewer keys. */
export function* partOfLook(look: StateLook, keys: readonly string[]): Generator<void, StateLook, void> {
  const part = new KeyList();
  for (const [at, key] of keys.entries()) {
    if (at % STEP === 0) yield;
    part.add(key, pathPattern(key));
  }
  return { ...look, keys: part };
}

/** Null if it does not fit. */
function keyByKey(look: StateLook, keys: readonly string[], most: number, room: number): string | null {
  if (keys.length * SHORTEST_LINE > most) return null;
  const text = appText(
    look,
    keys.map((key) => lineOf(look, key, room)),
    keys.length,
  );
  return text.length <= most ? text : null;
}

/** As many important values as fit, and the globs for the rest. */
function* page(look: StateLook, grouped: Grouped, rows?: number): Generator<void, string, void> {
  const { keys } = look.keys;
  const most = PAGE - appText(look, [], keys.length).length - PATTERNS - NOISE_PATTERNS - WORDS;
  const isGlance = rows === undefined && look.facts.context.url !== null;
  const room = rows === undefined ? Math.min(most, isGlance ? PAGE_LINES : USUAL_LINES) : most;
  const { lines, reported } = outlineState(look, grouped, room, rows);
  const rest = new Map([...grouped.shown].map(([pattern, count]) => [pattern, count - (reported.get(pattern) ?? 0)]));
  const patterns = yield* outline(new Map([...rest].filter(([, count]) => count > 0)), FEW_GROUPS);
  const hidden = sum(grouped.hidden.values());
  const count = sum(reported.values()) + grouped.said;
  // A caller with globs may have meant these.
  const noise = rows === undefined ? [] : yield* outline(grouped.hidden, FEW_GROUPS);
  const where = noise.length === 0 ? '' : `: ${listed(noise, NOISE_PATTERNS)}`;
  const others = [
    ...(hidden === 0 ? [] : [`${hidden} seem to be insides of libraries${where}`]),
    ...(grouped.unnamed === 0 ? [] : [`${grouped.unnamed} have no known name: unknown_0x*`]),
  ];
  const notes =
    count === keys.length
      ? []
      : [
          `(${[`${count} of ${keys.length} keys are above.${more(patterns, rows !== undefined, isGlance ? PAGE_PATTERNS : PATTERNS)}`, ...others].join('; ')})`,
        ];
  return fitted(PAGE, (room) => appText(look, [...bounded(lines, (line) => line, room).lines, ...notes], keys.length));
}

function more(patterns: readonly string[], isPart: boolean, room: number): string {
  if (patterns.length === 0) return '';
  // The same glob for a list would begin at its first element again.
  const tip = isPart && patterns.some((pattern) => pattern.includes('[*]')) ? '; [1??] means 100 to 199' : '';
  return ` Others by globs: ${listed(patterns, room)}${tip}`;
}

/** Below this, a model has to know the reason. */
const POOR = 0.8;

function appText(look: StateLook, lines: readonly string[], keys: number): string {
  const { pid, app_id, app_name, confidence, confidence_reason, capture_id } = look.facts;
  const reason = confidence < POOR ? ` (${confidence_reason.replace(/\.$/, '')})` : '';
  return [
    `pid ${pid}, confidence ${confidence}${reason}, capture_id ${capture_id}`,
    // The app chooses its name, and the id begins with it.
    appData([
      `(app) ${valueText(app_name, LONGEST_FACT)}, app_id ${app_id}`,
      ...addressOf(look),
      ...troubleOf(look),
      ...lines,
    ]),
    ...(keys === 0 ? ['No key matches.'] : []),
  ].join('\n');
}

/** The current location of the app. */
export function addressOf({ facts: { context } }: StateLook): string[] {
  const { url, window_title } = context;
  return [
    ...(url === null ? [] : [`(url) ${valueText(url, LONGEST_FACT)}`]),
    ...(window_title === null ? [] : [`(window) ${valueText(window_title, LONGEST_FACT)}`]),
  ];
}

/** Known failures of a page on one line, although they are also state. */
export function troubleOf(look: StateLook): string[] {
  const problem = look.get('page.problem');
  const counted = (count: Scalar | undefined, first: Scalar | undefined, what: string) =>
    typeof count !== 'number'
      ? []
      : [`${count} ${what}${count === 1 ? '' : 's'}, first ${valueText(first ?? '', 120)}`];
  const parts = [
    ...(problem === undefined ? [] : [valueText(problem, 200)]),
    ...(look.get('page.blank') === true ? ['it shows nothing'] : []),
    ...counted(look.get('page.errors'), look.get('page.error'), 'error'),
    ...counted(look.get('page.failed_requests'), look.get('page.failed_request'), 'failed request'),
  ];
  return parts.length === 0 ? [] : [`(trouble) ${parts.join('; ')}`];
}

function lineOf(look: StateLook, key: string, room: number): string {
  const value = look.get(key);
  // Only if the selection took long.
  return value === undefined ? `${key} is gone` : keyLine(key, value, room);
}

/** As many patterns as fit: `a.b[*] (12)`. */
export function listed(patterns: readonly string[], room: number): string {
  const { lines, left } = bounded(withoutNumbers(patterns), (text) => text, room - LEFT_ROOM);
  return [...lines, ...(left === 0 ? [] : [`… ${left} more`])].join(', ');
}

/** `unnamed2: 10 keys` and `unnamed3: 12 keys` are `unnamed* (22)`. */
function withoutNumbers(patterns: readonly string[]): string[] {
  const counts = new Map<string, { pattern: string; parts: number; keys: number }>();
  for (const text of patterns) {
    const [, pattern = text, keys = ''] = /^(.*): (\d+) keys?$/s.exec(text) ?? [];
    const name = /^\w+?\d+$/.test(pattern) ? pattern.replace(/\d+$/, '*') : pattern;
    const known = counts.get(name) ?? { pattern, parts: 0, keys: 0 };
    counts.set(name, { ...known, parts: known.parts + 1, keys: known.keys + Number(keys) });
  }
  return [...counts].map(([name, { pattern, parts, keys }]) =>
    keys === 0 ? pattern : `${parts > 1 ? name : pattern} (${keys})`,
  );
}

/** Characters for the words about omitted patterns. */
const LEFT_ROOM = 15;

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
