/**
 * The configuration in force: flag > environment > file > default. The only code that reads environment variables for
 * the daemon; everything else gets the result.
 */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TomlError } from 'smol-toml';
import {
  isTable,
  lineOf,
  ONCE,
  problemsOf,
  schemaAt,
  settingPaths,
  suggestion,
  type Table,
} from './config-problems.ts';
import { configSchema } from './config-schema.ts';
import type { Config } from './model/config.ts';
import { codeOf } from './model/failure.ts';
import { baseFolder, dataFolder } from './store/data-folder.ts';
import { flawOfFile } from './store/private-path.ts';

export interface ConfigRequest {
  /** From `--config`, and must exist. Without it the default file is read if it exists. */
  configFile?: string | undefined;
  flags?: { server?: { host?: string | undefined; port?: number | undefined } };
  env: NodeJS.ProcessEnv;
  homeDir: string;
}

export interface LoadedConfig {
  config: Config;
  /** Absolute. `configFile` is null when there is none. */
  paths: { configFile: string | null; keysFile: string; storageDir: string; schemasDir: string };
}

/** The message has one line per problem: the place, the value found, the value expected. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(problems.join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const ENV_PREFIX = 'SUBSTRATE_';

export function loadConfig(request: ConfigRequest): LoadedConfig {
  const { env, homeDir } = request;
  const configHome = baseFolder(env.XDG_CONFIG_HOME, path.join(homeDir, '.config'));
  const wanted =
    request.configFile === undefined
      ? path.join(configHome, 'substrate', 'config.toml')
      : path.resolve(expandHome(request.configFile, homeDir));

  const text = readConfigFile(wanted, request.configFile !== undefined);
  const fromFile = text === null ? {} : parseToml(text, wanted);
  const { table: fromEnv, unknown } = readVariables(env);
  const server = Object.entries(request.flags?.server ?? {}).filter(([, value]) => value !== undefined);
  const fromFlags = { server: Object.fromEntries(server) };

  // Each source is checked alone, so that every problem names its source.
  const problems = [
    ...problemsOf(fromFile).map(({ keys, text: problem }) => {
      const line = text === null ? null : lineOf(keys, text);
      return `${wanted}${line === null ? '' : `:${line}`}: ${problem}`;
    }),
    ...unknown,
    ...problemsOf(fromEnv).map(({ keys, text }) => `environment variable ${variableName(keys)}: ${text}`),
    ...problemsOf(fromFlags).map(({ keys, text }) => `--${String(keys.at(-1))}: ${text}`),
  ];
  if (problems.length > 0) throw new ConfigError(problems);

  const parsed = configSchema.parse(merged(merged(fromFile, fromEnv), fromFlags), ONCE);
  // Relative to the config file, not to the working directory: the daemon and `keygen` must find the same files
  // wherever they were started.
  const resolve = (file: string) => path.resolve(path.dirname(wanted), expandHome(file, homeDir));
  const config = { ...parsed, fleet: { ...parsed.fleet, ...resolvedFiles(parsed.fleet, resolve) } };
  const storageDir = config.storage.dir === undefined ? dataFolder(env, homeDir) : resolve(config.storage.dir);
  const keysFile =
    config.auth.keys_file === undefined ? path.join(storageDir, 'keys.json') : resolve(config.auth.keys_file);
  const schemasDir = path.join(storageDir, 'schemas');
  return { config, paths: { configFile: text === null ? null : wanted, keysFile, storageDir, schemasDir } };
}

function resolvedFiles(fleet: Config['fleet'], resolve: (file: string) => string): Partial<Config['fleet']> {
  const names = ['credentials', 'ca_file', 'cert_file', 'key_file'] as const;
  return Object.fromEntries(names.flatMap((name) => (fleet[name] === undefined ? [] : [[name, resolve(fleet[name])]])));
}

function expandHome(file: string, homeDir: string): string {
  if (file === '~') return homeDir;
  return file.startsWith('~/') ? path.join(homeDir, file.slice(2)) : file;
}

/**
 * The file decides who may call the daemon, and where the client sends its key: a file that others can write is not
 * read.
 */
function readConfigFile(file: string, mustExist: boolean): string | null {
  const flaw = flawOfFile(file);
  if (flaw !== null && existsSync(file))
    throw new ConfigError([`${flaw.problem}: ${file} is not read. Remedy: ${flaw.remedy}`]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = codeOf(error);
    const absent = code === 'ENOENT' || code === 'ENOTDIR';
    if (absent && !mustExist) return null;
    if (absent) throw new ConfigError([`${file}: there is no such config file`], error);
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new ConfigError([`${file}: is not UTF-8 text`], error);
    throw new ConfigError([`${file}: cannot be read: ${String(code ?? error)}`], error);
  }
}

function parseToml(text: string, file: string): Table {
  try {
    return parse(text, { unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    // Only the first line: the rest of the message quotes the file.
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    const place = error instanceof TomlError ? `${file}:${error.line}:${error.column}` : file;
    throw new ConfigError([`${place}: ${reason}`], error);
  }
}

function readVariables(env: NodeJS.ProcessEnv): { table: Table; unknown: string[] } {
  // SUBSTRATE_KEY, SUBSTRATE_URL and the like belong to the client commands.
  const given = Object.entries(env).filter(
    ([name]) => name.startsWith(ENV_PREFIX) && name.slice(ENV_PREFIX.length).includes('__'),
  );
  if (given.length === 0) return { table: {}, unknown: [] };

  const settings = new Map(settingPaths().map((keys) => [variableName(keys), keys]));
  let table: Table = {};
  const unknown: string[] = [];
  for (const [name, text] of given) {
    if (text === undefined) continue;
    const keys = settings.get(name);
    if (keys === undefined) {
      unknown.push(`environment variable ${name}: names no setting${suggestion(name, [...settings.keys()])}`);
    } else {
      const value = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), valueFromText(text, keys));
      if (isTable(value)) table = merged(table, value);
    }
  }
  return { table, unknown };
}

function variableName(keys: readonly PropertyKey[]): string {
  // The position within a list is not part of the name.
  const names = keys.filter((key) => typeof key === 'string');
  return ENV_PREFIX + names.join('__').toUpperCase();
}

/** Text that does not fit the expected type is passed on unchanged, so that the check can report it. */
function valueFromText(text: string, keys: readonly string[]): unknown {
  const type = schemaAt(keys)?.type;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type === 'integer') return integerOrText(text);
  if (type !== 'array') return text;
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map(integerOrText);
}

function integerOrText(text: string): number | string {
  return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function merged(base: Table, over: Table): Table {
  const result = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isTable(below) && isTable(value) ? merged(below, value) : value;
  }
  return result;
}
