/** `substrate diff <app> <capture>`: the changes since a capture. */
import { printable } from '../terminal.ts';
import { counted, showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

export async function showDiff(
  context: CommandContext,
  options: { readonly app: string; readonly since: string },
): Promise<void> {
  const { terminal, substrate, json } = context;
  const { pid } = await findReady(context, options.app);
  const diff = await substrate.diff(pid, options.since);
  if (json) return terminal.json(diff);
  const { paint, out } = terminal;
  for (const { path, before, after } of diff.changed)
    out(`${paint('yellow', '~')} ${printable(path)}: ${showValue(before, paint)} → ${showValue(after, paint)}`);
  for (const { path, value } of diff.added)
    out(`${paint('green', '+')} ${printable(path)}: ${showValue(value, paint)}`);
  for (const { path, value } of diff.removed)
    out(`${paint('red', '-')} ${printable(path)}: ${showValue(value, paint)}`);
  const count = diff.changed.length + diff.added.length + diff.removed.length;
  terminal.note(
    paint('dim', count === 0 ? 'Nothing has changed.' : `${counted(count, 'difference')}, up to ${diff.capture_id}`),
  );
}
