/** `substrate watch <app> [glob …]`: the changes of an app as they come, until it ends or somebody interrupts. */

import { globMatcher } from '../../client/glob.ts';
import type { AppSummary, DiffResponse, Scalar } from '../../client/node.ts';
import { printable } from '../terminal.ts';
import { showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findTracked, waitForState } from './first-look.ts';
import { watchLive } from './live-watch.ts';
import { differences } from './watch-diff.ts';

export interface WatchOptions {
  readonly app: string;
  readonly globs: readonly string[];
  /** Line by line also on a terminal. */
  readonly plain: boolean;
  readonly signal: AbortSignal;
}

export async function watch(context: CommandContext, options: WatchOptions): Promise<void> {
  const { terminal, substrate, json } = context;
  const { signal } = options;
  const matchers = options.globs.map(globMatcher);
  const isWanted = (key: string) => matchers.length === 0 || matchers.some((matches) => matches(key));
  const isLive = terminal.isLive && !json && !options.plain;
  try {
    const app = await findTracked(context, options.app, { signal });
    await waitForState(context, app, { signal });
    if (isLive) await watchLive({ substrate, terminal, app, isWanted, signal });
    else await watchLines(context, app, isWanted, signal);
    terminal.note(terminal.paint('dim', `${printable(app.app_name)} has ended`));
  } catch (error) {
    // Ctrl-c is the way to end it.
    if (!signal.aborted) throw error;
  }
}

async function watchLines(
  { terminal, substrate, json }: CommandContext,
  app: AppSummary,
  isWanted: (key: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  let since: string | null = null;
  terminal.note(terminal.paint('dim', `watching ${printable(app.app_name)} (pid ${app.pid}); ctrl-c ends it`));
  for await (const event of substrate.watch(app.pid, { signal })) {
    const time: string = event.kind === 'state' ? event.state.captured_at : event.timestamp;
    if (event.kind === 'state' && since !== null) terminal.note(terminal.paint('dim', 'connected again'));
    // Asked for what differs only: a state may be large.
    const diff: DiffResponse | null = since === null ? null : await differences(substrate, app.pid, since);
    since = diff?.capture_id ?? (event.kind === 'state' ? event.state.capture_id : event.capture_id);
    const changes = diff === null ? [] : changesOf(diff).filter(([key]) => isWanted(key));
    if (json && changes.length > 0) terminal.json(asJson(since, time, changes));
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
