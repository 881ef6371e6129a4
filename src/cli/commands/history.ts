/** `substrate history <app> <keys...>`: the values of keys over the captures that the daemon keeps. */
import { csvCell } from '../../client/csv-cell.ts';
import type { HistoryResponse, Scalar } from '../../client/node.ts';
import { printable } from '../terminal.ts';
import { counted, showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

type Points = HistoryResponse['series'][number]['points'];

const BARS = '▁▂▃▄▅▆▇█';
const COLUMNS = 40;

export async function showHistory(
  context: CommandContext,
  options: { readonly app: string; readonly keys: readonly string[]; readonly csv: boolean },
): Promise<void> {
  const { terminal, substrate, json } = context;
  const { pid } = await findReady(context, options.app);
  const history = await substrate.history(pid, options.keys);
  if (json) return terminal.json(history);
  const { paint, out } = terminal;
  if (options.csv) {
    out('time,key,value');
    for (const { key, points } of history.series)
      for (const { at, value } of points) out(printable(`${at},${csvCell(key)},${csvCell(value)}`));
    return;
  }
  const [from, to] = [Date.parse(history.from), Date.parse(history.to)];
  for (const { key, points } of history.series) {
    out(paint('bold', printable(key)));
    if (points.length === 0) {
      out(`  ${paint('dim', 'the kept history does not have this key')}`);
      continue;
    }
    const numbers = points.flatMap(({ value }) => numberOf(value) ?? []);
    const last = `last ${showValue(points.at(-1)?.value, paint)}`;
    const range = numbers.length === 0 ? [] : [`least ${Math.min(...numbers)}`, `most ${Math.max(...numbers)}`];
    if (numbers.length > 0) out(`  ${paint('cyan', sparkline(points, from, to))}`);
    out(`  ${[...range, last, counted(points.length - 1, 'change')].join(', ')}`);
  }
  terminal.note(paint('dim', `From ${history.from} to ${history.to}`));
}

/** The values at equal distances; a blank where there was no number. */
export function sparkline(points: Points, fromMs: number, toMs: number): string {
  const numbers = points.flatMap(({ value }) => numberOf(value) ?? []);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return Array.from({ length: COLUMNS }, (_, column) => {
    const atMs = fromMs + ((toMs - fromMs) * column) / (COLUMNS - 1);
    const number = numberOf(points.findLast(({ at }) => Date.parse(at) <= atMs)?.value);
    if (number === null) return ' ';
    return BARS[most === least ? 0 : Math.round(((number - least) / (most - least)) * (BARS.length - 1))];
  }).join('');
}

function numberOf(value: Scalar | undefined): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : null;
}
