/** `substrate verify <app> <expression>`: waits until an expression is true, and explains. */
import { EXIT } from '../failures.ts';
import { Spinner } from '../spinner.ts';
import { printable } from '../terminal.ts';
import { showValue } from '../values.ts';
import type { CommandContext } from './command.ts';
import { findReady } from './first-look.ts';

/** Returns the exit code. */
export async function verify(
  context: CommandContext,
  options: { readonly app: string; readonly expression: string; readonly timeoutMs: number | undefined },
): Promise<number> {
  const { terminal, substrate, json } = context;
  const { pid } = await findReady(context, options.app);
  const spinner = new Spinner(terminal);
  const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
  if (terminal.stderr.isTTY) spinner.say(`waiting for ${printable(options.expression)}`);
  const result = await substrate.verify(pid, options.expression, timeout).finally(() => spinner.stop());
  if (json) terminal.json(result);
  else {
    const { paint } = terminal;
    const mark = result.passed ? paint('green', '✓') : paint('red', '✗');
    terminal.out(`${mark} ${printable(result.explanation)} ${paint('dim', `(${result.latency_ms} ms)`)}`);
    for (const { path, before, after } of result.changed_fields)
      terminal.out(`  ${printable(path)}: ${showValue(before, paint)} → ${showValue(after, paint)}`);
  }
  return result.passed ? EXIT.ok : EXIT.notTrue;
}
