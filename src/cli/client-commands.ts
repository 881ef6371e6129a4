/** The commands that need a running daemon. */
import { type Command, Option } from 'commander';
import { hostAndApp } from '../client/host-app.ts';
import { TYPE_NAMES } from '../model/scalar.ts';
import type { CommandContext } from './commands/command.ts';
import { EXIT } from './failures.ts';
import { parseMs, parseSince } from './flags.ts';
import { examples } from './help.ts';
import { registerMcpInstall } from './mcp-install/register.ts';
import { CONFIG_FLAG, JSON_FLAG, type Surroundings } from './surroundings.ts';

interface Flags {
  readonly config?: string;
  readonly url?: string;
  readonly key?: string;
  readonly json?: boolean;
  readonly wait?: boolean;
}

interface ActionFlags {
  readonly verify?: string;
  readonly timeout?: number;
  readonly fresh?: boolean;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
}

/** Resolves to the exit code; anything but a number means 0. */
type Run<Arguments extends unknown[], Own> = (
  context: CommandContext,
  flags: Own,
  ...args: Arguments
) => Promise<unknown>;

interface Registration<Arguments extends unknown[], Own> {
  readonly usage: string;
  readonly description: string;
  readonly options?: (command: Command) => Command;
  readonly examples: readonly string[];
  readonly run: Run<Arguments, Own>;
}

/** Loaded on demand. */
const commands = () => import('./all-commands.ts');

/** Loaded separately, because its tables of secret names take time. */
const shareSchema = () => import('./commands/share-schema.ts');

export function registerClientCommands(program: Command, surroundings: Surroundings): void {
  const { terminal, env, homeDir } = surroundings;

  /** All of them have the same options, which select the daemon. */
  function register<Own, Arguments extends unknown[]>(
    parent: Command,
    { usage, description, options = (command) => command, examples: lines, run }: Registration<Arguments, Own>,
  ): Command {
    const command = options(parent.command(usage).description(description));
    // An exported schema may belong to an app that is not running.
    if (usage.includes('<app>') && parent === program)
      command.option('--wait', 'wait for an app that has only just been started');
    return command
      .option(...JSON_FLAG)
      .option('--key <key>', 'API key (default: SUBSTRATE_KEY, or one of its own beside the keys file)')
      .option('--url <address>', 'address of the daemon (default: from the configuration)')
      .option(...CONFIG_FLAG)
      .addHelpText('after', examples(lines))
      .action(async (...words: unknown[]) => {
        // Commander passes the arguments, then the options, then the command.
        const flags = words[words.length - 2] as Flags & Own;
        const args = words.slice(0, -2) as Arguments;
        const { config: configFile, url, key } = flags;
        const { runConnected } = await commands();
        const given = { terminal, json: flags.json ?? false, wait: flags.wait ?? false };
        const options = { configFile, url, key, env, homeDir };
        const namesApp = usage.includes('<app>');
        const code = await runConnected(given, options, (context) => {
          const [app, ...rest] = args;
          const elsewhere = namesApp && typeof app === 'string' ? hostAndApp(app) : null;
          if (elsewhere === null) return run(context, flags, ...args);
          // On its own host the app has its usual name. The disk of this machine has only the schemas of local apps.
          const there = { ...context, substrate: context.substrate.on(elsewhere.host), schemasDir: null };
          return run(there, flags, ...([String(elsewhere.app), ...rest] as Arguments));
        });
        process.exitCode = typeof code === 'number' ? code : EXIT.ok;
      });
  }

  register<{ hosts?: boolean }, []>(program, {
    usage: 'apps',
    description: 'list the apps that are tracked',
    options: (command) => command.option('--hosts', 'those of every host of the fleet'),
    examples: ['substrate apps', "substrate apps --json | jq -r '.apps[].app_id'", 'substrate apps --hosts'],
    run: async (context, { hosts = false }) => {
      const { listApps, listHosts } = await commands();
      return hosts ? listHosts(context) : listApps(context);
    },
  });

  register<{ trace?: boolean }, [string]>(program, {
    usage: 'attach <app>',
    description: 'attach to an app that is not attached to by itself; asking for its state does the same',
    options: (command) => command.option('--trace', 'show each step that is taken, with times and bytes'),
    examples: ['substrate attach 4242', 'substrate attach shop --trace'],
    run: async (context, { trace = false }, app) => {
      const { attach, attachTraced } = await commands();
      return trace ? attachTraced(context, app) : attach(context, app);
    },
  });

  register<object, [string]>(program, {
    usage: 'detach <app>',
    description: 'detach from an app until somebody asks for it',
    examples: ['substrate detach shop'],
    run: async (context, _, app) => (await commands()).detach(context, app),
  });

  register<{ yes?: boolean }, [string | undefined]>(program, {
    usage: 'approve [id]',
    description: 'show an action that waits for a person, and let it run; without an id: show all that wait',
    options: (command) => command.option('--yes', 'approve it without a question'),
    examples: ['substrate approve', 'substrate approve ask_1f   # the beginning of its id will do'],
    run: async (context, { yes }, id) => (await commands()).approve(context, id, yes === true),
  });

  register<object, [string]>(program, {
    usage: 'deny <id>',
    description: 'refuse an action that waits for a person',
    examples: ['substrate deny ask_1f'],
    run: async (context, _, id) => (await commands()).deny(context, id),
  });

  register<{ fresh?: boolean; all?: boolean; flat?: boolean; timeout?: number }, [string, string[]]>(program, {
    usage: 'state <app> [globs...]',
    description: 'show the state of an app (a pid, an app_id or a name), or the keys that match',
    options: (command) =>
      command
        .option('--fresh', 'capture the app now')
        .option('--all', 'also the keys that hardly matter to a user of the app')
        .option('--flat', 'one key = value a line')
        .option('--timeout <ms>', 'how long to wait for the first capture of an app (default: 90000)', parseMs),
    examples: ['substrate state shop', "substrate state shop 'cart.items[*].name' '**.price' --flat"],
    run: async (context, { fresh = false, all = false, flat = false, timeout }, app, globs) =>
      (await commands()).showState(context, { app, globs, fresh, all, flat, timeoutMs: timeout }),
  });

  const schema = register<object, [string, string[]]>(program, {
    usage: 'schema <app> [globs...]',
    description: 'list the actions of an app; export or import its schema',
    examples: ["substrate schema shop 'cart.*'", 'substrate schema export shop --out shop.schema.json'],
    run: async (context, _, app, globs) => (await commands()).showSchema(context, { app, globs }),
  }).enablePositionalOptions();

  register<{ out?: string; all?: boolean }, [string]>(schema, {
    usage: 'export <app>',
    description: 'print what people confirmed of an app, running or not: labels and actions, never values',
    options: (command) =>
      command
        .option('--out <file>', 'write it there')
        .option('--all', 'also what was inferred; paths may hold names that are data of the app'),
    examples: ['substrate schema export shop > shop.schema.json', 'substrate schema export shop-1a2b3c4d --all'],
    run: async (context, { out, all = false }, app) => (await shareSchema()).exportKnown(context, { app, out, all }),
  });

  register<{ as?: string; force?: boolean; dryRun?: boolean }, [string]>(schema, {
    usage: 'import <file>',
    description: 'import what others confirmed of an app; - reads stdin',
    options: (command) =>
      command
        .option('--as <app>', 'the app it is about here: an app_id, or one that runs')
        .option('--force', 'replace entries that were confirmed here')
        .option('--dry-run', 'report what would change, and change nothing'),
    examples: ['substrate schema import shop.schema.json --dry-run', 'substrate schema import - --as shop < shop.json'],
    run: async (context, { as, force = false, dryRun = false }, file) =>
      (await shareSchema()).importKnown(context, { file, as, force, dryRun }),
  });

  register<ActionFlags, [string, string, string[]]>(program, {
    usage: 'action <app> <action> [arguments...]',
    description: 'do something: arguments are name=value, or name:=<json>',
    options: (command) =>
      command
        .option('--verify <expression>', 'what must be true afterwards')
        .option('--timeout <ms>', 'how long it may take to become true', parseMs)
        .option('--fresh', 'capture the app before')
        .option('--idempotency-key <text>', 'run it once, however often it is sent with this text within 24 hours')
        .option('--if-match <capture_id>', 'only if what it reads has not changed since that capture'),
    examples: [
      'substrate action shop cart.setCoupon coupon=SPRING',
      "substrate action shop cart.addItem name=tea price=2.5 --verify 'cart.items.length === 3'",
    ],
    run: async (context, { verify: expression, timeout, fresh = false, idempotencyKey, ifMatch }, app, action, given) =>
      (await commands()).runAction(context, {
        app,
        action,
        given,
        verify: expression,
        timeoutMs: timeout,
        fresh,
        idempotencyKey,
        ifMatch,
      }),
  });

  register<{ timeout?: number }, [string, string]>(program, {
    usage: 'verify <app> <expression>',
    description: 'wait until an expression is true of the state; ends with 6 if it is not in time',
    options: (command) => command.option('--timeout <ms>', 'how long to wait (default: 5000)', parseMs),
    examples: ["substrate verify shop 'cart.items.length > 0'", "substrate verify shop 'visits > 9' --timeout 30000"],
    run: async (context, { timeout }, app, expression) =>
      (await commands()).verify(context, { app, expression, timeoutMs: timeout }),
  });

  register<object, [string, string]>(program, {
    usage: 'diff <app> <capture_id>',
    description: 'show what has changed since a capture',
    examples: ['since=$(substrate state shop --json | jq -r .capture_id)', 'substrate diff shop $since   # later'],
    run: async (context, _, app, since) => (await commands()).showDiff(context, { app, since }),
  });

  register<{ csv?: boolean; at?: number; to?: number }, [string, string[]]>(program, {
    usage: 'history <app> <keys...>',
    description:
      'show the values of keys over the captures that the daemon keeps, or at a time that the fleet remembers',
    options: (command) =>
      command
        .option('--csv', 'a line for each change: time,key,value')
        .option('--at <time>', 'published keys at a time: 14:03, 2h (ago) or a date', parseSince)
        .option('--to <time>', 'with --at: and all changes until this time', parseSince),
    examples: [
      'substrate history shop cart.items.length',
      'substrate history shop visits --csv > visits.csv',
      'substrate history web-3/shop shop.queue.length --at 14:03',
    ],
    run: async (context, { csv = false, at, to }, app, keys) => {
      const { showHistory, showPublished } = await commands();
      if (at === undefined) return showHistory(context, { app, keys, csv });
      return showPublished(context, { app, keys, csv, at, to });
    },
  });

  register<{ plain?: boolean }, [string, string[]]>(program, {
    usage: 'watch <app> [globs...]',
    description: 'show changes as they come: a live view on a terminal, lines elsewhere',
    options: (command) => command.option('--plain', 'lines also on a terminal'),
    examples: ['substrate watch shop cart', 'substrate watch shop --json | jq .changes'],
    run: async (context, { plain = false }, app, globs) => {
      const stop = new AbortController();
      process.once('SIGINT', () => stop.abort());
      await (await commands()).watch(context, { app, globs, plain, signal: stop.signal });
    },
  });

  register<{ type?: string; notes?: string }, [string, string, string]>(program, {
    usage: 'learn <app> <key> <label>',
    description: 'give a key or an action a better name',
    options: (command) =>
      command
        .addOption(new Option('--type <type>', 'what it is (default: as it is)').choices(TYPE_NAMES))
        .option('--notes <text>', 'kept with the name'),
    examples: ['substrate learn shop rates.USD rates.dollar', 'substrate learn shop cart.addItem cart.add'],
    run: async (context, { type, notes }, app, key, label) =>
      (await commands()).learn(context, { app, key, label, type, notes }),
  });

  const mcp = register<{ config?: string; url?: string }, []>(program, {
    usage: 'mcp',
    description: 'serve the tools for a model (Model Context Protocol) on stdin and stdout; install: set a client up',
    examples: ['substrate mcp install cursor', 'claude mcp add --scope user substrate -- npx -y substrated mcp'],
    run: async (context, { config, url }) =>
      (await commands()).runMcp(context, { configFile: config, isElsewhere: url !== undefined }, surroundings),
  }).enablePositionalOptions();
  registerMcpInstall(mcp, surroundings);
}
