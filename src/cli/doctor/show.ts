/** Prints the doctor's results for people. */
import type { Attachment } from '../../model/wire.ts';
import { table } from '../table.ts';
import { type Colour, printable, type Terminal, wrapped } from '../terminal.ts';
import { counted } from '../values.ts';
import type { Check } from './check.ts';
import type { ProcessReport, ProcessStatus } from './processes.ts';

/** The limit of listed places of an agent. */
const MAX_PLACES = 8;
const INDENT = '      ';
const CHECK_SIGNS: Record<Check['status'], readonly [string, Colour]> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
};
const GROUPS: readonly (readonly [ProcessStatus, string, string, Colour])[] = [
  ['attached', 'Attached now', '✓', 'green'],
  ['attachable', 'Can be attached to', '✓', 'green'],
  ['blocked', 'Cannot be attached to', '✗', 'red'],
  ['no_probe', 'No probe for this kind of program', '·', 'dim'],
];

export function showInstallation(checks: readonly Check[], terminal: Terminal): void {
  terminal.out(terminal.paint('bold', 'Installation'));
  for (const { status, message, remedy } of checks) {
    const [sign, colour] = CHECK_SIGNS[status];
    const [first = '', ...rest] = wrapped(printable(message), terminal.width - INDENT.length);
    terminal.out(`  ${terminal.paint(colour, sign)} ${first}`);
    for (const line of rest) terminal.out(`    ${line}`);
    if (remedy !== null) for (const line of sentence(`→ ${remedy}`, terminal)) terminal.out(line);
  }
}

export function showProcesses(reports: readonly ProcessReport[], terminal: Terminal): void {
  const { paint, width } = terminal;
  for (const [status, title, sign, colour] of GROUPS) {
    const members = reports.filter((report) => report.status === status);
    if (members.length === 0) continue;
    terminal.out('');
    terminal.out(paint('bold', title));
    const rows = members.map((report) => [
      { text: sign, show: (text: string) => paint(colour, text) },
      String(report.pid),
      report.kind,
      nameOf(report),
      status === 'attached' || status === 'attachable' ? (report.way ?? '') : '',
    ]);
    const [, ...lines] = table(['', '', '', '', ''], rows, paint, width - 2);
    lines.forEach((line, at) => {
      terminal.out(`  ${line}`);
      if (status === 'blocked') for (const text of reasonsOf(members[at], terminal)) terminal.out(text);
    });
  }
}

function nameOf({ name, helpers, daemon, status }: ProcessReport): string {
  const more = helpers > 0 ? ` (+${helpers})` : '';
  const isLeftAlone = daemon?.by_itself === false && daemon.reason !== '';
  const progress = daemon && status === 'attachable' ? ` [${isLeftAlone ? daemon.reason : daemon.probe_status}]` : '';
  return `${name}${more}${progress}`;
}

function reasonsOf(report: ProcessReport | undefined, terminal: Terminal): string[] {
  const { blocker = null, remedy = null } = report ?? {};
  return [
    ...(blocker === null ? [] : sentence(blocker, terminal)),
    ...(remedy === null ? [] : sentence(`→ ${remedy}`, terminal)),
  ];
}

/** Indented, in as many lines as it takes. */
function sentence(text: string, { width }: Terminal): string[] {
  return wrapped(printable(text), width - INDENT.length).map((line) => `${INDENT}${line}`);
}

export function showSummary(checks: readonly Check[], reports: readonly ProcessReport[], terminal: Terminal): void {
  const count = (status: ProcessStatus) => reports.filter((report) => report.status === status).length;
  const problems = checks.filter(({ status }) => status === 'problem').length;
  const warnings = checks.filter(({ status }) => status === 'warning').length;
  const parts = [
    `${count('attached')} attached`,
    `${count('attachable')} can be attached to`,
    `${count('blocked')} cannot`,
    `${count('no_probe')} without a probe`,
  ];
  const installation =
    problems === 0 ? terminal.paint('green', 'no problem') : terminal.paint('red', counted(problems, 'problem'));
  const also = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  terminal.out('');
  terminal.out(`Programs: ${parts.join(', ')}. Installation: ${installation}${also}.`);
}

/** One process, in whole sentences. */
export function showOne(report: ProcessReport, terminal: Terminal): void {
  for (const text of sentencesOf(report))
    for (const line of wrapped(printable(text), terminal.width)) terminal.out(line);
}

function sentencesOf(report: ProcessReport): string[] {
  const { pid, name, kind, uid, status, way, helpers, daemon } = report;
  const isGuess = kind.startsWith('looks like');
  return [
    `${name} (pid ${pid}) ${isGuess ? kind : `is ${kind}`} and runs as user ${uid}.`,
    ...(helpers > 0 ? [`${helpers} further process${helpers === 1 ? ' belongs' : 'es belong'} to it.`] : []),
    ...report.verdict,
    ...(status === 'attachable' && way !== null ? [`Way: ${way}.`] : []),
    ...(daemon ? [`The daemon knows it as ${daemon.app_id}, status ${daemon.probe_status}.`] : []),
    ...(daemon ? healthSentences(daemon) : []),
    ...(daemon?.cost ? costSentences(daemon.cost) : []),
    ...(status === 'attached' || status === 'attachable' ? [`Look at it with: substrate state ${pid}`] : []),
  ];
}

/** Parts that do not work, and exceptions that the agent dropped. */
function healthSentences({ parts, discarded }: NonNullable<ProcessReport['daemon']>): string[] {
  const places = Object.entries(discarded).sort(([, one], [, other]) => other - one);
  const total = places.reduce((sum, [, count]) => sum + count, 0);
  const named = places.slice(0, MAX_PLACES).map(([place, count]) => `${place} ${count}`);
  const more = places.length > MAX_PLACES ? [`${places.length - MAX_PLACES} further places`] : [];
  return [
    ...parts.map(({ name, problem }) => `Does not work in it: ${name}. ${problem}`),
    ...(total === 0 ? [] : [`Its agent dropped ${counted(total, 'exception')}: ${[...named, ...more].join(', ')}.`]),
  ];
}

function costSentences(cost: NonNullable<Attachment['cost']>): string[] {
  const { search_ms, poll_ms, poll_interval_ms, stopped_by } = cost;
  const everySeconds = Math.round(poll_interval_ms / 100) / 10;
  return [
    `The first look at it took ${search_ms} ms of its CPU time, one of the later ones ${poll_ms} ms every ${everySeconds} s.`,
    ...(stopped_by === null
      ? []
      : [
          stopped_by === 'time'
            ? 'Not all of its state was read: the first look had used up [probe] budget_search_ms.'
            : 'Not all of its state was read: that would have taken more memory than [probe] budget_memory_mb and budget_memory_percent allow.',
        ]),
  ];
}
