/** The answers of `read_state`: a page about the whole, or the keys that were asked for. */
import { chooseKeys, countsAfter } from '../model/choose-keys.ts';
import { KeyFilter } from '../model/key-filter.ts';
import type { StateLook } from '../model/state-look.ts';
import { appData, bounded, fitted, keyLine, MAX_CHARACTERS, roomFor, valueText } from './app-data.ts';
import { type Grouped, groupKeys } from './key-groups.ts';
import { MANY_GROUPS, outline } from './outline.ts';
import { outlineState } from './state-outline.ts';

/** Of the whole answer. */
const PAGE = 3000;
const PART = 8000;
/** What was asked for by name may be long. */
const FEW_KEYS = 3;
const LONGEST_FACT = 150;
const SHORTEST_LINE = 6;
/** For the patterns of what is not there. */
const PATTERNS = 350;
const REST_PATTERNS = 1500;
const NOISE_PATTERNS = 160;

export function* wholeState(look: StateLook): Generator<void, string, void> {
  const grouped = yield* groupKeys(look);
  const { keys } = look.keys;
  // A state of few keys is told key by key.
  if (grouped.hidden.size === 0 && grouped.unnamed === 0 && keys.length < PAGE / SHORTEST_LINE) {
    const lines = keys.map((key) => lineOf(look, key, LONGEST_FACT));
    const text = appText(look, lines, keys.length);
    if (text.length <= PAGE) return text;
  }
  const patterns = yield* outline(grouped.shown, 12);
  const noise = yield* outline(grouped.hidden, 5);
  return fitted(PAGE, (room) => pageOf(look, grouped, { patterns, noise, room }));
}

function pageOf(
  look: StateLook,
  grouped: Grouped,
  { patterns, noise, room }: { patterns: readonly string[]; noise: readonly string[]; room: number },
): string {
  const { lines, told } = outlineState(look, grouped, room);
  const count = sum(told.values());
  const hidden = sum(grouped.hidden.values());
  const isAll = count === look.keys.keys.length;
  return appText(
    look,
    [
      ...lines,
      ...(isAll
        ? []
        : [
            `(${count} of ${look.keys.keys.length} keys are above. Ask for others with globs: ${listed(patterns, PATTERNS)})`,
          ]),
      ...(hidden === 0
        ? []
        : [`(${hidden} of them seem to be insides of libraries: ${listed(noise, NOISE_PATTERNS)})`]),
      ...(grouped.unnamed === 0 ? [] : [`(${grouped.unnamed} of them have no known name: unknown_0x*)`]),
    ],
    look.keys.keys.length,
  );
}

/** What fits, and the way to the rest. */
export function* partOfState(look: StateLook, globs: readonly string[]): Generator<void, string, void> {
  const chosen = yield* chooseKeys(look.keys, new KeyFilter(globs));
  const { keys } = chosen;
  const most = keys.length <= FEW_KEYS ? MAX_CHARACTERS : PART;
  const room = roomFor(keys.length, most);
  const all = bounded(keys, (key) => lineOf(look, key, room), most);
  if (all.left === 0) return appText(look, all.lines, keys.length);
  const { lines } = bounded(keys, (key) => lineOf(look, key, room), most - REST_PATTERNS - 2 * PATTERNS);
  const groups = yield* outline(countsAfter(chosen, lines.length), MANY_GROUPS);
  const more = `${keys.length - lines.length} ${lines.length > 0 ? 'more ' : ''}keys do not fit`;
  return appText(
    look,
    [...lines, `(${more}. Ask again with globs such as these: ${listed(groups, REST_PATTERNS)})`],
    keys.length,
  );
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

/** As many as fit. */
export function listed(texts: readonly string[], room: number): string {
  const { lines, left } = bounded(texts, (text) => text, room);
  return [...lines, ...(left === 0 ? [] : [`… ${left} more`])].join(', ');
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
