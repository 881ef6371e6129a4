/** `substrate watch <app> [glob …]`: the changes of an app as they come, until it ends or somebody interrupts. */

import type { AppSummary, DiffResponse, Scalar } from '../../client/node.ts';
import { printable } from '../terminal.ts';
import { noteUnmatched } from '../unmatched.ts';
import { showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findTracked, waitForState } from './first-look.ts';
import { watchLive } from './live-watch.ts';
import { follow } from './watch-diff.ts';

export interface WatchOptions {
  readonly app: string;
  readonly globs: readonly string[];
  /** Lines, even on a terminal. */
  readonly plain: boolean;
  readonly signal: AbortSignal;
}

export async function watch(context: CommandContext, options: WatchOptions): Promise<void> {
  const { terminal, substrate, json } = context;
  const { signal } = options;
  const isLive = terminal.isLive && !json && !options.plain;
  try {
    const app = await findTracked(context, options.app, { signal });
    await waitForState(context, app, { signal });
    if (isLive) await watchLive({ substrate, terminal, app, keys: options.globs, signal });
    else await watchLines(context, app, options.globs, signal);
    terminal.note(terminal.paint('dim', `${printable(app.app_name)} has ended`));
  } catch (error) {
    // Ctrl-C is the normal end.
    if (!signal.aborted) throw error;
  }
}

async function watchLines(
  { terminal, substrate, json }: CommandContext,
  app: AppSummary,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const follower = follow(substrate, app.pid, keys);
  let isFirst = true;
  terminal.note(terminal.paint('dim', `watching ${printable(app.app_name)} (pid ${app.pid}); ctrl-c ends it`));
  for await (const event of substrate.watch(app.pid, { signal, keys })) {
    const time = event.kind === 'state' ? event.state.captured_at : event.timestamp;
    if (event.kind === 'state' && !isFirst) terminal.note(terminal.paint('dim', 'connected again'));
    const { capture_id } = event.kind === 'state' ? event.state : event;
    const diff = isFirst ? null : await follower.next(capture_id);
    if (isFirst && event.kind === 'state') {
      noteUnmatched(terminal, event.state.unmatched);
      follower.takeState(event.state);
    }
    isFirst = false;
    if (diff === null) continue;
    const changes = changesOf(diff);
    if (json && changes.length > 0) terminal.json(asJson(diff.capture_id, time, changes));
    else for (const change of changes) terminal.out(line(time, change, terminal.paint));
  }
}

type Change = readonly [key: string, before: Scalar | undefined, after: Scalar | undefined];

function changesOf({ changed, added, removed }: DiffResponse): Change[] {
  return [
    ...changed.map(({ path, before, after }): Change => [path, before, after]),
    ...added.map(({ path, value }): Change => [path, undefined, value]),
    ...removed.map(({ path, value }): Change => [path, value, undefined]),
  ];
}

function asJson(capture_id: string, captured_at: string, changes: readonly Change[]) {
  return {
    capture_id,
    captured_at,
    changes: changes.map(([path, before, after]) => ({
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
  };
}

function line(time: string, [key, before, after]: Change, paint: CommandContext['terminal']['paint']): string {
  const clock = paint('dim', time.slice(11, 23));
  return `${clock} ${paint('inverse', printable(key))} ${showValue(before, paint)} → ${showValue(after, paint)}`;
}
