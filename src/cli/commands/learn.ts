/** `substrate learn <app> <key> <label>`: gives a key a better name. */
import { EXIT, NotFoundError } from '../failures.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

export interface LearnOptions {
  readonly app: string;
  readonly key: string;
  readonly label: string;
  /** Undefined keeps the current type. */
  readonly type: string | undefined;
  readonly notes: string | undefined;
}

/** Returns the exit code. */
export async function learn(context: CommandContext, options: LearnOptions): Promise<number> {
  const { terminal, substrate, json } = context;
  const { pid } = await findReady(context, options.app);
  const state = await substrate.state(pid);
  const isAction = !(options.key in state.objects) && options.key in state.actions;
  const value = state.objects[options.key];
  if (value === undefined && !isAction)
    throw new NotFoundError(`The state has no key "${options.key}".`, `substrate state ${options.app} shows them.`);
  const type = options.type ?? (value === undefined || value === null ? 'string' : typeof value);
  const correction = {
    observed_key: options.key,
    correct_label: options.label,
    correct_type: isAction ? (options.type ?? 'object') : type,
    ...(options.notes === undefined ? {} : { notes: options.notes }),
  };
  const feedbackType = isAction ? 'action_correction' : 'label_correction';
  const result = await substrate.learn(pid, state, [correction], { feedbackType });
  if (json) terminal.json(result);
  else terminal.out(printable(result.message));
  return result.accepted > 0 ? EXIT.ok : EXIT.refused;
}
