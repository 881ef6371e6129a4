/** Runs the command line, and ends the process with the exit code. */
import os from 'node:os';
import { CommanderError } from 'commander';
import { EXIT, failureAsJson, failureOf, UsageError } from './failures.ts';
import { createProgram } from './program.ts';
import { createTerminal, harmlessJson, printable } from './terminal.ts';

const terminal = createTerminal(process.stdout, process.stderr, process.env);

/** As for any program whose reader has gone: `substrate apps | head -1`. */
const BROKEN_PIPE = 128 + 13;
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(BROKEN_PIPE);
    if (stream === process.stdout) terminal.note(`substrate: the result could not be written: ${error.message}`);
    process.exit(EXIT.failed);
  });

const program = createProgram({ env: process.env, homeDir: homeFolder(), terminal });

/** HOME may be empty, which would mean the current folder, or unset, for a user unknown to the system. */
function homeFolder(): string {
  try {
    return os.homedir() || os.userInfo().homedir;
  } catch {
    // The message below gives the reason.
    terminal.note('substrate: This user has no home folder. Name one for its data and settings by the variable HOME.');
    process.exit(EXIT.failed);
  }
}

/** With --json, failures are JSON, too. */
let wantsJson = false;
program.hook('preAction', (_, command) => {
  wantsJson = command.opts().json === true;
});

/** For a command line that could not be parsed; arguments after `--` are not ours. */
function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** A command without its subcommand shows its help, which is no message. */
function misused({ code, message }: CommanderError): UsageError {
  return new UsageError(code === 'commander.help' ? 'A subcommand is missing.' : message.replace(/^error: /, ''));
}

try {
  await program.parseAsync();
} catch (error) {
  // Help and the version end this way, too; errors of the command line have been printed.
  if (error instanceof CommanderError) {
    if (error.exitCode !== 0 && asksForJson(process.argv)) terminal.note(harmlessJson(failureAsJson(misused(error))));
    process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
  }
  const { code, message, hint } = failureOf(error);
  // The message may quote an app.
  const said = message.split('\n').map(printable).join('\n');
  if (wantsJson) terminal.note(harmlessJson(failureAsJson(error)));
  else terminal.note(`${terminal.paint('red', 'substrate:')} ${said}`);
  if (hint !== null && !wantsJson) terminal.note(hint);
  process.exitCode = code;
}
