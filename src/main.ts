/** The command line: which subcommands there are, and what each is given. */
import os from 'node:os';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { registerClientCommands } from './cli/client-commands.ts';
import { registerDoctor } from './cli/doctor/register.ts';
import { EXIT, failureOf } from './cli/failures.ts';
import { examples } from './cli/help.ts';
import { keygen } from './cli/keygen.ts';
import { deleteKey, listKeys, setKeyEnabled } from './cli/keys.ts';
import { registerMachineCommands } from './cli/machine-commands.ts';
import { registerRun } from './cli/run/register.ts';
import { serve } from './cli/serve.ts';
import { createTerminal, printable } from './cli/terminal.ts';
import { VERSION } from './version.ts';

const terminal = createTerminal(process.stdout, process.stderr, process.env);
const surroundings = {
  env: process.env,
  homeDir: os.homedir(),
  stdout: terminal.out,
  stderr: terminal.note,
  width: terminal.width,
};

/** As for any program whose reader has gone: `substrate apps | head -1`. */
const BROKEN_PIPE = 128 + 13;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(BROKEN_PIPE);
});

interface CommonFlags {
  config?: string;
  json?: boolean;
}

function keyCommandOptions({ config, json }: CommonFlags) {
  return { ...surroundings, ...(config === undefined ? {} : { configFile: config }), json: json ?? false };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('expected a port number from 0 to 65535');
  return port;
}

const CONFIG_FLAG = ['--config <file>', 'configuration file (default: ~/.config/substrate/config.toml)'] as const;
const JSON_FLAG = ['--json', 'print JSON'] as const;

const program = new Command('substrate')
  .description("Serves the live state and the typed actions of this machine's running applications.")
  .version(VERSION)
  .showHelpAfterError('(add --help for the options)')
  // Options of a command stand after it: those of `schema export` are not those of `schema`.
  .enablePositionalOptions()
  .addHelpText(
    'after',
    examples([
      'substrate up --open                            start the daemon, look at the dashboard',
      'substrate apps                                 which apps are there',
      'substrate state shop                           what one of them holds',
      'substrate watch shop cart                      what changes in it',
      "substrate action shop cart.addItem name=tea price=2 --verify 'cart.items.length === 2'",
      'substrate doctor                               why an app is not there',
    ]),
  )
  .exitOverride();

program.commandsGroup('Daemon:');
registerMachineCommands(program, { ...surroundings, terminal });
program
  .command('serve')
  .description('run the daemon in the foreground')
  .option(...CONFIG_FLAG)
  .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
  .option('--port <number>', 'port to listen on, 0 for any free one (default: 7842)', parsePort)
  .action(async (flags: CommonFlags & { host?: string; port?: number }) => {
    await serve({ ...surroundings, configFile: flags.config, host: flags.host, port: flags.port });
    // Everything is written, and the apps had their time: an attach that still waits for one of them must not hold it up.
    process.exit(EXIT.ok);
  });

program.commandsGroup('Keys:');
program
  .command('keygen')
  .description('make an API key and print it once')
  .option(...CONFIG_FLAG)
  .option('--label <text>', 'a name for the key')
  .option(...JSON_FLAG)
  .action((flags: CommonFlags & { label?: string }) =>
    keygen({ ...keyCommandOptions(flags), ...(flags.label === undefined ? {} : { label: flags.label }) }),
  );

const keys = program.command('keys').description('list, enable, disable or delete API keys');
keys
  .command('list')
  .description('show all keys (never the keys themselves)')
  .option(...CONFIG_FLAG)
  .option(...JSON_FLAG)
  .action((flags: CommonFlags) => listKeys(keyCommandOptions(flags)));
for (const [name, enabled] of [
  ['enable', true],
  ['disable', false],
] as const) {
  keys
    .command(`${name} <id>`)
    .description(enabled ? 'let a key in again' : 'refuse a key and end the watch connections it opened')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action((id: string, flags: CommonFlags) => setKeyEnabled({ ...keyCommandOptions(flags), id, enabled }));
}
keys
  .command('delete <id>')
  .description('forget a key')
  .option(...CONFIG_FLAG)
  .option(...JSON_FLAG)
  .action((id: string, flags: CommonFlags) => deleteKey({ ...keyCommandOptions(flags), id }));

program.commandsGroup('Apps:');
registerClientCommands(program, { ...surroundings, terminal });
registerDoctor(program, { ...surroundings, terminal });
registerRun(program, { ...surroundings, terminal });

try {
  await program.parseAsync();
} catch (error) {
  // Help and the version end this way, too; what is wrong with the command line has been said.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage);
  const { code, message, hint } = failureOf(error);
  // It may quote an app.
  const said = message.split('\n').map(printable).join('\n');
  terminal.note(`${terminal.paint('red', 'substrate:')} ${said}`);
  if (hint !== null) terminal.note(hint);
  process.exitCode = code;
}
