/** `substrate __complete -- word …`: called by the scripts of the shells. Fast, and silent whatever happens. */
import type { Command } from 'commander';
import { Substrate } from '../../client/node.ts';
import { connectionOf, urlOfConfig } from '../connection.ts';
import { findApp } from '../find-app.ts';
import { printable, type Terminal } from '../terminal.ts';
import { type Candidate, type Completion, completionOf } from './candidates.ts';

/** Somebody has pressed a key and waits. */
const ANSWER_TIMEOUT_MS = 1500;
/** Names come from apps: those that a shell could take for more than a word are left out. */
const HARMLESS = /^[\w.@+/[\]-]+=?$/;

export interface CompleteOptions {
  readonly program: Command;
  readonly words: readonly string[];
  /** The fallback if the words name none. */
  readonly configFile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly terminal: Terminal;
}

export async function complete(options: CompleteOptions): Promise<void> {
  const { candidates, wanted } = completionOf(options.program, options.words);
  const current = options.words.at(-1) ?? '';
  // Without a daemon the commands themselves are completed. A message would appear in the line that is being typed.
  const found = await fromDaemon(wanted, options).catch(() => []);
  // Several processes of one app have one name.
  const byValue = new Map([...candidates, ...found].map((candidate) => [candidate.value, candidate]));
  for (const { value, description } of byValue.values())
    if (value.startsWith(current)) options.terminal.out(`${value}\t${printable(description)}`);
  if (wanted?.kind === 'files') options.terminal.out(':files');
}

async function fromDaemon(
  wanted: Completion['wanted'],
  { words, configFile, env, homeDir }: CompleteOptions,
): Promise<Candidate[]> {
  if (wanted === null || wanted.kind === 'files') return [];
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const place = { configFile: optionIn(words, '--config') ?? configFile, url: optionIn(words, '--url'), env, homeDir };
  // First without a key, so that none is created for a daemon that does not run.
  await new Substrate({ baseUrl: place.url ?? urlOfConfig(place) }).health({ signal });
  const substrate = new Substrate(await connectionOf({ ...place, key: optionIn(words, '--key') }));
  const found = await ask(substrate, wanted, signal);
  return found.filter(({ value }) => HARMLESS.test(value));
}

function ask(
  substrate: Substrate,
  wanted: Exclude<Completion['wanted'], null | { kind: 'files' }>,
  signal: AbortSignal,
): Promise<Candidate[]> {
  switch (wanted.kind) {
    case 'apps':
      return apps(substrate, signal);
    case 'actions':
      return actions(substrate, wanted.app, signal);
    case 'parameters':
      return parameters(substrate, wanted, signal);
  }
}

async function apps(substrate: Substrate, signal: AbortSignal): Promise<Candidate[]> {
  const all = (await substrate.apps({ signal })).filter(({ probe_status }) => probe_status !== 'detached');
  const count = new Map<string, number>();
  for (const { app_name } of all) count.set(app_name, (count.get(app_name) ?? 0) + 1);
  return all.flatMap(({ app_name, app_id, pid, runtime_name }) => [
    // An ambiguous name would not select an app.
    ...(count.get(app_name) === 1 ? [{ value: app_name, description: runtime_name }] : []),
    { value: app_id, description: `${app_name} (pid ${pid})` },
    { value: String(pid), description: app_name },
  ]);
}

async function actions(substrate: Substrate, app: string, signal: AbortSignal): Promise<Candidate[]> {
  const { pid } = await findApp(substrate, app, { signal });
  const schema = await substrate.actions(pid, { signal });
  return Object.entries(schema).map(([value, { signature }]) => ({ value, description: signature }));
}

/** Parameters that are not given yet, as `name=`. */
async function parameters(
  substrate: Substrate,
  { app, action, given }: { readonly app: string; readonly action: string; readonly given: readonly string[] },
  signal: AbortSignal,
): Promise<Candidate[]> {
  const { pid } = await findApp(substrate, app, { signal });
  const schema = (await substrate.actions(pid, { signal }))[action];
  // Bash splits `name=value` into three words.
  const names = new Set(given.map((word) => /^[^=:]*/.exec(word)?.[0]));
  return (schema?.parameters ?? [])
    .filter(({ name }) => !names.has(name))
    .map(({ name, type_name, required }) => ({
      value: `${name}=`,
      description: required ? type_name : `${type_name}, optional`,
    }));
}

function optionIn(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(name);
  return at === -1 || at >= words.length - 2 ? undefined : words[at + 1];
}
