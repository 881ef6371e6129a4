/** The command line: its subcommands, and their arguments. */
import { Command } from 'commander';
import { REVERSIBILITIES } from '../model/reversibility.ts';
import { SCOPES } from '../model/scope.ts';
import { VERSION } from '../version.ts';
import type { AuditFlags } from './audit.ts';
import { registerClientCommands } from './client-commands.ts';
import { registerDoctor } from './doctor/register.ts';
import { EXIT } from './failures.ts';
import { parseExpiry, parsePort, parseReversibility, parseScopes, parseSeconds, parseSince } from './flags.ts';
import { examples } from './help.ts';
import type { KeyFlags } from './keygen.ts';
import { registerMachineCommands } from './machine-commands.ts';
import { registerRun } from './run/register.ts';
import { CONFIG_FLAG, JSON_FLAG, type Surroundings } from './surroundings.ts';

interface CommonFlags {
  config?: string | undefined;
  json?: boolean | undefined;
}

const gather = (text: string, before: readonly string[] = []) => [...before, text];

/** Loaded on demand: the store of keys and its schemas take longer than the command line. */
const commands = () => import('./all-commands.ts');

export function createProgram(surroundings: Surroundings): Command {
  const { env, homeDir, terminal } = surroundings;
  const forKeys = { env, homeDir, stdout: terminal.out, stderr: terminal.note, width: terminal.width };
  const keyCommandOptions = ({ config, json }: CommonFlags) => {
    return { ...forKeys, ...(config === undefined ? {} : { configFile: config }), json: json ?? false };
  };

  const program = new Command('substrate')
    .description("Serves the live state and the typed actions of this machine's running applications.")
    .version(VERSION)
    .showHelpAfterError('(add --help for the options)')
    // Options of a command come after it: those of `schema export` are not those of `schema`.
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
  registerMachineCommands(program, surroundings);
  program
    .command('serve')
    .description('run the daemon in the foreground')
    .option(...CONFIG_FLAG)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for any free one (default: 7842)', parsePort)
    .option('--exit-when-idle <seconds>', 'end when no client has asked for so long', parseSeconds)
    .addHelpText('after', examples(['substrate serve', 'substrate serve --port 7900 --config ./config.toml']))
    .action(async (flags: CommonFlags & { host?: string; port?: number; exitWhenIdle?: number }) => {
      // Loaded here only: most of the program is the daemon, and the other commands must be fast.
      const { serve } = await import('./serve.ts');
      const { config: configFile, host, port, exitWhenIdle: idleExitSecs = null } = flags;
      await serve({ ...forKeys, configFile, host, port, idleExitSecs });
      // Everything is written, and the apps had their time: an attach that still waits for one of them must not delay
      // the exit.
      process.exit(EXIT.ok);
    });

  program.commandsGroup('Keys:');
  program
    .command('keygen')
    .description('make an API key and print it once')
    .option(...CONFIG_FLAG)
    .option('--label <text>', 'a name for the key')
    .option('--scope <names>', `what it may do: ${SCOPES.join(', ')} (default: all); repeatable`, parseScopes)
    .option('--app <glob>', 'only this app: its app_id, or a name such as coffee*; repeatable', gather)
    .option('--max <kind>', `only actions up to ${REVERSIBILITIES.slice(0, 2).join(' or ')}`, parseReversibility)
    .option('--expires <time>', 'refuse the key after this time: 30d, 12h, 2027-01-31', parseExpiry)
    .option(
      '--confirm',
      'a person must confirm each action, in the dashboard or by substrate approve; it may read and act only',
    )
    .option(...JSON_FLAG)
    .addHelpText(
      'after',
      examples([
        'substrate keygen --label editor',
        'substrate keygen --json | jq -r .key',
        "substrate keygen --scope read --app 'coffee*' --expires 30d",
        'substrate keygen --max reversible_write --confirm',
      ]),
    )
    .action(async ({ config, json, ...flags }: CommonFlags & KeyFlags) =>
      (await commands()).keygen({ ...keyCommandOptions({ config, json }), flags }),
    );

  const keys = program.command('keys').description('list, enable, disable or delete API keys');
  keys
    .command('list')
    .description('show all keys (never the keys themselves)')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(['substrate keys list', "substrate keys list --json | jq '.keys[].label'"]))
    .action(async (flags: CommonFlags) => (await commands()).listKeys(keyCommandOptions(flags)));
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    keys
      .command(`${name} <id>`)
      .description(enabled ? 'accept a key again' : 'refuse a key and end the watch connections it opened')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .addHelpText('after', examples([`substrate keys ${name} key_2f1c   # the beginning of its id will do`]))
      .action(async (id: string, flags: CommonFlags) =>
        (await commands()).setKeyEnabled({ ...keyCommandOptions(flags), id, enabled }),
      );
  }
  keys
    .command('delete <id>')
    .description('delete a key')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .addHelpText('after', examples(['substrate keys delete key_2f1c   # the beginning of its id will do']))
    .action(async (id: string, flags: CommonFlags) =>
      (await commands()).deleteKey({ ...keyCommandOptions(flags), id }),
    );

  program
    .command('audit')
    .description('show requested actions, by which keys, and their outcomes')
    .option('--app <glob>', 'only of this app, by its app_id or the beginning of it, such as coffee*')
    .option('--key <id>', 'only of this key; the beginning of its id will do')
    .option('--since <time>', 'only since then: 2h, 7d, 2026-01-31', parseSince)
    .option('--check', 'check whether a line of the log is missing or was changed')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      examples([
        'substrate audit --since 2h',
        "substrate audit --app 'coffee*' --json | jq '.entries[].outcome'",
        'substrate audit --check',
      ]),
    )
    .action(async (flags: AuditFlags) => (await commands()).audit(flags, surroundings));

  program.commandsGroup('Apps:');
  registerClientCommands(program, surroundings);
  registerDoctor(program, surroundings);
  registerRun(program, surroundings);
  return program;
}
