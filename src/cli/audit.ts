/** `substrate audit`: the actions that were asked for, from the log of this machine's daemon. It needs no running one. */
import { InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import { Permissions } from '../model/permissions.ts';
import { AuditLog } from '../store/audit-log.ts';
import type { Surroundings } from './surroundings.ts';
import { table } from './table.ts';
import type { Colour } from './terminal.ts';
import { parseTime } from './time-span.ts';

const OUTCOME_COLOURS: Readonly<Record<AuditEntry['outcome'], Colour>> = {
  ran: 'green',
  failed: 'red',
  unverified: 'red',
  unknown: 'yellow',
  refused: 'yellow',
};

export interface AuditFlags {
  readonly config?: string;
  readonly json?: boolean;
  readonly app?: string;
  readonly key?: string;
  readonly since?: number;
}

export async function audit(flags: AuditFlags, { env, homeDir, terminal }: Surroundings): Promise<void> {
  const { storageDir } = loadConfig({ configFile: flags.config, env, homeDir }).paths;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const entries = [...new AuditLog({ dir: storageDir, logger }).entries()].filter((entry) => isMeant(entry, flags));
  if (flags.json) return terminal.json({ entries });
  if (entries.length === 0) return terminal.note('No action was asked for, as far as the log goes.');
  const rows = entries.map((entry) => [
    entry.time,
    entry.key_id,
    entry.app_id ?? '-',
    entry.pid === null ? '-' : String(entry.pid),
    `${entry.action}(${entry.parameters.join(', ')})`,
    {
      text: [entry.outcome, ...(entry.code === null ? [] : [entry.code])].join(': '),
      show: (text: string) => terminal.paint(OUTCOME_COLOURS[entry.outcome], text),
    },
    entry.confirmed_by ?? '',
  ]);
  const head = ['TIME', 'KEY', 'APP', 'PID', 'ACTION', 'OUTCOME', 'CONFIRMED BY'];
  for (const line of table(head, rows, terminal.paint, terminal.width, ['CONFIRMED BY', 'PID', 'KEY']))
    terminal.out(line);
}

/** `--app` is a glob on the app_id, whose digits at the end need not be given. */
function isMeant({ app_id, key_id, time }: AuditEntry, { app, key, since }: AuditFlags): boolean {
  if (app !== undefined && !new Permissions({ apps: [app, `${app}-*`] }).includesApp(app_id ?? '', '')) return false;
  if (key !== undefined && !key_id.startsWith(key)) return false;
  return since === undefined || Date.parse(time) >= since;
}

/** `2h` ago, or since a date. */
export function parseSince(text: string): number {
  const time = parseTime(text, -1);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time such as 2h, 7d or 2026-01-31');
  return time;
}
