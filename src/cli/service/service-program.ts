/** The program of a service, for any manager. */
import { UsageError } from '../failures.ts';

export interface ServiceProgram {
  /** Absolute paths: a service has neither a shell nor the user's PATH. */
  readonly command: readonly string[];
  /** The folders of the user's files, if they are not the default ones. */
  readonly environment: Readonly<Record<string, string>>;
  readonly log: string;
}

/** Folders that the daemon and the commands must agree on. */
const FOLDERS = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME'];

export function serviceProgram(options: {
  readonly node: string;
  readonly script: string;
  /** Absolute; null for the default one. */
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

/** Sentences about later surprises. */
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
