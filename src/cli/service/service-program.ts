/** What a service runs, whoever manages it. */
import { UsageError } from '../failures.ts';

export interface ServiceProgram {
  /** Absolute paths: a service has no shell and no PATH of the user's. */
  readonly command: readonly string[];
  /** Where the user's files are, if not where they usually are. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
}

/** Folders that the daemon and the commands must agree on. */
const FOLDERS = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME'];

export function serviceProgram(options: {
  readonly node: string;
  readonly script: string;
  /** Absolute; null: the usual one. */
  readonly configFile: string | null;
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
}): ServiceProgram {
  const config = options.configFile === null ? [] : ['--config', options.configFile];
  const command = [options.node, options.script, 'serve', ...config];
  const environment: Record<string, string> = {};
  for (const name of FOLDERS) {
    const value = options.env[name];
    if (value !== undefined && value !== '') environment[name] = value;
  }
  const broken = [...command, ...Object.values(environment)].find((word) => /\p{Cc}/u.test(word));
  if (broken !== undefined) throw new UsageError('A path with a control character in it cannot be made a service.');
  return { command, environment, log: options.log };
}

/** Each a sentence: what may surprise somebody later. */
export function remarksOn({ script, env }: { readonly script: string; readonly env: NodeJS.ProcessEnv }): string[] {
  const remarks: string[] = [];
  if (/[\\/]_npx[\\/]/.test(script))
    remarks.push(
      `${script} is in the cache of npx and may vanish: for a service install it with npm install -g substrated.`,
    );
  const settings = Object.keys(env).filter((name) => /^SUBSTRATE_.+__/.test(name));
  if (settings.length > 0)
    remarks.push(`A service does not see variables of this shell (${settings.join(', ')}): put them into config.toml.`);
  return remarks;
}
