/** The environment of every command, and the common options. */
import type { Terminal } from './terminal.ts';

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly terminal: Terminal;
}

export const CONFIG_FLAG = [
  '--config <file>',
  'configuration file (default: ~/.config/substrate/config.toml)',
] as const;
export const JSON_FLAG = ['--json', 'print JSON'] as const;
