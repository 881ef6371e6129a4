/** `substrate schema <app>`: the actions of an app. */

import type { Reversibility } from '../../client/node.ts';
import { globMatcher } from '../../model/glob.ts';
import { table } from '../table.ts';
import type { Colour } from '../terminal.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

const COLOURS: Record<Reversibility, Colour> = {
  reversible_read: 'green',
  reversible_write: 'yellow',
  irreversible_write: 'red',
};

export async function showSchema(
  context: CommandContext,
  options: { readonly app: string; readonly globs: readonly string[] },
): Promise<void> {
  const { terminal, substrate, json } = context;
  const app = await findReady(context, options.app);
  const schema = await substrate.schema(app.pid);
  const matchers = options.globs.map(globMatcher);
  const chosen = Object.entries(schema.actions).filter(
    ([name]) => matchers.length === 0 || matchers.some((matches) => matches(name)),
  );
  if (json) return terminal.json({ ...schema, actions: Object.fromEntries(chosen) });
  const rows = chosen.map(([name, { signature, reversibility, judged, description }]) => [
    name,
    {
      text: judged === false ? 'not judged yet' : reversibility,
      show: (text: string) => terminal.paint(COLOURS[reversibility], text),
    },
    signature.replace(/^fn/, ''),
    description,
  ]);
  if (rows.length === 0)
    return terminal.note(
      matchers.length === 0 ? 'No action was found in it.' : `No action matches. All: substrate schema ${app.pid}`,
    );
  for (const line of table(['ACTION', 'KIND', 'TAKES', 'WHAT IT IS'], rows, terminal.paint, terminal.width, [
    'WHAT IT IS',
    'KIND',
  ]))
    terminal.out(line);
}
