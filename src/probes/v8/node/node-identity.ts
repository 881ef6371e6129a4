/** What a person would call a Node process, and what names it again after a restart. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { ProcessInfo } from '../../../model/process.ts';

/** Options of node that take the next argument as their value; after any other option the script may follow. */
const OPTIONS_WITH_VALUE = new Set(
  (
    '-r --require --import --loader --experimental-loader -C --conditions --env-file --env-file-if-exists --title --icu-data-dir ' +
    '--allow-fs-read --allow-fs-write --build-snapshot-config --cpu-prof-dir --cpu-prof-interval --cpu-prof-name --debug-port ' +
    '--diagnostic-dir --disable-proto --disable-warning --dns-result-order --experimental-config-file --experimental-default-type ' +
    '--experimental-policy --experimental-sea-config --heap-prof-dir --heap-prof-interval --heap-prof-name ' +
    '--heapsnapshot-near-heap-limit --heapsnapshot-signal --input-type --inspect-port --inspect-publish-uid --localstorage-file ' +
    '--max-http-header-size --network-family-autoselection-attempt-timeout --openssl-config --policy-integrity ' +
    '--redirect-warnings --report-dir --report-directory --report-filename --report-signal --secure-heap --secure-heap-min ' +
    '--snapshot-blob --test-concurrency --test-name-pattern --test-reporter --test-reporter-destination --test-shard ' +
    '--test-timeout --tls-cipher-list --tls-keylog --trace-event-categories --trace-event-file-pattern --trace-require-module ' +
    '--unhandled-rejections --use-largepages --v8-pool-size --watch-kill-signal --watch-path'
  ).split(' '),
);
const EVAL_OPTIONS = new Set(['-e', '--eval', '-p', '--print', '-pe']);
const EVAL_WITH_VALUE = /^--(?:eval|print)=(.*)$/s;
/** Names that say nothing about the app: the package's or the folder's name says more. */
const PLAIN_NAMES = new Set(['index', 'main', 'server', 'app', 'start', 'cli', 'www', 'bin', 'run', 'worker']);
const MAX_PARENTS = 12;

/** A field of another type counts as absent. */
const text = z.string().min(1).optional().catch(undefined);
const packageJson = z.object({ name: text, productName: text, main: text, bin: z.unknown().optional() });
type PackageJson = z.infer<typeof packageJson>;

export interface NodeIdentity {
  readonly appName: string;
  readonly identity: string;
}

/** `file` is the script's full path. */
export function identifyScript(runtime: string, file: string, resolve: (path: string) => string): NodeIdentity {
  const real = realScript(file, resolve);
  return { appName: nameOfScript(real, resolve), identity: `${runtime}:${real}` };
}

export function identifyNode(process: ProcessInfo, resolve: (path: string) => string): NodeIdentity {
  const script = findScript(process.argv);
  if (script === null) return { appName: 'node', identity: `node-repl:${process.cwd ?? ''}` };
  if ('code' in script) {
    const hash = createHash('sha256').update(script.code).digest('hex').slice(0, 16);
    return { appName: 'node -e', identity: `node-eval:${hash}` };
  }
  return identifyScript('node', path.resolve(process.cwd ?? '/', script.file), resolve);
}

function findScript(argv: readonly string[]): { file: string } | { code: string } | null {
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    const next = argv[at + 1];
    if (EVAL_OPTIONS.has(argument)) return { code: next ?? '' };
    const code = EVAL_WITH_VALUE.exec(argument)?.[1];
    if (code !== undefined) return { code };
    // Standard input, or a script of package.json: there is no file to name it by.
    if (argument === '-' || argument === '--run') return null;
    if (OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (argument === '--') return next === undefined ? null : { file: next };
    else if (argument !== '' && !argument.startsWith('-')) return { file: argument };
  }
  return null;
}

/** `node .` and `node server` are allowed too; links (node_modules/.bin) are followed. */
function realScript(file: string, resolve: (path: string) => string): string {
  const main = readPackage(file, resolve)?.main;
  const forms = main === undefined ? [file] : [file, ...entryForms(path.join(file, main))];
  for (const candidate of [...forms, `${file}.js`, path.join(file, 'index.js')]) {
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
    const found = readPackage(folder, resolve);
    if (found?.name !== undefined) return { folder, ...found };
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return null;
}

export function readPackage(folder: string, resolve: (path: string) => string): PackageJson | null {
  try {
    return parsePackage(fs.readFileSync(resolve(path.join(folder, 'package.json')), 'utf8'));
  } catch {
    // None here, or not one that can be read.
    return null;
  }
}

export function parsePackage(content: string): PackageJson | null {
  try {
    return packageJson.safeParse(JSON.parse(content)).data ?? null;
  } catch {
    return null;
  }
}

/** `main` may leave out what Node adds. */
function entryForms(entry: string): string[] {
  return [entry, `${entry}.js`, path.join(entry, 'index.js')];
}

function isEntry(owner: { folder: string; main?: string | undefined; bin?: unknown }, file: string): boolean {
  const entries =
    typeof owner.bin === 'string'
      ? [owner.bin]
      : Object.values(z.record(z.string(), z.string()).safeParse(owner.bin).data ?? {});
  return [owner.main, ...entries].some(
    (entry) => entry !== undefined && entryForms(path.resolve(owner.folder, entry)).includes(file),
  );
}
