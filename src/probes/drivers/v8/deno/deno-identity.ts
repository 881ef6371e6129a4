/** The program of a Deno process, its name for people, and its identity after a restart. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ProcessInfo } from '../../../../model/process.ts';
import { identifyScript, type NodeIdentity, readableTitle } from '../node/node-identity.ts';

/**
 * Commands that run a program in this process. `deno task` is none: the program is its child, which gets every signal,
 * and may be anything.
 */
const RUNNERS = new Set(['run', 'serve', 'eval', 'repl']);
/** Options that take the next argument as their value; all others use `=`, or have no value. */
const OPTIONS_WITH_VALUE = new Set(
  (
    '-c --config --import-map --lock --location --cert --seed --v8-flags --ext --port --host --preload --require ' +
    '--conditions --cpu-prof-dir --cpu-prof-name -L --log-level'
  ).split(' '),
);

/** Deno's cache of packages: `…/npm/registry.npmjs.org/@acme/tool/1.2.0/cli.js`. */
const NPM_CACHE = /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/\d[^/]*(\/.*)$/;
const JSR = /^https:\/\/jsr\.io\/(@[^/]+\/[^/]+)\/\d[^/]*(\/.*)$/;

interface DenoCommand {
  readonly command: string;
  /** A script, an address, or code, or null. */
  readonly program: string | null;
}

export function runsProgram(argv: readonly string[]): boolean {
  return RUNNERS.has(readCommand(argv).command);
}

export function identifyDeno(process: ProcessInfo, resolve: (path: string) => string): NodeIdentity {
  const [title = ''] = process.argv;
  if (process.argv.length === 1 && !/(?:^|\/)deno$/.test(title)) return identifyTitled(title, process);
  const { command, program } = readCommand(process.argv);
  if (command === 'repl' || program === null || program === '-')
    return { appName: 'deno', identity: `deno-repl:${process.cwd ?? ''}` };
  if (command === 'eval') {
    const hash = createHash('sha256').update(program).digest('hex').slice(0, 16);
    return { appName: 'deno eval', identity: `deno-eval:${hash}` };
  }
  if (program.startsWith('file://')) return identifyScript('deno', pathOfUrl(program), resolve);
  // `https://…`, `npm:…`, `jsr:…`: not a file of this machine.
  if (/^[a-z]+:/i.test(program)) return { appName: nameOfAddress(program), identity: `deno:${program}` };
  return identifyScript('deno', path.resolve(process.cwd ?? '/', program), resolve);
}

/** `process.title` overwrites the arguments. The attach reveals the program. */
function identifyTitled(title: string, { cwd }: ProcessInfo): NodeIdentity {
  const folder = cwd ?? '';
  const appName = readableTitle(title) || 'deno';
  return { appName, identity: `deno-title:${folder}:${title}`, earlier: [`deno-repl:${folder}`] };
}

/** By the URL of the main module from the inspector; null if it adds nothing to the arguments. */
export function identifyDenoModule(url: string, resolve: (path: string) => string): NodeIdentity | null {
  if (url === '' || /\/\$deno\$[^/]*$/.test(url)) return null;
  const file = url.startsWith('file://') ? pathOfUrl(url) : null;
  const [, name, rest = ''] = NPM_CACHE.exec(file ?? '') ?? JSR.exec(url) ?? [];
  // The version of a fetched package is no part of the identity.
  if (name !== undefined) return { appName: name, identity: `deno:${file === null ? 'jsr' : 'npm'}:${name}${rest}` };
  if (file !== null) return identifyScript('deno', file, resolve);
  return { appName: nameOfAddress(url), identity: `deno:${url}` };
}

/** `deno [command] [options] program [its own arguments]`; without a command, `deno script.ts` runs it as well. */
function readCommand(argv: readonly string[]): DenoCommand {
  const words: string[] = [];
  for (let at = 1; at < argv.length && words.length < 2; at++) {
    const argument = argv[at] ?? '';
    if (OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (argument === '-' || (argument !== '' && !argument.startsWith('-'))) words.push(argument);
  }
  const [first, second] = words;
  if (first === undefined) return { command: 'repl', program: null };
  if (/^[a-z]+$/.test(first)) return { command: first, program: second ?? null };
  return { command: 'run', program: first };
}

function pathOfUrl(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    // Not a valid URL: shown as it is.
    return url;
  }
}

/** `npm:@acme/tool@1.2/cli` -> `@acme/tool`, `https://example.org/x/server.ts` -> `server`. */
function nameOfAddress(address: string): string {
  const inRegistry = /^(?:npm|jsr):\/?(@[^/]+\/[^/@]+|[^/@]+)/.exec(address)?.[1];
  if (inRegistry !== undefined) return inRegistry;
  const parts = address.replace(/[?#].*$/, '').split('/');
  const file = parts.filter((part) => part !== '').at(-1) ?? 'deno';
  return file.replace(/\.[cm]?[jt]sx?$/, '');
}
