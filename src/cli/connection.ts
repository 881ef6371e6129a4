/** Which daemon a command talks to, and with which key. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../config.ts';
import { messageOf } from '../model/failure.ts';
import { writeJson } from '../store/atomic-file.ts';
import { withFileLock } from '../store/file-lock.ts';
import { preparePrivateTarget } from '../store/private-path.ts';
import { UsageError } from './failures.ts';
import { openKeyStore } from './key-command.ts';

/** Beside the keys file: the key that the commands of this user have for themselves. */
const OWN_KEY_FILE = 'cli-key.json';

/** A daemon says at once that it is there; whoever else may be at its address may never say a word. */
const ANSWER_MS = 3000;
/** The list of apps is at hand, too, but many may ask for it at the same time. */
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
  /** Why there is none of its own: told when the daemon asks for one. */
  readonly keyProblem?: string;
}

/** How the client reaches it. */
export async function connectionOf(options: ConnectionOptions): Promise<Connection> {
  const baseUrl = options.url === undefined ? urlOfConfig(options) : checkedUrl(options.url);
  // A variable that is empty is as good as none.
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

/** A key of its own opens the daemon of this machine: no other one is to see it. */
function isLoopback(url: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** For questions that take a daemon no time. */
export function inTime(limitMs = ANSWER_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

export function urlOfConfig({ configFile, env, homeDir }: ConnectionOptions): string {
  const { host, port } = loadConfig({ configFile, env, homeDir }).config.server;
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/**
 * Whoever may write the keys file may make a key: so a command on the daemon's own machine, by the same user, needs none to
 * be given. Throws where that is not so.
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
  // Several commands may be the first at the same time: one key will do for all.
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
    // A key that cannot be read is made anew.
    return null;
  }
}
