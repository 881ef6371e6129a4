/** `substrate approve` and `deny`: a person decides about actions of keys that need a confirmation. */
import type { Approval } from '../../client/node.ts';
import { askYes } from '../ask.ts';
import { NotFoundError } from '../failures.ts';
import { printable, type Terminal, wrapped } from '../terminal.ts';
import type { CommandContext } from './command.ts';

/** The width of the longest fact name. */
const INDENT = 13;

/** Without an id, lists the waiting actions. A unique prefix of an id is enough. */
export async function approve(context: CommandContext, wanted: string | undefined, isSure: boolean): Promise<void> {
  if (wanted === undefined) return listWaiting(context);
  const { substrate, terminal, json } = context;
  const asked = await find(context, wanted);
  if (!isSure) {
    show(terminal, asked);
    if (!(await askYes('Let it run?')))
      return terminal.note(`It still waits. To refuse it: substrate deny ${asked.id}`);
  }
  report(terminal, json, await substrate.decide(asked.id, true), true);
}

export async function deny(context: CommandContext, wanted: string): Promise<void> {
  const { substrate, terminal, json } = context;
  report(terminal, json, await substrate.decide((await find(context, wanted)).id, false), false);
}

async function find({ substrate }: CommandContext, wanted: string): Promise<Approval> {
  const found = (await substrate.approvals()).filter(({ id }) => id.startsWith(wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const what = found.length > 1 ? `${found.length} actions wait whose ids begin so` : 'no action waits with that id';
  throw new NotFoundError(`${printable(wanted)}: ${what}.`, 'substrate approve lists what waits.');
}

function report(terminal: Terminal, json: boolean, decided: Approval, isYes: boolean): void {
  if (json) terminal.json({ ...decided, approved: isYes });
  else terminal.out(`${isYes ? 'Approved' : 'Denied'}: ${callOf(decided)} in ${printable(decided.app_name)}.`);
}

async function listWaiting({ substrate, terminal, json }: CommandContext): Promise<void> {
  const approvals = await substrate.approvals();
  if (json) return terminal.json({ approvals });
  if (approvals.length === 0) return terminal.note('No action waits for a person.');
  for (const [at, approval] of approvals.entries()) {
    if (at > 0) terminal.out('');
    show(terminal, approval);
  }
}

/** Complete, in as many lines as it needs: a cut-off part could be the important one. */
function show({ out, paint, width }: Terminal, approval: Approval): void {
  out(paint('bold', approval.id));
  const colour = approval.reversibility === 'irreversible_write' ? 'red' : 'cyan';
  for (const [name, text] of factsOf(approval)) {
    const lines = brokenUp(printable(text), width - INDENT);
    for (const [at, line] of lines.entries())
      out(`  ${(at === 0 ? name : '').padEnd(INDENT - 2)}${name === 'kind' ? paint(colour, line) : line}`);
  }
}

function factsOf(approval: Approval): [string, string][] {
  const { key_id, key_label, app_name, app_id, pid, earlier_runs, change_count, already_true } = approval;
  const { count, last_changed } = earlier_runs;
  return [
    ['action', callOf(approval)],
    ...(approval.binding === approval.action ? [] : [['calls', approval.binding] satisfies [string, string]]),
    ['kind', approval.reversibility],
    ['does', approval.description || 'not known'],
    [
      'before',
      count === 0
        ? 'it has not run since the daemon attached'
        : `${timesOf(count)}; last changed: ${last_changed.join(', ') || 'nothing that is read'}`,
    ],
    ['app', `${app_name} (${app_id}, pid ${pid})`],
    ['key', key_label === null ? key_id : `${key_label} (${key_id})`],
    ['verified by', proofOf(approval.verify_expression, already_true)],
    [
      'since',
      `${approval.asked_at}${change_count === 0 ? '' : `; ${change_count} keys of the app have changed since`}`,
    ],
  ];
}

const timesOf = (count: number) => (count === 1 ? 'it ran once' : `it ran ${count} times`);

function proofOf(expression: string | null, isTrueAlready: boolean | null): string {
  if (expression === null) return 'nothing';
  return `${expression}${isTrueAlready === true ? ' (true already, before the action)' : ''}`;
}

/** Wraps at words, and breaks words that are too long. */
function brokenUp(text: string, width: number): string[] {
  return wrapped(text, width).flatMap((line) => {
    if (line.length <= width) return [line];
    return Array.from({ length: Math.ceil(line.length / width) }, (_, at) => line.slice(at * width, (at + 1) * width));
  });
}

function callOf({ action, parameters }: Approval): string {
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return printable(`${action}(${given.join(', ')})`);
}
