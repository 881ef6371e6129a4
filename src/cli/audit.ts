/** `substrate audit`: requested actions, from the log of this machine's daemon. Needs no running daemon. */
import { loadConfig } from '../config.ts';
import { isCalled } from '../model/app-id.ts';
import type { AuditEntry } from '../model/audit-entry.ts';
import { Permissions } from '../model/permissions.ts';
import { AuditLog } from '../store/audit-log.ts';
import { SchemaRegistry } from '../store/schema-registry.ts';
import { EXIT } from './failures.ts';
import type { Surroundings } from './surroundings.ts';
import { table } from './table.ts';
import type { Colour } from './terminal.ts';

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
  const { storageDir, schemasDir } = loadConfig({ configFile: flags.config, env, homeDir }).paths;
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const log = new AuditLog({ dir: storageDir, logger });
  if (flags.check) return check(log, flags, terminal);
  const schemas = new SchemaRegistry({ dir: schemasDir, logger });
  const isOfApp = flags.app === undefined ? () => true : appFilter(flags.app, schemas);
  const entries = log.entries().filter((entry) => isOfApp(entry.app_id ?? '') && isMeant(entry, flags));
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

/** Adds the method if the requested name was bound to another one. */
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

/** `--app` is a glob on the app_id, with or without the digits at its end. Earlier ids of the app count, too. */
function appFilter(wanted: string, schemas: SchemaRegistry): (appId: string) => boolean {
  const globs = new Permissions({ apps: [wanted, `${wanted}-*`] });
  const isNamed = (appId: string, aliases: readonly string[] = []) =>
    globs.includesApp({ appId, aliases, appName: '', isForeign: false });
  const stored = schemas.ids().flatMap((id) => schemas.load(id) ?? []);
  const meant = stored.filter(({ app_id, aliases }) => isNamed(app_id, aliases));
  return (appId) => isNamed(appId) || meant.some(({ app_id, aliases }) => isCalled({ appId: app_id, aliases }, appId));
}

function isMeant({ key_id, time }: AuditEntry, { key, since }: AuditFlags): boolean {
  if (key !== undefined && !key_id.startsWith(key)) return false;
  return since === undefined || Date.parse(time) >= since;
}
