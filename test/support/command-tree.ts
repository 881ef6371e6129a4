/** All commands as typed: `apps`, `keys list`. */
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/terminal.ts';

/** `hidden` includes those that only the scripts of shells call. */
export function everyCommand({ hidden = false } = {}): Map<string, Command> {
  const nowhere = { write: () => {} };
  const program = createProgram({ env: {}, homeDir: '/', terminal: createTerminal(nowhere, nowhere, {}) });
  const found = new Map<string, Command>();
  const visit = (command: Command, path: readonly string[]) => {
    // Commands for shells are internal; a command that only has subcommands does nothing itself.
    if (command.name().startsWith('__') && !hidden) return;
    const { commands, options, registeredArguments } = command;
    const isCalled = commands.length === 0 || registeredArguments.length > 0 || (path.length > 0 && options.length > 0);
    if (isCalled) found.set(path.join(' '), command);
    for (const child of command.commands) visit(child, [...path, child.name()]);
  };
  visit(program, []);
  return found;
}
