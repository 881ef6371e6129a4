import type { Command } from 'commander';
import { examples } from '../help.ts';
import { CONFIG_FLAG, type Surroundings } from '../surroundings.ts';

export function registerRun(program: Command, { env, homeDir, terminal }: Surroundings): void {
  program
    .command('run <command> [args...]')
    .usage('[options] -- <command> [args...]')
    .passThroughOptions()
    .description('start an app so that it can be attached to (browsers need it, most others do not)')
    .option('-q, --quiet', 'say nothing about it')
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      examples([
        'substrate run -- chromium https://example.org',
        'substrate run -q -- dotnet bin/shop.dll --urls http://*:80',
      ]),
    )
    .action(async (command: string, args: string[], flags: { quiet?: boolean; config?: string }) => {
      const { run } = await import('./run.ts');
      process.exitCode = await run({
        command,
        args,
        quiet: flags.quiet ?? false,
        configFile: flags.config,
        env,
        homeDir,
        cwd: process.cwd(),
        terminal,
        hasKeyboard: process.stdin.isTTY === true,
      });
    });
}
