/** The commands about the daemon on this machine: start, stop, service, and completion in shells. */
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from './completion/scripts.ts';
import { unquoted } from './completion/unquoted.ts';
import { EXIT } from './failures.ts';
import { examples } from './help.ts';
import { CONFIG_FLAG, JSON_FLAG, type Surroundings } from './surroundings.ts';

interface Flags {
  readonly config?: string;
  readonly json?: boolean;
}

/** Loaded on demand. */
const commands = () => import('./all-commands.ts');

export function registerMachineCommands(program: Command, surroundings: Surroundings): void {
  const { env, homeDir, terminal } = surroundings;
  const serviceHost = async () => (await commands()).createServiceHost(env, homeDir);
  const given = ({ config, json }: Flags) => ({ ...surroundings, configFile: config, json: json ?? false });

  program
    .command('up')
    .description('start the daemon in the background if none runs, and print the link to its dashboard')
    .option('--open', 'open the dashboard in the browser')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText('after', examples(['substrate up', 'substrate up --open', 'substrate up --json | jq -r .dashboard']))
    .action(async (flags: Flags & { open?: boolean }) => {
      const { up } = await commands();
      await up({ ...given(flags), open: flags.open ?? false });
    });

  program
    .command('down')
    .description('stop the daemon that up has started')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText('after', examples(['substrate down']))
    .action(async (flags: Flags) => {
      const { down } = await commands();
      await down({ ...given(flags), service: await serviceHost() });
    });

  const services = program.command('service').description('run the daemon as a service of yours, started at login');
  const serviceOptions = async (flags: Flags) => ({
    configFile: flags.config,
    host: await serviceHost(),
    terminal,
    json: flags.json ?? false,
    script: process.argv[1] ?? '',
  });
  services
    .command('install')
    .description('write a unit of systemd (Linux) or an agent of launchd (macOS), and start it')
    .option('--print', 'print what would be written, and do nothing')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText('after', examples(['substrate service install --print', 'substrate service install']))
    .action(async (flags: Flags & { print?: boolean }) =>
      (await commands()).installService({ ...(await serviceOptions(flags)), print: flags.print ?? false }),
    );
  services
    .command('uninstall')
    .description('stop it and remove what install wrote')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText('after', examples(['substrate service uninstall']))
    .action(async (flags: Flags) => (await commands()).uninstallService(await serviceOptions(flags)));
  services
    .command('status')
    .description('show whether it is installed (else ends with 4) and running (else ends with 1)')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText('after', examples(['substrate service status', 'substrate service status --json | jq .active']))
    .action(async (flags: Flags) => {
      process.exitCode = (await commands()).serviceStatus(await serviceOptions(flags));
    });

  program
    .command('completion')
    .helpGroup('Shell:')
    .description('print the script that completes commands, apps and actions in a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(SHELLS))
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      examples([
        'source <(substrate completion bash)     # in ~/.bashrc',
        'source <(substrate completion zsh)      # in ~/.zshrc, after compinit',
        'substrate completion fish > ~/.config/fish/completions/substrate.fish',
      ]),
    )
    .action((shell: Shell, { config }: Flags) => {
      terminal.stdout.write(completionScript(shell, config === undefined ? null : path.resolve(config)));
    });

  program
    .command('__complete [words...]', { hidden: true })
    .helpOption(false)
    .option('--quoted', 'the words are as they were typed')
    .option(...CONFIG_FLAG)
    .action(async (given: string[], flags: Flags & { quoted?: boolean }) => {
      const { complete } = await commands();
      const words = flags.quoted ? given.map(unquoted) : given;
      await complete({ program, words, configFile: flags.config, env, homeDir, terminal });
      // Nobody waits for late answers.
      process.exit(EXIT.ok);
    });
}
