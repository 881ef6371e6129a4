/** Selects the daemon of a command, and its key. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../config.ts';
import { messageOf } from '../model/failure.ts';
import { writeJson } from '../store/atomic-file.ts';
import { withFileLock } from '../store/file-lock.ts';
import { preparePrivateTarget } from '../store/private-path.ts';
import { UsageError } from './failures.ts';
import { openKeyStore } from './key-command.ts';

/** Beside the keys file: the own key of this user's commands. */
const OWN_KEY_FILE = 'cli-key.json';

/** A daemon answers this at once; another program at its address may never answer. */
const ANSWER_MS = 3000;
/** The list of apps is also ready, but many clients may request it at the same time. */
export const LIST_MS = 10_000;

export interface ConnectionOptions {
  readonly configFile?: string | undefined;
  /** From `--url`. */
  readonly url?: string | undefined;
  /** From `--key`. */
  readonly key?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
}

export interface Connection {
  readonly baseUrl: string;
  readonly key?: string;
  /** Why there is no own key; shown when the daemon requires one. */
  readonly keyProblem?: string;
}

/** The address and key for the client. */
export async function connectionOf(options: ConnectionOptions): Promise<Connection> {
  const baseUrl = options.url === undefined ? urlOfConfig(options) : checkedUrl(options.url);
  // An empty variable counts as none.
  const given = options.key ?? (options.env.SUBSTRATE_KEY || undefined);
  if (given !== undefined) return { baseUrl, key: given };
  if (!isLoopback(baseUrl))
    return { baseUrl, keyProblem: 'it is for the daemon of this machine, at a loopback address.' };
  try {
    return { baseUrl, key: await ownKey(options) };
  } catch (error) {
    return { baseUrl, keyProblem: messageOf(error) };
  }
}

function checkedUrl(url: string): string {
  if (/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return url;
  throw new UsageError(`"${url}" is no address of a daemon: expected one such as http://127.0.0.1:7842.`);
}

/** The own key is for the daemon of this machine; no other program may see it. */
function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** For requests that a daemon answers at once. */
export function inTime(limitMs = ANSWER_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

export function urlOfConfig({ configFile, env, homeDir }: ConnectionOptions): string {
  const { host, port } = loadConfig({ configFile, env, homeDir }).config.server;
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/**
 * A user who can write the keys file can create a key, so a command of the daemon's own user on its machine needs no
 * given key. Throws if that is not the case.
 */
async function ownKey({ configFile, env, homeDir }: ConnectionOptions): Promise<string> {
  const { store, keysFile } = openKeyStore({ configFile, env, homeDir, stdout: () => {}, stderr: () => {} });
  const file = path.join(path.dirname(keysFile), OWN_KEY_FILE);
  const usable = () => {
    const known = readOwnKey(file);
    return known !== null && store.list().some(({ id, enabled }) => id === known.id && enabled) ? known.key : null;
  };
  const known = usable();
  if (known !== null) return known;
  // Several commands may be the first at the same time: one key is enough for all.
  preparePrivateTarget(file);
  return await withFileLock(path.join(path.dirname(file), 'cli-key'), async () => {
    const made = usable();
    if (made !== null) return made;
    const { key, record } = await store.create('command line');
    await writeJson(file, { key, id: record.id });
    return key;
  });
}

function readOwnKey(file: string): { key: string; id: string } | null {
  try {
    const { key, id } = JSON.parse(readFileSync(file, 'utf8')) as { key?: unknown; id?: unknown };
    return typeof key === 'string' && typeof id === 'string' ? { key, id } : null;
  } catch {
    // An unreadable key is created anew.
    return null;
  }
}
