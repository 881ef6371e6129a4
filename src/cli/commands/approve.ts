/** `substrate approve` and `deny`: a person decides about the actions of keys that may not act alone. */
import type { Approval } from '../../client/node.ts';
import { NotFoundError } from '../failures.ts';
import { table } from '../table.ts';
import { printable } from '../terminal.ts';
import type { CommandContext } from './command.ts';

const DISPENSABLE = ['SINCE', 'APP'];

/** Without an id: what waits. An id may be its unique beginning. */
export async function approve(context: CommandContext, wanted: string | undefined): Promise<void> {
  if (wanted === undefined) return listWaiting(context);
  await decide(context, wanted, true);
}

export async function deny(context: CommandContext, wanted: string): Promise<void> {
  await decide(context, wanted, false);
}

async function decide({ substrate, terminal, json }: CommandContext, wanted: string, isYes: boolean): Promise<void> {
  const found = (await substrate.approvals()).filter(({ id }) => id.startsWith(wanted));
  const [only] = found;
  if (only === undefined || found.length > 1) {
    const what = found.length > 1 ? `${found.length} actions wait whose ids begin so` : 'no action waits with that id';
    throw new NotFoundError(`${printable(wanted)}: ${what}.`, 'substrate approve lists what waits.');
  }
  const decided = await substrate.decide(only.id, isYes);
  if (json) return terminal.json({ ...decided, approved: isYes });
  terminal.out(`${isYes ? 'Approved' : 'Denied'}: ${callOf(decided)} in ${printable(decided.app_name)}.`);
}

async function listWaiting({ substrate, terminal, json }: CommandContext): Promise<void> {
  const approvals = await substrate.approvals();
  if (json) return terminal.json({ approvals });
  if (approvals.length === 0) return terminal.note('No action waits for a person.');
  const rows = approvals.map((approval) => [
    approval.id,
    approval.asked_at,
    approval.key_label ?? approval.key_id,
    approval.app_id,
    approval.reversibility,
    callOf(approval),
  ]);
  const head = ['ID', 'SINCE', 'KEY', 'APP', 'KIND', 'ACTION'];
  for (const line of table(head, rows, terminal.paint, terminal.width, DISPENSABLE)) terminal.out(line);
  for (const { id, change_count, verify_expression } of approvals) {
    if (verify_expression !== null) terminal.note(`${id} is verified by: ${printable(verify_expression)}`);
    if (change_count > 0) terminal.note(`${id}: ${change_count} keys of the app have changed since it was asked for.`);
  }
}

function callOf({ action, parameters }: Approval): string {
  const given = Object.entries(parameters).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return printable(`${action}(${given.join(', ')})`);
}
