/** Waits until a text appears in any value that is not noise. */
import { setTimeout as delay } from 'node:timers/promises';
import { type App, type Scalar, SubstrateError } from '../client/index.ts';
import { inSlices } from '../model/in-slices.ts';
import type { StateLook } from '../model/state-look.ts';
import { keyLine } from './app-data.ts';
import type { Apps } from './apps.ts';

interface Wanted {
  readonly text: string;
  /** Only changes since this capture count; undefined if everything counts. */
  readonly since: string | undefined;
  readonly timeoutMs: number;
}

interface Seen {
  readonly lines: readonly string[];
  readonly afterMs: number;
}

type Entry = readonly [key: string, value: Scalar];

const PAUSE_MS = 500;
const MOST_LINES = 3;
const LONGEST_VALUE = 200;
/** Values between two yields, so that a large state does not block the daemon. */
const STEP = 256;

export async function waitForText(apps: Apps, app: App, wanted: Wanted, signal: AbortSignal): Promise<Seen> {
  const started = performance.now();
  const text = plain(wanted.text);
  const known = new Set<string>();
  for (;;) {
    const isLast = performance.now() - started >= wanted.timeoutMs;
    const entries = await entriesOf(apps, app, wanted.since, known, signal).catch(emptyUnlessLast(isLast));
    const lines = await inSlices(linesWith(entries, text), { owner: apps.owner, goOn: () => signal.throwIfAborted() });
    const afterMs = Math.round(performance.now() - started);
    if (lines.length > 0 || isLast) return { lines, afterMs };
    await delay(Math.min(PAUSE_MS, Math.max(0, wanted.timeoutMs - afterMs)), undefined, { signal });
  }
}

/** All values that are not noise; with `since`, only the changes and the new controls. */
async function entriesOf(
  apps: Apps,
  app: App,
  since: string | undefined,
  known: Set<string>,
  signal: AbortSignal,
): Promise<Iterable<Entry>> {
  const look = await apps.look(app, { fresh: true, signal });
  if (since === undefined) return [...shownIn(look), ...look.actionTexts()];
  const controls = newControls(look, known);
  const { changed, added } = await apps.substrate.diff(look.facts.pid, since, { signal });
  return [
    ...changed.map(({ path, after }): Entry => [path, after]),
    ...added.map(({ path, value }): Entry => [path, value]),
    ...controls,
  ];
}

/** Buttons and links count, because they show their names. Those of the first read are not new. */
function newControls(look: StateLook, known: Set<string>): Entry[] {
  const isFirst = known.size === 0;
  const fresh = [...look.actionTexts()].filter(([name, text]) => !known.has(`${name} ${text}`));
  for (const [name, text] of fresh) known.add(`${name} ${text}`);
  return isFirst ? [] : fresh.map(([name, text]) => [name, text]);
}

function* shownIn(look: StateLook): Generator<Entry, void, void> {
  for (const key of look.keys.keys) if (look.isShown(key)) yield [key, look.get(key) ?? null];
}

/** Ignores a failure before the last attempt, because a page that still loads can be read soon. */
const emptyUnlessLast = (isLast: boolean) => (error: unknown) => {
  if (!isLast && error instanceof SubstrateError && error.status >= 500) return [];
  throw error;
};

function* linesWith(entries: Iterable<Entry>, wanted: string): Generator<void, string[], void> {
  const lines: string[] = [];
  let checked = 0;
  for (const [key, value] of entries) {
    if (++checked % STEP === 0) yield;
    if (value === null || !plain(String(value)).includes(wanted)) continue;
    lines.push(keyLine(key, value, LONGEST_VALUE));
    if (lines.length === MOST_LINES) break;
  }
  return lines;
}

/** Readers ignore case and line breaks. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');
