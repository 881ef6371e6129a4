/** The commands that ask a running daemon. */
import { type Command, InvalidArgumentError } from 'commander';
import { Substrate } from '../client/node.ts';
import { runAction } from './commands/action.ts';
import { listApps } from './commands/apps.ts';
import type { CommandContext } from './commands/command.ts';
import { showDiff } from './commands/diff.ts';
import { learn } from './commands/learn.ts';
import { showSchema } from './commands/schema.ts';
import { showState } from './commands/state.ts';
import { verify } from './commands/verify.ts';
import { watch } from './commands/watch.ts';
import { connectionOf } from './connection.ts';
import { EXIT } from './failures.ts';
import type { Terminal } from './terminal.ts';

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly terminal: Terminal;
}

interface Flags {
  readonly config?: string;
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
}

/** Resolves to the code that the process ends with; anything that is no number: 0. */
type Run<Arguments extends unknown[], Own> = (
  context: CommandContext,
  flags: Own,
  ...args: Arguments
) => Promise<unknown>;

function parseMs(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected milliseconds');
  return Number(text);
}

export function registerClientCommands(program: Command, surroundings: Surroundings): void {
  const { terminal, env, homeDir } = surroundings;

  /** All of them take the same options, and say which daemon is meant by them. */
  function register<Own, Arguments extends unknown[]>(
    usage: string,
    description: string,
    addOptions: (command: Command) => Command,
    run: Run<Arguments, Own>,
  ): void {
    addOptions(program.command(usage).description(description))
      .option('--json', 'print JSON')
      .option('--key <key>', 'API key (default: SUBSTRATE_KEY, or one of its own beside the keys file)')
      .option('--url <address>', 'address of the daemon (default: from the configuration)')
      .option('--config <file>', 'configuration file (default: ~/.config/substrate/config.toml)')
      .action(async (...given: unknown[]) => {
        // Commander hands over the arguments, then the options, then the command.
        const flags = given[given.length - 2] as Flags & Own;
        const args = given.slice(0, -2) as Arguments;
        const connection = await connectionOf({
          configFile: flags.config,
          url: flags.url,
          key: flags.key,
          env,
          homeDir,
        });
        const substrate = new Substrate(connection);
        const code = await run({ terminal, json: flags.json ?? false, substrate, connection }, flags, ...args);
        process.exitCode = typeof code === 'number' ? code : EXIT.ok;
      });
  }
  const none = (command: Command) => command;

  register<object, []>('apps', 'list the apps that are tracked', none, (context) => listApps(context));

  register<{ fresh?: boolean; flat?: boolean }, [string, string[]]>(
    'state <app> [globs...]',
    'show the state of an app (a pid, an app_id or a name), or the keys that match',
    (command) => command.option('--fresh', 'look at the app now').option('--flat', 'one key = value a line'),
    (context, { fresh = false, flat = false }, app, globs) => showState(context, { app, globs, fresh, flat }),
  );

  register<object, [string, string[]]>(
    'schema <app> [globs...]',
    'list what can be done with an app',
    none,
    (context, _, app, globs) => showSchema(context, { app, globs }),
  );

  register<{ verify?: string; timeout?: number; fresh?: boolean }, [string, string, string[]]>(
    'action <app> <name> [arguments...]',
    'do something: arguments are name=value, or name:=<json>',
    (command) =>
      command
        .option('--verify <expression>', 'what must be true afterwards')
        .option('--timeout <ms>', 'how long it may take to become true', parseMs)
        .option('--fresh', 'look at the app before'),
    (context, { verify: expression, timeout, fresh = false }, app, action, given) =>
      runAction(context, { app, action, given, verify: expression, timeoutMs: timeout, fresh }),
  );

  register<{ timeout?: number }, [string, string]>(
    'verify <app> <expression>',
    'wait until an expression is true of the state; ends with 6 if it is not in time',
    (command) => command.option('--timeout <ms>', 'how long to wait (default: 5000)', parseMs),
    (context, { timeout }, app, expression) => verify(context, { app, expression, timeoutMs: timeout }),
  );

  register<object, [string, string]>(
    'diff <app> <capture_id>',
    'show what has changed since a capture',
    none,
    (context, _, app, since) => showDiff(context, { app, since }),
  );

  register<object, [string, string[]]>(
    'watch <app> [globs...]',
    'show changes as they come',
    none,
    async (context, _, app, globs) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      await watch(context, { app, globs, signal: stop.signal });
    },
  );

  register<{ type?: string; notes?: string }, [string, string, string]>(
    'learn <app> <key> <label>',
    'give a key or an action a better name',
    (command) =>
      command
        .option('--type <type>', 'string, number, boolean, array or object (default: as it is)')
        .option('--notes <text>', 'kept with the name'),
    (context, { type, notes }, app, key, label) => learn(context, { app, key, label, type, notes }),
  );

  register<object, []>(
    'mcp',
    'serve the tools for a model (Model Context Protocol) on stdin and stdout',
    none,
    async ({ connection }) => {
      // Loaded only here: nothing else needs the protocol's library.
      const { serveMcp } = await import('../mcp/stdio.ts');
      await serveMcp(connection);
    },
  );
}
