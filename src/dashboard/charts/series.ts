/** The values of a key over time, and the parts that a drawing needs. A value is valid until the next point. */
import { csvCell } from '../../client/csv-cell.ts';
import type { HistoryResponse, Scalar } from '../../client/index.ts';

export interface Point {
  readonly atMs: number;
  /** Undefined if the key did not exist. */
  readonly value: Scalar | undefined;
}

export interface Series {
  readonly key: string;
  readonly points: readonly Point[];
}

export interface Extent {
  readonly least: number;
  readonly most: number;
}

/** More would not be visible. The oldest go first. */
const MAX_POINTS = 5000;

export function seriesFrom({ series }: HistoryResponse): Series[] {
  return series.map(({ key, points }) => ({
    key,
    points: points.map(({ at, value }) => ({ atMs: Date.parse(at), value })),
  }));
}

/** Appends the value since then; returns the same series if nothing is new. */
export function extended(series: Series, atMs: number, value: Scalar | undefined): Series {
  const last = series.points.at(-1);
  if (last === undefined ? value === undefined : atMs <= last.atMs || Object.is(last.value, value)) return series;
  return { ...series, points: [...series.points, { atMs, value }].slice(-MAX_POINTS) };
}

/** Null if it cannot be drawn. */
export function numberOf(value: Scalar | undefined): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' ? value : null;
}

/** Null without numbers. */
export function extentOf(points: readonly Point[]): Extent | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of points) {
    const number = numberOf(value);
    if (number === null) continue;
    least = Math.min(least, number);
    most = Math.max(most, number);
  }
  return least > most ? null : { least, most };
}

/** The point whose value was valid at that time, or -1. */
export function indexAt(points: readonly Point[], atMs: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.atMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Lines of steps, up to `endMs`; a gap where there is no number. */
export function stepPath(
  points: readonly Point[],
  endMs: number,
  x: (atMs: number) => number,
  y: (value: number) => number,
): string {
  let path = '';
  points.forEach(({ atMs, value }, at) => {
    const number = numberOf(value);
    if (number === null) return;
    const isJoined = at > 0 && numberOf(points[at - 1]?.value) !== null;
    const until = points[at + 1]?.atMs ?? Math.max(endMs, atMs);
    path += `${isJoined ? `V${round(y(number))}` : `M${round(x(atMs))} ${round(y(number))}`}H${round(x(until))}`;
  });
  return path;
}

/** A row for each time at which one of them changed, with the values of all at that time. */
export function csvOf(all: readonly Series[]): string {
  const times = [...new Set(all.flatMap(({ points }) => points.map(({ atMs }) => atMs)))].sort((a, b) => a - b);
  const rows = times.map((atMs) => [
    new Date(atMs).toISOString(),
    ...all.map(({ points }) => csvCell(points[indexAt(points, atMs)]?.value)),
  ]);
  const head = ['time', ...all.map(({ key }) => csvCell(key))];
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
