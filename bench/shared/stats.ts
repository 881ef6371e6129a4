/** Repetitions, their medians, and tables to print them in. */
import { performance } from 'node:perf_hooks';

export interface Timing {
  /** The minimum: without disturbance by other programs. */
  readonly best: number;
  readonly median: number;
  readonly p95: number;
  readonly count: number;
}

export interface Repetitions {
  readonly least: number;
  readonly most: number;
  /** No further repetition begins after this time. */
  readonly budgetMs: number;
}

const USUAL: Repetitions = { least: 5, most: 60, budgetMs: 2500 };
const WARM_UPS = 3;
/** Work of this length is warm after one run. */
const SLOW_MS = 500;

/** `work` returns its own time if not all of it counts. */
export async function repeat(
  work: () => Promise<number | undefined>,
  repetitions: Partial<Repetitions> = {},
): Promise<Timing> {
  const { least, most, budgetMs } = { ...USUAL, ...repetitions };
  for (let round = 0; round < WARM_UPS; round++) {
    if ((await timeOf(work)) > SLOW_MS) break;
  }
  const times: number[] = [];
  const end = performance.now() + budgetMs;
  while (times.length < least || (times.length < most && performance.now() < end)) times.push(await timeOf(work));
  return summary(times);
}

/** In turns, so that other load of the machine affects all of them alike. */
export async function repeatInTurn<Name extends string>(
  works: Readonly<Record<Name, () => Promise<unknown>>>,
  before: () => Promise<unknown>,
  { least, most, budgetMs }: Repetitions,
): Promise<Record<Name, Timing>> {
  const names = Object.keys(works) as Name[];
  const collected = new Map<Name, number[]>(names.map((name) => [name, []]));
  const end = performance.now() + budgetMs;
  for (let round = -1; round < least || (round < most && performance.now() < end); round++) {
    for (const name of names) {
      await before();
      const began = performance.now();
      await works[name]();
      if (round >= 0) collected.get(name)?.push(performance.now() - began);
    }
  }
  return Object.fromEntries(names.map((name) => [name, summary(collected.get(name) ?? [])])) as Record<Name, Timing>;
}

async function timeOf(work: () => Promise<number | undefined>): Promise<number> {
  const began = performance.now();
  const own = await work();
  return own ?? performance.now() - began;
}

export function summary(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { best: at(0), median: at(0.5), p95: at(0.95), count: sorted.length };
}

/** Three significant digits. */
export function ms(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function times(value: number): string {
  return Number.isFinite(value) ? `${ms(value)} x` : '–';
}

export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'));
  console.log(`\n## ${title}\n`);
  for (const row of [head, rule, ...rows]) console.log(line(row));
}
