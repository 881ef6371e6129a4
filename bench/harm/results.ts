/** The findings as one table, compared with the goals. */
import os from 'node:os';
import { printTable } from '../shared/stats.ts';

export interface Row {
  readonly what: string;
  readonly off: string;
  readonly on: string;
  /** A ratio, or a difference with its sign. */
  readonly difference: string;
  readonly note: string;
}

export interface Goal {
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly isMet: boolean;
}

export interface Findings {
  readonly rows: readonly Row[];
  readonly goals: readonly Goal[];
}

export function printFindings(findings: readonly Findings[]): void {
  const rows = findings.flatMap((part) => part.rows);
  const goals = findings.flatMap((part) => part.goals);
  console.log(`Node ${process.version}, ${os.cpus().length} cores, load average ${os.loadavg()[0]?.toFixed(1)}`);
  printTable(
    'Daemon off and on',
    ['what', 'off', 'on', 'on to off', 'note'],
    rows.map(({ what, off, on, difference, note }) => [what, off, on, difference, note]),
  );
  printTable(
    'Goals',
    ['goal', 'wanted', 'found', ''],
    goals.map(({ what, wanted, found, isMet }) => [what, wanted, found, isMet ? 'ok' : 'MISSED']),
  );
}

export function say(text: string): void {
  console.error(`… ${text}`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  const above = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? (above + (sorted[middle - 1] ?? Number.NaN)) / 2 : above;
}

/** The median of one figure over all rounds. */
export function medianOf<Round>(rounds: readonly Round[], figure: (round: Round) => number): number {
  return median(rounds.map(figure));
}

export const ratio = (on: number, off: number) => `${(on / off).toFixed(3)} x`;
export const signed = (value: number, digits = 1) => `${value < 0 ? '' : '+'}${value.toFixed(digits)}`;

const RSS_SHARE = 0.1;
const RSS_MB = 16;

export function rssGoal(what: string, off: number, on: number): Goal {
  const allowed = Math.max(off * RSS_SHARE, RSS_MB);
  const found = `${signed(on - off)} MB`;
  return {
    what: `${what}: memory`,
    wanted: `at most +10 % or 16 MB: ${allowed.toFixed(0)} MB`,
    found,
    isMet: on - off <= allowed,
  };
}
