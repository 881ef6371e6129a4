/** `substrate history <app> <keys...> --at <time>`: past values of published keys, which the NATS server stores. */
import { csvCell } from '../../client/csv-cell.ts';
import type { PublishedResponse } from '../../client/node.ts';
import { printable } from '../terminal.ts';
import { counted, showValue } from '../values.ts';
import type { CommandContext } from './command.ts';

interface PublishedOptions {
  readonly app: string;
  readonly keys: readonly string[];
  readonly csv: boolean;
  /** As of `Date.now()`. */
  readonly at: number;
  readonly to: number | undefined;
}

export async function showPublished(
  { terminal, substrate, json }: CommandContext,
  { app, keys, csv, at, to }: PublishedOptions,
): Promise<void> {
  const until = to === undefined ? {} : { to: new Date(to) };
  const published = await substrate.published(app, keys, { at: new Date(at), ...until });
  if (json) return terminal.json(published);
  const { paint, out } = terminal;
  if (csv) {
    out('time,key,value');
    for (const { key, points } of published.series)
      for (const { at: time, value } of points) out(printable(`${time},${csvCell(key)},${csvCell(value)}`));
    return;
  }
  const several = new Set(published.series.map(({ pid }) => pid)).size > 1;
  for (const key of new Set(keys)) {
    const found = published.series.filter((series) => series.key === key);
    if (found.length === 0) out(`${paint('bold', printable(key))}  ${paint('dim', 'is not in the history')}`);
    for (const series of found) show(series, several);
  }
  if (published.lost > 0) terminal.note(`Missing from that time: ${counted(published.lost, 'message')}.`);

  function show({ key, pid, points, seen_at }: PublishedResponse['series'][number], isOneOfSeveral: boolean): void {
    const name = `${printable(key)}${isOneOfSeveral ? ` (pid ${pid})` : ''}`;
    for (const { at: time, value } of points)
      out(`${paint('bold', name)} = ${showValue(value, paint)}  ${paint('dim', `since ${time}`)}`);
    if (points.length === 1) terminal.note(paint('dim', `The last message about the app is from ${seen_at}.`));
  }
}
