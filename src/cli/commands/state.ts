/** `substrate state <app> [glob …]`: the state of an app, or a part of it, as a tree. */
import { keyTree } from '../key-tree.ts';
import { printable } from '../terminal.ts';
import { noteUnmatched } from '../unmatched.ts';
import { counted, showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

export interface StateOptions {
  readonly app: string;
  readonly globs: readonly string[];
  readonly fresh: boolean;
  /** Include unimportant keys. */
  readonly all: boolean;
  /** One `key = value` per line instead of a tree. */
  readonly flat: boolean;
  /** How long to wait for the first capture of an app. */
  readonly timeoutMs: number | undefined;
}

/** Below it people want the reason. */
const SURE = 0.95;

export async function showState(context: CommandContext, options: StateOptions): Promise<void> {
  const { terminal, substrate, json } = context;
  const { pid } = await findReady(context, options.app, { timeoutMs: options.timeoutMs });
  const state = await substrate.state(pid, { fresh: options.fresh, all: options.all, keys: options.globs });
  noteUnmatched(terminal, state.unmatched);
  if (json) return terminal.json(state);
  const { objects } = state;
  const count = Object.keys(objects).length;
  const { paint } = terminal;
  if (options.flat)
    for (const [key, value] of Object.entries(objects)) terminal.out(`${printable(key)} = ${showValue(value, paint)}`);
  else for (const line of keyTree(objects, paint)) terminal.out(line);
  const total = state.probe_metadata.filtered_object_count;
  // Globs also select keys that are not shown otherwise.
  const share = count >= total ? counted(count, 'key') : `${count} of ${counted(total, 'key')}`;
  const sure = `confidence ${state.confidence.toFixed(2)}`;
  terminal.note(
    paint('dim', `${printable(state.app_name)} (pid ${state.pid}): ${share}, ${sure}, ${state.captured_at}`),
  );
  if (state.confidence < SURE) terminal.note(paint('dim', printable(state.confidence_reason)));
}
