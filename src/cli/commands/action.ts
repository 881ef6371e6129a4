/** `substrate action <app> <name> key=value … [--verify EXPR]`: runs an action, and reports the outcome. */
import type { ActionResponse } from '../../client/node.ts';
import { parseArguments } from '../arguments.ts';
import { EXIT } from '../failures.ts';
import { printable, type Terminal } from '../terminal.ts';
import { showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

const MAX_CHANGES = 20;
const MAX_RETURN = 2000;

export interface ActionCommand {
  readonly app: string;
  readonly action: string;
  readonly given: readonly string[];
  readonly verify: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly fresh: boolean;
  readonly idempotencyKey: string | undefined;
  readonly ifMatch: string | undefined;
}

/** Returns the exit code. */
export async function runAction(context: CommandContext, command: ActionCommand): Promise<number> {
  const { terminal, substrate, json } = context;
  const { pid } = await findReady(context, command.app);
  const schema = (await substrate.actions(pid))[command.action];
  const parameters = parseArguments(command.given, schema?.parameters ?? []);
  const response = await substrate.tryAction(pid, command.action, parameters, {
    ...(command.verify === undefined ? {} : { verify: command.verify }),
    ...(command.timeoutMs === undefined ? {} : { verifyTimeoutMs: command.timeoutMs }),
    freshState: command.fresh,
    ...(command.idempotencyKey === undefined ? {} : { idempotencyKey: command.idempotencyKey }),
    ...(command.ifMatch === undefined ? {} : { ifMatch: command.ifMatch }),
  });
  if (json) terminal.json(response);
  else report(terminal, response);
  if (response.success) return EXIT.ok;
  return response.verification?.passed === false ? EXIT.notTrue : EXIT.failed;
}

function report({ out, paint }: Terminal, response: ActionResponse): void {
  const mark = response.success ? paint('green', '✓') : paint('red', '✗');
  out(`${mark} ${printable(response.message)} ${paint('dim', `(${response.total_latency_ms} ms)`)}`);
  const { verification, state_delta } = response;
  if (verification) {
    const proof = verification.passed ? paint('green', 'verified') : paint('red', 'not true');
    out(`  ${proof}: ${printable(verification.explanation)}`);
  }
  const changes = Object.entries(state_delta ?? {});
  for (const [key, { before, after }] of changes.slice(0, MAX_CHANGES))
    out(`  ${printable(key)}: ${showValue(before, paint)} → ${showValue(after, paint)}`);
  if (changes.length > MAX_CHANGES) out(`  … and ${changes.length - MAX_CHANGES} more`);
  if (typeof response.raw_return === 'object' && response.raw_return !== null)
    out(`  returned ${printable(JSON.stringify(response.raw_return)).slice(0, MAX_RETURN)}`);
}
