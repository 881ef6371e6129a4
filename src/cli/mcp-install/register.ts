import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { askYes } from '../ask.ts';
import { examples } from '../help.ts';
import { CONFIG_FLAG, JSON_FLAG, type Surroundings } from '../surroundings.ts';
import { CLIENTS, mcpCommand } from './clients.ts';

interface Flags {
  readonly config?: string;
  readonly json?: boolean;
  readonly print?: boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
}

export function registerMcpInstall(mcp: Command, { env, homeDir, terminal }: Surroundings): void {
  mcp
    .command('install')
    .description('add the tools to the settings of a client; without a name: list the clients')
    .addArgument(new Argument('[client]', 'which one').choices(CLIENTS.map(({ name }) => name)))
    .option('--print', 'print what would be added, and do nothing')
    .option('--yes', 'write it without asking')
    .option('--force', 'in the place of another server called substrate')
    .option(...JSON_FLAG)
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      examples(['substrate mcp install', 'substrate mcp install vscode', 'substrate mcp install zed --print']),
    )
    .action(async (name: string | undefined, flags: Flags) => {
      const { installMcp, listClients } = await import('./install.ts');
      const configFile = flags.config === undefined ? null : path.resolve(flags.config);
      const options = {
        host: { platform: process.platform, env, homeDir },
        command: mcpCommand({ node: process.execPath, script: realpathSync(process.argv[1] ?? ''), configFile }),
        terminal,
        json: flags.json ?? false,
        print: flags.print ?? false,
        yes: flags.yes ?? false,
        force: flags.force ?? false,
        ask: process.stdin.isTTY === true && !flags.json ? askYes : null,
      };
      const client = CLIENTS.find((known) => known.name === name);
      if (client === undefined) listClients(options);
      else await installMcp(client, options);
    });
}
