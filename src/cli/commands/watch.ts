/** `substrate watch <app> [glob …]`: the changes of an app as they come, until it ends or somebody interrupts. */

import { globMatcher } from '../../client/glob.ts';
import type { Scalar, SubstrateState } from '../../client/node.ts';
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
  let known: SubstrateState | null = null;
  terminal.note(terminal.paint('dim', `watching ${printable(app.app_name)} (pid ${app.pid}); ctrl-c ends it`));
  try {
    for await (const event of substrate.watch(app.pid, { signal: options.signal })) {
      const next: SubstrateState = event.kind === 'state' ? event.state : await substrate.state(app.pid);
      const changes = known === null ? [] : differences(known.objects, next.objects).filter(([key]) => isWanted(key));
      const isAgain = event.kind === 'state' && known !== null;
      known = next;
      if (isAgain) terminal.note(terminal.paint('dim', 'connected again'));
      if (json && changes.length > 0) terminal.out(JSON.stringify(asJson(next, changes)));
      else for (const change of changes) terminal.out(line(next, change, terminal.paint));
    }
    terminal.note(terminal.paint('dim', `${printable(app.app_name)} has ended`));
  } catch (error) {
    // Ctrl-c is the way to end it.
    if (!options.signal.aborted) throw error;
  }
}

type Change = readonly [key: string, before: Scalar | undefined, after: Scalar | undefined];
type Objects = Readonly<Record<string, Scalar>>;

function differences(before: Objects, after: Objects): Change[] {
  const changes: Change[] = [];
  for (const [key, value] of Object.entries(after))
    if (before[key] !== value) changes.push([key, key in before ? before[key] : undefined, value]);
  for (const key of Object.keys(before)) if (!(key in after)) changes.push([key, before[key], undefined]);
  return changes;
}

function asJson({ capture_id, captured_at }: SubstrateState, changes: readonly Change[]) {
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

function line(state: SubstrateState, [key, before, after]: Change, paint: CommandContext['terminal']['paint']): string {
  const time = paint('dim', state.captured_at.slice(11, 23));
  return `${time} ${paint('inverse', printable(key))} ${showValue(before, paint)} → ${showValue(after, paint)}`;
}
