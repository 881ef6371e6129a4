/** Figures of several sides, taken in turns, and the table that shows them. */
import { ms, printTable } from '../shared/stats.ts';

export class Figures {
  private readonly title: string;
  private readonly rows = new Map<string, Map<string, number[]>>();
  private readonly sides: readonly string[];

  /** `sides`: in the order of the columns. If there are several, all are divided by the last one. */
  constructor(title: string, sides: readonly string[]) {
    this.title = title;
    this.sides = sides;
  }

  add(row: string, side: string, value: number): void {
    const cells = this.rows.get(row) ?? new Map<string, number[]>();
    this.rows.set(row, cells);
    const values = cells.get(side) ?? [];
    cells.set(side, values);
    values.push(value);
  }

  print(): void {
    const [first = ''] = this.sides;
    const others = this.sides.slice(1);
    const head = [this.title, ...this.sides, ...others.map((other) => `${first} of ${other}`)];
    const rows = [...this.rows].map(([row, cells]) => {
      const own = median(cells.get(first));
      return [
        row,
        ...this.sides.map((side) => withSpread(cells.get(side))),
        ...others.map((other) => (own / median(cells.get(other))).toFixed(2)),
      ];
    });
    printTable(this.title, head, rows);
  }
}

function sorted(values: readonly number[] = []): number[] {
  return [...values].sort((one, other) => one - other);
}

function median(values: readonly number[] | undefined): number {
  return sorted(values)[Math.floor((values?.length ?? 0) / 2)] ?? Number.NaN;
}

/** `415 (390 to 460)`. */
function withSpread(values: readonly number[] | undefined): string {
  const all = sorted(values);
  const [least = Number.NaN] = all;
  return all.length < 2 ? ms(least) : `${ms(median(all))} (${ms(least)} to ${ms(all.at(-1) ?? least)})`;
}
