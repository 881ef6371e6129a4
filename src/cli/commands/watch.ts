/** `substrate watch <app> [glob …]`: the changes of an app as they come, until it ends or somebody interrupts. */

import { globMatcher } from '../../client/glob.ts';
import { type DiffResponse, type Scalar, type Substrate, SubstrateError } from '../../client/node.ts';
import { findApp } from '../find-app.ts';
import { printable } from '../terminal.ts';
import { showValue } from '../values.ts';
import type { CommandContext } from './command.ts';

export interface WatchOptions {
  readonly app: string;
  readonly globs: readonly string[];
  readonly signal: AbortSignal;
}

export async function watch({ terminal, substrate, json }: CommandContext, options: WatchOptions): Promise<void> {
  const app = await findApp(substrate, options.app);
  const matchers = options.globs.map(globMatcher);
  const isWanted = (key: string) => matchers.length === 0 || matchers.some((matches) => matches(key));
  let since: string | null = null;
  terminal.note(terminal.paint('dim', `watching ${printable(app.app_name)} (pid ${app.pid}); ctrl-c ends it`));
  try {
    for await (const event of substrate.watch(app.pid, { signal: options.signal })) {
      const time: string = event.kind === 'state' ? event.state.captured_at : event.timestamp;
      const isFirst = since === null;
      if (event.kind === 'state' && !isFirst) terminal.note(terminal.paint('dim', 'connected again'));
      // Asked for what differs only: a state may be large.
      const diff: DiffResponse | null = since === null ? null : await differences(substrate, app.pid, since);
      since = diff?.capture_id ?? (event.kind === 'state' ? event.state.capture_id : event.capture_id);
      const changes = diff === null ? [] : changesOf(diff).filter(([key]) => isWanted(key));
      if (json && changes.length > 0) terminal.out(JSON.stringify(asJson(since, time, changes)));
      else for (const change of changes) terminal.out(line(time, change, terminal.paint));
    }
    terminal.note(terminal.paint('dim', `${printable(app.app_name)} has ended`));
  } catch (error) {
    // Ctrl-c is the way to end it.
    if (!options.signal.aborted) throw error;
  }
}

type Change = readonly [key: string, before: Scalar | undefined, after: Scalar | undefined];

/** Null: the daemon does not have that capture any more, as after a restart. */
async function differences(substrate: Substrate, pid: number, since: string): Promise<DiffResponse | null> {
  try {
    return await substrate.diff(pid, since);
  } catch (error) {
    if (error instanceof SubstrateError && error.code === 'capture_not_found') return null;
    throw error;
  }
}

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
