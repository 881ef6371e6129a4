/** `substrate watch` for a person at a terminal: uses the whole window, and keeps it up to date. */
import type { AppSummary, Substrate, SubstrateState } from '../../client/node.ts';
import { liveLines } from '../live/live-lines.ts';
import { LiveModel } from '../live/live-model.ts';
import { Screen } from '../live/screen.ts';
import type { Terminal } from '../terminal.ts';
import { follow } from './watch-diff.ts';

/** For the age of the capture, and the end of highlights. */
const TICK_MS = 250;
const ASK_MS = 1000;
const SHORTEST_FRAME_MS = 50;

export interface LiveWatch {
  readonly substrate: Substrate;
  readonly terminal: Terminal;
  readonly app: AppSummary;
  /** Globs; empty for all keys. */
  readonly keys: readonly string[];
  readonly signal: AbortSignal;
}

/** Resolves when the app has ended; rejects when the signal is aborted. */
export async function watchLive({ substrate, terminal, app, keys, signal }: LiveWatch): Promise<void> {
  const model = new LiveModel(Date.now());
  const follower = follow(substrate, app.pid, keys);
  const draw = () => {
    pending = null;
    const { paint } = terminal;
    screen.draw(liveLines(model, { app, ...screen.size, now: Date.now(), paint }));
  };
  const screen = new Screen(terminal.stdout, draw);
  let pending: NodeJS.Timeout | null = null;
  const drawSoon = () => {
    pending ??= setTimeout(draw, SHORTEST_FRAME_MS);
  };
  const ticker = setInterval(drawSoon, TICK_MS);
  // Changes are pushed, captures without changes are not: their age is polled.
  const asker = setInterval(async () => model.takeSummary(await substrate.app(app.pid).catch(() => null)), ASK_MS);
  screen.open();
  try {
    const takeState = (state: SubstrateState) => {
      follower.takeState(state);
      model.takeState(state);
    };
    for await (const event of substrate.watch(app.pid, { signal, keys })) {
      if (event.kind === 'state') takeState(event.state);
      else if (event.capture_id !== model.captureId) {
        const diff = await follower.next(event.capture_id);
        if (diff === null) takeState(await substrate.state(app.pid, { keys }));
        else model.takeDiff(diff, event.timestamp, Date.now());
      }
      drawSoon();
    }
  } finally {
    clearInterval(ticker);
    clearInterval(asker);
    if (pending !== null) clearTimeout(pending);
    screen.close();
  }
}
