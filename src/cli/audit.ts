/** `substrate audit`: the actions that were asked for, from the log of this machine's daemon. It needs no running one. */
import { InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import { Permissions } from '../model/permissions.ts';
import { AuditLog } from '../store/audit-log.ts';
import { EXIT } from './failures.ts';
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
  readonly check?: boolean;
}

export async function audit(flags: AuditFlags, { env, homeDir, terminal }: Surroundings): Promise<void> {
  const { storageDir } = loadConfig({ configFile: flags.config, env, homeDir }).paths;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const log = new AuditLog({ dir: storageDir, logger });
  if (flags.check) return check(log, flags, terminal);
  const entries = log.entries().filter((entry) => isMeant(entry, flags));
  if (flags.json) return terminal.json({ entries });
  if (entries.length === 0) return terminal.note('No action was asked for, as far as the log goes.');
  const rows = entries.map((entry) => [
    entry.time,
    entry.key_id,
    entry.app_id ?? '-',
    entry.pid === null ? '-' : String(entry.pid),
    whatOf(entry),
    {
      text: `${entry.outcome}${entry.code === null ? '' : `: ${entry.code}`}${entry.count === 1 ? '' : ` x ${entry.count}`}`,
      show: (text: string) => terminal.paint(OUTCOME_COLOURS[entry.outcome], text),
    },
    entry.confirmed_by ?? '',
  ]);
  const head = ['TIME', 'KEY', 'APP', 'PID', 'ACTION', 'OUTCOME', 'CONFIRMED BY'];
  for (const line of table(head, rows, terminal.paint, terminal.width, ['CONFIRMED BY', 'PID', 'KEY']))
    terminal.out(line);
}

/** The method is named where the name that was asked for meant another one. */
function whatOf({ event, action, binding, parameters }: AuditEntry): string {
  if (event !== 'action') return `${event} ${action}`.trimEnd();
  const isRebound = binding !== null && binding !== action && !binding.endsWith(`#${action.split('.').at(-1)}`);
  return `${action}(${parameters.join(', ')})${isRebound ? ` by ${binding}` : ''}`;
}

function check(log: AuditLog, { json }: AuditFlags, terminal: Surroundings['terminal']): void {
  const { lines, problems } = log.check();
  if (problems.length > 0) process.exitCode = EXIT.failed;
  if (json) terminal.json({ lines, problems });
  else if (problems.length === 0) terminal.out(`${lines} lines, none missing and none changed.`);
  else for (const problem of problems) terminal.out(problem);
}

const identityOf = (appId: string | null) => ({ appId: appId ?? '', appName: '', isForeign: false });

/** `--app` is a glob on the app_id, whose digits at the end need not be given. */
function isMeant({ app_id, key_id, time }: AuditEntry, { app, key, since }: AuditFlags): boolean {
  if (app !== undefined && !new Permissions({ apps: [app, `${app}-*`] }).includesApp(identityOf(app_id))) return false;
  if (key !== undefined && !key_id.startsWith(key)) return false;
  return since === undefined || Date.parse(time) >= since;
}

/** `2h` ago, or since a date. */
export function parseSince(text: string): number {
  const time = parseTime(text, -1);
  if (Number.isNaN(time)) throw new InvalidArgumentError('expected a time such as 2h, 7d or 2026-01-31');
  return time;
}
