/** Waits until a text is shown: in any value that matters, wherever it stands. */
import { setTimeout as delay } from 'node:timers/promises';
import { type App, SubstrateError } from '../client/index.ts';
import { inSlices } from '../model/in-slices.ts';
import type { StateLook } from '../model/state-look.ts';
import { keyLine } from './app-data.ts';
import type { Apps } from './apps.ts';

interface Seen {
  readonly lines: readonly string[];
  readonly afterMs: number;
}

const PAUSE_MS = 500;
const MOST_LINES = 3;
const LONGEST_VALUE = 200;
/** Values between two steps. */
const STEP = 256;

export async function waitForText(
  apps: Apps,
  app: App,
  text: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Seen> {
  const started = performance.now();
  const wanted = plain(text);
  let last: string | null = null;
  for (;;) {
    const isLast = performance.now() - started >= timeoutMs;
    const look = await apps.look(app, { fresh: true, signal }).catch(unlessForNow(isLast));
    const isNew = look !== null && look.facts.capture_id !== last;
    last = look?.facts.capture_id ?? last;
    const lines = isNew ? await inSlices(linesWith(look, wanted), () => signal.throwIfAborted()) : [];
    const afterMs = Math.round(performance.now() - started);
    if (lines.length > 0 || isLast) return { lines, afterMs };
    await delay(Math.min(PAUSE_MS, Math.max(0, timeoutMs - afterMs)), undefined, { signal });
  }
}

/** A page that is just loading cannot be read; a moment later it can. */
const unlessForNow = (isLast: boolean) => (error: unknown) => {
  if (!isLast && error instanceof SubstrateError && error.status >= 500) return null;
  throw error;
};

function* linesWith(look: StateLook, wanted: string): Generator<void, string[], void> {
  const lines: string[] = [];
  for (const [at, key] of look.keys.keys.entries()) {
    if (at % STEP === 0) yield;
    const value = look.get(key);
    if (value === undefined || value === null || !plain(String(value)).includes(wanted)) continue;
    if (look.isShown(key)) lines.push(keyLine(key, value, LONGEST_VALUE));
    if (lines.length === MOST_LINES) break;
  }
  return lines;
}

/** As a reader sees it. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');
