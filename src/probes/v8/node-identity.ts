/** What a person would call a Node process, and what names it again after a restart. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { ProcessInfo } from '../../model/process.ts';

/** Options of node that take the next argument as their value; after any other option the script may follow. */
const OPTIONS_WITH_VALUE = new Set([
  '-r',
  '--require',
  '--import',
  '--loader',
  '--experimental-loader',
  '-C',
  '--conditions',
  '--env-file',
  '--title',
  '--icu-data-dir',
]);
const EVAL_OPTIONS = new Set(['-e', '--eval', '-p', '--print', '-pe']);
/** Names that say nothing about the app: the package's or the folder's name says more. */
const PLAIN_NAMES = new Set(['index', 'main', 'server', 'app', 'start', 'cli', 'www', 'bin', 'run', 'worker']);
const MAX_PARENTS = 12;

const packageJson = z.object({
  name: z.string().optional(),
  productName: z.string().optional(),
  main: z.string().optional(),
  bin: z.unknown().optional(),
});

export interface NodeIdentity {
  readonly appName: string;
  readonly identity: string;
}

export function identifyNode(process: ProcessInfo, resolve: (path: string) => string): NodeIdentity {
  const script = findScript(process.argv);
  if (script === null) return { appName: 'node', identity: `node-repl:${process.cwd ?? ''}` };
  if ('code' in script) {
    const hash = createHash('sha256').update(script.code).digest('hex').slice(0, 16);
    return { appName: 'node -e', identity: `node-eval:${hash}` };
  }
  const file = realScript(path.resolve(process.cwd ?? '/', script.file), resolve);
  return { appName: nameOfScript(file, resolve), identity: `node:${file}` };
}

function findScript(argv: readonly string[]): { file: string } | { code: string } | null {
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] as string;
    if (EVAL_OPTIONS.has(argument)) return { code: argv[at + 1] ?? '' };
    if (OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (argument === '--') return argv[at + 1] === undefined ? null : { file: argv[at + 1] as string };
    else if (argument !== '' && !argument.startsWith('-')) return { file: argument };
  }
  return null;
}

/** `node .` and `node server` are allowed too; links (node_modules/.bin) are followed. */
function realScript(file: string, resolve: (path: string) => string): string {
  for (const candidate of [file, `${file}.js`, path.join(file, 'index.js')]) {
    try {
      const real = fs.realpathSync(resolve(candidate));
      if (fs.statSync(real).isFile()) return resolve('/') === '/' ? real : candidate;
    } catch {
      // Not this form.
    }
  }
  return file;
}

function nameOfScript(file: string, resolve: (path: string) => string): string {
  const base = path.basename(file).replace(/\.[^.]+$/, '');
  const owner = findPackage(path.dirname(file), resolve);
  if (owner && (PLAIN_NAMES.has(base) || isEntry(owner, file))) return owner.productName ?? owner.name ?? base;
  if (!PLAIN_NAMES.has(base)) return base;
  return path.basename(path.dirname(file)) || base;
}

function findPackage(start: string, resolve: (path: string) => string) {
  let folder = start;
  for (let depth = 0; depth < MAX_PARENTS; depth++) {
    try {
      const parsed = packageJson.safeParse(
        JSON.parse(fs.readFileSync(resolve(path.join(folder, 'package.json')), 'utf8')),
      );
      if (parsed.success && parsed.data.name) return { folder, ...parsed.data };
    } catch {
      // None here, or not one that can be read.
    }
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

function isEntry(owner: { folder: string; main?: string | undefined; bin?: unknown }, file: string): boolean {
  const entries =
    typeof owner.bin === 'string'
      ? [owner.bin]
      : Object.values(z.record(z.string(), z.string()).safeParse(owner.bin).data ?? {});
  return [owner.main, ...entries].some((entry) => entry !== undefined && path.resolve(owner.folder, entry) === file);
}
