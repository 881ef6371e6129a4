import type { Command } from 'commander';
import { examples } from '../help.ts';
import { CONFIG_FLAG, JSON_FLAG, type Surroundings } from '../surroundings.ts';

interface Flags {
  readonly json?: boolean;
  readonly key?: string;
  readonly url?: string;
  readonly config?: string;
  readonly report?: boolean;
  readonly yes?: boolean;
  readonly out?: string;
}

export function registerDoctor(program: Command, { env, homeDir, terminal }: Surroundings): void {
  program
    .command('doctor [app]')
    .description('show what can be attached to, what cannot and why, and whether the installation is sound')
    .option(...JSON_FLAG)
    .option('--report', 'make one file for a bug report, and show it before it is written: no values, no keys')
    .option('--yes', 'with --report: write it without a question')
    .option('--out <file>', 'with --report: write it there')
    .option('--key <key>', 'API key (default: SUBSTRATE_KEY, or one of its own beside the keys file)')
    .option('--url <address>', 'address of the daemon (default: from the configuration)')
    .option(...CONFIG_FLAG)
    .addHelpText(
      'after',
      examples([
        'substrate doctor',
        'substrate doctor shop          why this one is not there',
        'substrate doctor --report      a file for a bug report',
        'substrate doctor --json | jq \'.processes[] | select(.status == "blocked")\'',
      ]),
    )
    .action(async (wanted: string | undefined, flags: Flags) => {
      const { doctor } = await import('./doctor.ts');
      process.exitCode = await doctor({
        wanted: wanted ?? null,
        json: flags.json ?? false,
        connection: { configFile: flags.config, url: flags.url, key: flags.key, env, homeDir },
        report: flags.report === true ? { yes: flags.yes ?? false, out: flags.out } : null,
        terminal,
      });
    });
}
