/** `substrate state <app> [glob …]`: the state of an app, or of a part of it, as a tree. */
import { setTimeout as delay } from 'node:timers/promises';
import { globMatcher } from '../../client/glob.ts';
import {
  type AppSummary,
  type Scalar,
  type Substrate,
  SubstrateError,
  type SubstrateState,
} from '../../client/node.ts';
import { findApp } from '../find-app.ts';
import { keyTree } from '../key-tree.ts';
import { Spinner } from '../spinner.ts';
import { printable, type Terminal } from '../terminal.ts';
import { showValue } from '../values.ts';
import type { CommandContext } from './command.ts';

const LOOK_MS = 200;
/** As long as the daemon itself takes for a first look. */
const LONGEST_WAIT_MS = 90_000;

export interface StateOptions {
  readonly app: string;
  readonly globs: readonly string[];
  readonly fresh: boolean;
  /** One `key = value` a line instead of a tree. */
  readonly flat: boolean;
}

export async function showState(context: CommandContext, options: StateOptions): Promise<void> {
  const { terminal, substrate, json } = context;
  const app = await findApp(substrate, options.app);
  const state = await readState(substrate, app, options.fresh, terminal);
  const matchers = options.globs.map(globMatcher);
  const chosen: Record<string, Scalar> = {};
  for (const [key, value] of Object.entries(state.objects))
    if (matchers.length === 0 || matchers.some((matches) => matches(key))) chosen[key] = value;
  if (json) return terminal.out(JSON.stringify({ ...state, objects: chosen }));
  const count = Object.keys(chosen).length;
  const { paint } = terminal;
  if (options.flat)
    for (const [key, value] of Object.entries(chosen)) terminal.out(`${printable(key)} = ${showValue(value, paint)}`);
  else for (const line of keyTree(chosen, paint)) terminal.out(line);
  const total = Object.keys(state.objects).length;
  const share = count === total ? `${total} keys` : `${count} of ${total} keys`;
  const sure = `confidence ${state.confidence.toFixed(2)}`;
  terminal.note(
    paint('dim', `${printable(state.app_name)} (pid ${state.pid}): ${share}, ${sure}, ${state.captured_at}`),
  );
  if (count === 0 && total > 0) terminal.note('No key matches. Try: substrate state <app> "**.<name>"');
}

/** Waits for the first look at an app, and says so. */
export async function readState(
  substrate: Substrate,
  { pid, app_name }: AppSummary,
  fresh: boolean,
  terminal: Terminal,
): Promise<SubstrateState> {
  const spinner = new Spinner(terminal);
  const deadline = Date.now() + LONGEST_WAIT_MS;
  try {
    for (;;) {
      try {
        return await substrate.state(pid, { fresh });
      } catch (error) {
        const isEarly = error instanceof SubstrateError && error.code === 'probe_not_ready';
        if (!isEarly || Date.now() > deadline) throw error;
        const { probe_status } = await substrate.app(pid);
        if (probe_status === 'error' || probe_status === 'detached') throw error;
        spinner.say(`waiting for the first look at ${printable(app_name)}: ${probe_status.replace('_', ' ')}`);
      }
      await delay(LOOK_MS);
    }
  } finally {
    spinner.stop();
  }
}
