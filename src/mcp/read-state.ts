/** The answers of `read_state`: a page about the whole, or the keys that were asked for. */
import { chooseKeys, countsAfter } from '../model/choose-keys.ts';
import { KeyFilter } from '../model/key-filter.ts';
import type { StateLook } from '../model/state-look.ts';
import { appData, bounded, cut, fitted, keyLine, MAX_CHARACTERS, roomFor, valueText } from './app-data.ts';
import { bestFirst } from './best-first.ts';
import { groupKeys } from './key-groups.ts';
import { MANY_GROUPS, outline } from './outline.ts';
import { outlineState } from './state-outline.ts';

/** Of the whole answer. */
const PAGE = 3000;
const SMALL_PAGE = 1200;
const PART = 8000;
/** What was asked for by name may be long. */
const FEW_KEYS = 3;
const LONGEST_FACT = 150;
const SHORTEST_LINE = 6;
/** For the patterns of what is not there. */
const PATTERNS = 350;
const REST_PATTERNS = 1500;
const NOISE_PATTERNS = 160;
/** For what is said about them. */
const WORDS = 240;
const FEW_GROUPS = 10;

export function* wholeState(look: StateLook): Generator<void, string, void> {
  const grouped = yield* groupKeys(look);
  const { keys } = look.keys;
  // A state of few keys is told key by key.
  if (grouped.hidden.size === 0 && grouped.unnamed === 0 && keys.length < SMALL_PAGE / SHORTEST_LINE) {
    const text = appText(
      look,
      keys.map((key) => lineOf(look, key, LONGEST_FACT)),
      keys.length,
    );
    if (text.length <= SMALL_PAGE) return text;
  }
  const room = PAGE - appText(look, [], keys.length).length - PATTERNS - NOISE_PATTERNS - WORDS;
  const { lines, told } = outlineState(look, grouped, room);
  const rest = new Map([...grouped.shown].map(([pattern, count]) => [pattern, count - (told.get(pattern) ?? 0)]));
  const patterns = yield* outline(new Map([...rest].filter(([, count]) => count > 0)), FEW_GROUPS);
  const noise = yield* outline(grouped.hidden, FEW_GROUPS);
  const hidden = sum(grouped.hidden.values());
  const count = sum(told.values());
  const notes = [
    ...(count === keys.length ? [] : [`(${count} of ${keys.length} keys are above.${more(patterns)})`]),
    ...(hidden === 0 ? [] : [`(${hidden} of them seem to be insides of libraries: ${listed(noise, NOISE_PATTERNS)})`]),
    ...(grouped.unnamed === 0 ? [] : [`(${grouped.unnamed} of them have no known name: unknown_0x*)`]),
  ];
  return fitted(PAGE, (room) => appText(look, [...bounded(lines, (line) => line, room).lines, ...notes], keys.length));
}

const more = (patterns: readonly string[]) =>
  patterns.length === 0 ? '' : ` Ask for others with globs: ${listed(patterns, PATTERNS)}`;

/** What fits, and the way to the rest. */
export function* partOfState(look: StateLook, globs: readonly string[]): Generator<void, string, void> {
  const chosen = yield* chooseKeys(look.keys, new KeyFilter(globs));
  const { keys } = chosen;
  const most = keys.length <= FEW_KEYS ? MAX_CHARACTERS : PART;
  const room = roomFor(keys.length, most);
  const all = bounded(keys, (key) => lineOf(look, key, room), most);
  if (all.left === 0) return appText(look, all.lines, keys.length);
  const sorted = { ...chosen, keys: yield* bestFirst(keys, (key) => key, globs) };
  const { lines } = bounded(sorted.keys, (key) => lineOf(look, key, room), most - REST_PATTERNS - 2 * PATTERNS);
  const groups = yield* outline(countsAfter(sorted, lines.length), MANY_GROUPS);
  const left = `${keys.length - lines.length} ${lines.length > 0 ? 'more ' : ''}keys do not fit`;
  const next = cut(sorted.keys[lines.length] ?? '', LONGEST_FACT);
  // A list that is asked for again by the same glob would begin at its first element again.
  const tip = groups.some((pattern) => pattern.includes('[*]')) ? '; [1??] means 100 to 199' : '';
  const note = `(${left}, from ${next} on. Ask again with globs such as these: ${listed(groups, REST_PATTERNS)}${tip})`;
  return appText(look, [...lines, note], keys.length);
}

function appText(look: StateLook, lines: readonly string[], keys: number): string {
  const { pid, app_id, app_name, confidence, capture_id } = look.facts;
  return [
    `pid ${pid}, app_id ${app_id}, confidence ${confidence}, capture_id ${capture_id}`,
    appData(app_id, [`(app) ${valueText(app_name, LONGEST_FACT)}`, ...addressOf(look), ...lines]),
    ...(keys === 0 ? ['No key matches.'] : []),
  ].join('\n');
}

/** Where the app is at the moment. */
export function addressOf({ facts: { context } }: StateLook): string[] {
  const { url, window_title } = context;
  return [
    ...(url === null ? [] : [`(url) ${valueText(url, LONGEST_FACT)}`]),
    ...(window_title === null ? [] : [`(window) ${valueText(window_title, LONGEST_FACT)}`]),
  ];
}

function lineOf(look: StateLook, key: string, room: number): string {
  const value = look.get(key);
  // Only where it took long to choose.
  return value === undefined ? `${key} is gone` : keyLine(key, value, room);
}

/** As many patterns as fit: `a.b[*] (12)`. */
export function listed(patterns: readonly string[], room: number): string {
  const { lines, left } = bounded(patterns, (text) => text.replace(/: (\d+) keys?$/, ' ($1)'), room - LEFT_ROOM);
  return [...lines, ...(left === 0 ? [] : [`… ${left} more`])].join(', ');
}

/** For the words about what does not fit. */
const LEFT_ROOM = 15;

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
