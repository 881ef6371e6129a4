/** The name of a Node process for people, and its identity after a restart. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { ProcessInfo } from '../../../../model/process.ts';
import type { ProgramIdentity } from '../../../probe.ts';
import { statSeen } from '../../../support/in-root.ts';
import { readSmallText } from '../../../support/plain-file.ts';

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
const MAX_PACKAGE_BYTES = 256 * 1024;
const MAX_PATH_FOLDERS = 100;
const MAX_TITLE = 80;
/** The files of PM2 that load the app of somebody else. */
const PM2_CONTAINER = /\/ProcessContainer(?:Fork)?\.js$/;

/** A field of another type counts as absent. */
const text = z.string().min(1).optional().catch(undefined);
const packageJson = z.object({
  name: text,
  productName: text,
  main: text,
  bin: z.unknown().optional(),
  scripts: z.object({ start: text }).optional().catch(undefined),
});
type PackageJson = z.infer<typeof packageJson>;

export interface NodeIdentity extends ProgramIdentity {
  /** As of a `Recognition`. */
  readonly isGuess?: boolean;
}

/** The command according to Node itself, which no title overwrites. */
export interface NodeCommand {
  /** The file of the main module, or the folder of an Electron app; null if the module is not a CommonJS one. */
  readonly main: string | null;
  /** Node writes the script's full path there. */
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
}

/** `file` is the script's full path. */
export function identifyScript(runtime: string, file: string, resolve: (path: string) => string): NodeIdentity {
  const real = realScript(file, resolve);
  return { appName: nameOfScript(real, resolve), identity: `${runtime}:${real}` };
}

/** `environ` reads the environment of the process; called only if the arguments are not enough. */
export function identifyNode(
  process: ProcessInfo,
  resolve: (path: string) => string,
  environ: () => string | null,
): NodeIdentity {
  if (isTitled(process)) return identifyTitled(process, resolve, readEnvironment(environ()));
  const script = findScript(process.argv);
  if (script === null || 'code' in script) return withoutScript(script, process);
  const file = path.resolve(process.cwd ?? '/', script.file);
  const managed = PM2_CONTAINER.test(file) ? identifyManaged(readEnvironment(environ()), resolve) : null;
  return managed ?? identifyScript('node', file, resolve);
}

/** The same by what Node itself says: right also when the program has changed its title or its folder. */
export function identifyNodeCommand(
  { main, argv, execArgv }: NodeCommand,
  process: ProcessInfo,
  resolve: (path: string) => string,
  environ: () => string | null,
): NodeIdentity {
  const evaluated = findScript(['node', ...execArgv]);
  const script = main ?? argv[1] ?? '-';
  if (evaluated !== null && 'code' in evaluated) return withoutScript(evaluated, process);
  if (script === '-') return withoutScript(null, process);
  const program = identifyScript('node', path.resolve(process.cwd ?? '/', script), resolve);
  const managed = identifyManaged(readEnvironment(environ()), resolve);
  // A child of such an app has the same environment, and is another program.
  return managed?.earlier?.includes(program.identity) ? managed : program;
}

function withoutScript(script: { code: string } | null, { cwd }: ProcessInfo): NodeIdentity {
  if (script === null) return { appName: 'node', identity: `node-repl:${cwd ?? ''}` };
  const hash = createHash('sha256').update(script.code).digest('hex').slice(0, 16);
  return { appName: 'node -e', identity: `node-eval:${hash}` };
}

/** `process.title` is written over the arguments: what is left is one, and not the command that was run. */
function isTitled({ argv, exe }: ProcessInfo): boolean {
  const command = path.basename(exe ?? '');
  const [title = ''] = argv;
  return argv.length === 1 && command.startsWith('node') && ![command, 'node', 'nodejs'].includes(path.basename(title));
}

type Environment = ReadonlyMap<string, string>;

function readEnvironment(text: string | null): Environment {
  return new Map((text ?? '').split('\0').map((line) => [line.replace(/=.*$/s, ''), line.replace(/^[^=]*=/, '')]));
}

/** An app that PM2 runs is called as it is there. In its cluster mode all of its settings are one variable with JSON. */
function identifyManaged(environment: Environment, resolve: (path: string) => string): NodeIdentity | null {
  const settings = parseJson(environment.get('pm2_env') ?? '') ?? Object.fromEntries(environment);
  const app = z.object({ name: text, pm_exec_path: z.string().min(1) }).safeParse(settings).data;
  if (!app) return null;
  const { appName, identity } = identifyScript('node', path.resolve('/', app.pm_exec_path), resolve);
  if (app.name === undefined) return { appName, identity };
  // One script may be several apps there.
  return { appName: app.name, identity: `${identity}#${app.name}`, earlier: [identity] };
}

/** By its script where that is sure. The title alone would be one name for programs of several folders. */
function identifyTitled(
  { argv: [title = ''], cwd }: ProcessInfo,
  resolve: (path: string) => string,
  environment: Environment,
): NodeIdentity {
  // PM2 has a channel to its apps. A child of one, which has the same environment, has none.
  const managed = environment.has('NODE_CHANNEL_FD') ? identifyManaged(environment, resolve) : null;
  if (managed) return managed;
  const folder = cwd ?? '/';
  const owner = findPackage(folder, resolve);
  // `npm run dev` is npm.
  const word = /[^\s:]+/.exec(title)?.[0].toLowerCase() ?? '';
  const script = commandFile(word, environment, resolve) ?? packageFile(word, owner, environment, resolve);
  if (script !== null) return { ...identifyScript('node', script, resolve), isGuess: true };
  return {
    appName: owner?.productName ?? owner?.name ?? (readableTitle(title) || 'node'),
    identity: `node-title:${folder}:${title}`,
  };
}

export function readableTitle(title: string): string {
  return title
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE);
}

/** A command of this name that belongs to a package: what the shell says it ran, or what it would run. */
function commandFile(word: string, environment: Environment, resolve: (path: string) => string): string | null {
  const folders = (environment.get('PATH') ?? '').split(':').slice(0, MAX_PATH_FOLDERS);
  for (const command of [environment.get('_') ?? '', ...folders.map((folder) => path.join(folder, word))]) {
    const isNamed = path.isAbsolute(command) && path.basename(command).toLowerCase() === word;
    const file = isNamed ? findFile(command, resolve) : null;
    const owner = file === null ? null : findPackage(path.dirname(file), resolve);
    if (file !== null && owner && isEntry(owner, file)) return file;
  }
  return null;
}

/** The file that npm has started, a command of the package, or its main file, if the title is its name. */
function packageFile(
  word: string,
  owner: OwnPackage | null,
  environment: Environment,
  resolve: (path: string) => string,
): string | null {
  const isNamed = (name = '') => name.replace(/^@[^/]*\//, '').toLowerCase() === word;
  const line = environment.get('npm_lifecycle_script')?.split(' ') ?? [];
  const started = line[0] === 'node' && isNamed(environment.get('npm_package_name')) ? findScript(line) : null;
  const files: string[] = [];
  if (started && 'file' in started)
    files.push(path.resolve(path.dirname(environment.get('npm_package_json') ?? '/'), started.file));
  if (owner) {
    const commands = commandsOf(owner).filter(([name]) => isNamed(name));
    files.push(...commands.map(([, file]) => path.resolve(owner.folder, file)));
    if (isNamed(owner.name)) files.push(owner.folder);
  }
  return files.map((file) => findFile(file, resolve)).find((file) => file !== null) ?? null;
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

function realScript(file: string, resolve: (path: string) => string): string {
  return findFile(file, resolve) ?? file;
}

/** `node .` and `node server` are allowed too; links (node_modules/.bin) are followed. */
function findFile(file: string, resolve: (path: string) => string): string | null {
  const main = readPackage(file, resolve)?.main;
  const forms = main === undefined ? [file] : [file, ...entryForms(path.join(file, main))];
  for (const candidate of [...forms, `${file}.js`, path.join(file, 'index.js')]) {
    const seen = resolve(candidate);
    if (!statSeen(seen)?.isFile()) continue;
    if (resolve('/') !== '/') return candidate;
    try {
      return fs.realpathSync(seen);
    } catch {
      // It went a moment ago.
    }
  }
  return null;
}

function nameOfScript(file: string, resolve: (path: string) => string): string {
  const base = path.basename(file).replace(/\.[^.]+$/, '');
  const owner = findPackage(path.dirname(file), resolve);
  if (owner && (PLAIN_NAMES.has(base) || isInstalled(owner) || isEntry(owner, file) || isStart(owner, file)))
    return owner.productName ?? owner.name ?? base;
  if (!PLAIN_NAMES.has(base)) return base;
  return path.basename(path.dirname(file)) || base;
}

/** By npm: people call it as they have installed it, whichever of its files runs. */
const isInstalled = ({ folder }: OwnPackage) => folder.includes('/node_modules/');

type OwnPackage = PackageJson & { readonly folder: string };

function findPackage(start: string, resolve: (path: string) => string): OwnPackage | null {
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
  const content = readSmallText(resolve(path.join(folder, 'package.json')), MAX_PACKAGE_BYTES);
  return content === null ? null : parsePackage(content);
}

export function parsePackage(content: string): PackageJson | null {
  return packageJson.safeParse(parseJson(content)).data ?? null;
}

/** Undefined: it is none. */
function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    // No JSON names nothing: the program is named by its file.
    return undefined;
  }
}

/** `main` may leave out what Node adds. */
function entryForms(entry: string): string[] {
  return [entry, `${entry}.js`, path.join(entry, 'index.js')];
}

function isEntry(owner: OwnPackage, file: string): boolean {
  const entries = commandsOf(owner).map(([, command]) => command);
  return [owner.main, ...entries].some(
    (entry) => entry !== undefined && entryForms(path.resolve(owner.folder, entry)).includes(file),
  );
}

/** `node stats.js config.js` as the script `start` of the package `statsd`. */
function isStart({ folder, scripts }: OwnPackage, file: string): boolean {
  const line = scripts?.start?.split(' ') ?? [];
  const started = line[0] === 'node' || line[0] === 'nodejs' ? findScript(line) : null;
  return started !== null && 'file' in started && entryForms(path.resolve(folder, started.file)).includes(file);
}

/** The commands that it brings, and their files. One alone is called as the package is. */
function commandsOf({ name = '', bin }: OwnPackage): [name: string, file: string][] {
  if (typeof bin === 'string') return [[name, bin]];
  return Object.entries(z.record(z.string(), z.string()).safeParse(bin).data ?? {});
}
