/** Finds the name that a person would use for a Java program, and the identity that survives a restart. */
import path from 'node:path';
import type { ProcessDetails, ProcessInfo, ProcessInspector } from '../../../model/process.ts';
import type { ProgramIdentity } from '../../probe.ts';
import { isFork } from '../../support/fork.ts';
import { readSmallText } from '../../support/plain-file.ts';
import {
  desktopName,
  isMeaningful as hasMeaningfulWord,
  isTemporary,
  lasting,
  presentable,
  spelledAs,
} from '../../support/program-names.ts';
import { majorVersion, readPerfData } from './hsperfdata.ts';
import { type Manifest, readManifest } from './jar-reader.ts';
import { classPathEntries, type JavaCommand, parseJavaCommand, parsePerfCommand, property } from './java-command.ts';
import { knownExecutable, knownProgram } from './known-programs.ts';

/** Commands of the JDK that are a virtual machine with a built-in program. */
const JDK_TOOLS = new Set(
  (
    'javac javadoc javap jar jarsigner jcmd jconsole jdb jdeprscan jdeps jfr jhsdb jimage jinfo jlink jmap jmod jpackage jps ' +
    'jrunscript jshell jstack jstat jstatd jwebserver keytool kinit klist ktab rmid rmiregistry serialver'
  ).split(' '),
);
/** Names that say nothing about the app: the names around them say more. */
const PLAIN_WORDS = new Set(
  (
    'main app apps application launcher launch start starter startup bootstrap boot server cli program runner run entry ' +
    'entrypoint driver client core impl internal gui ui desktop service tool tools api web java kotlin scala jar lib libs classes ' +
    'new old basic default wrapper loader init fx swing standalone ' +
    'target build out bin dist src test demo example examples com org net io de uk edu gov dev me eu fr github gitlab quarkus'
  ).split(' '),
);

const APP_NAME = 'app.name';
/** Only the first jars of a class path are read: programs list their own first. */
const MAX_JARS = 3;
/** Shorter names of packages are usually abbreviations. */
const SHORTEST_PRODUCT = 4;

/** The virtual machine that a process has mapped; null if there is none. */
export function findVm(details: ProcessDetails): { library: string; isOpenJ9: boolean } | null {
  if (isFork(details)) return null;
  const { modules } = details;
  const j9 = modules.find((file) => /\/libj9vm\d*\.(?:so|dylib)$/.test(file));
  if (j9 !== undefined) return { library: j9, isOpenJ9: true };
  const library = modules.find((file) => /\/libjvm\.(?:so|dylib)$/.test(file));
  return library === undefined ? null : { library, isOpenJ9: false };
}

/** The Java version in the file `release` of the installation; null if there is none. */
export function installedVersion(library: string, resolve: (path: string) => string): number | null {
  return majorVersion(readRelease(library, resolve).get('JAVA_VERSION') ?? '');
}

/** The file `release` of the installation: `NAME="value"` lines. */
export function readRelease(library: string, resolve: (path: string) => string): ReadonlyMap<string, string> {
  // lib/server/libjvm.so, and before Java 9 jre/lib/amd64/server/libjvm.so.
  for (let folder = path.dirname(path.dirname(library)), up = 0; up < 4; up++) {
    folder = path.dirname(folder);
    const text = readSmallText(resolve(path.join(folder, 'release')));
    if (text !== null)
      return new Map([...text.matchAll(/^(\w+)="(.*)"$/gm)].map(([, name = '', value = '']) => [name, value]));
  }
  return new Map();
}

export function identifyJvm(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector): ProgramIdentity {
  const resolve = (file: string) => inspect.resolvePath(process, file);
  const exe = process.exe ?? process.argv[0] ?? process.name;
  const tool = path.basename(exe);
  if (JDK_TOOLS.has(tool)) return { appName: tool, identity: `jvm:tool:${tool}` };
  const isLauncher = tool === 'java' || tool === 'javaw';
  const command = isLauncher ? readCommand(process, resolve) : NO_COMMAND;
  const complete = command.program ? command : { ...command, ...perfCommand(process, details, inspect) };
  if (isLauncher) return identifyCommand(complete, process.cwd ?? '/', resolve) ?? ofExecutable(exe);
  const { program } = complete;
  const known = program && knownProgram([program.name, path.basename(program.name)], complete);
  const own = ofExecutable(exe);
  if (program === null) return own;
  // One executable may start many programs.
  const main = program.kind === 'jar' ? lasting(path.resolve(process.cwd ?? '/', program.name)) : program.name;
  const identity = `${own.identity}:${main}`;
  return { appName: known?.name ?? own.appName, identity, earlier: [own.identity, `jvm:exe:${exe}`] };
}

const NO_COMMAND: JavaCommand = { program: null, args: [], options: [], classPath: null };

function perfCommand(process: ProcessInfo, details: ProcessDetails, inspect: ProcessInspector) {
  const command = readPerfData(process, details, inspect)?.command;
  return command ? parsePerfCommand(command) : {};
}

/** The command line of the process, with the argument files that can be read. */
export function readCommand({ argv, cwd }: ProcessInfo, resolve: (path: string) => string): JavaCommand {
  return parseJavaCommand(argv, (file) => readSmallText(resolve(path.resolve(cwd ?? '/', file))));
}

export function identifyCommand(
  command: JavaCommand,
  cwd: string,
  resolve: (path: string) => string,
): ProgramIdentity | null {
  const { program } = command;
  if (!program) return null;
  const file = program.kind === 'jar' || program.kind === 'source' ? path.resolve(cwd, program.name) : null;
  const manifest = program.kind === 'jar' && file !== null ? readManifest(resolve(file)) : null;
  const mainClass =
    file === null ? program.name : (manifest?.get('Start-Class') ?? manifest?.get('Main-Class') ?? null);
  const base = file === null ? null : path.basename(file);
  const names = [mainClass, base].filter((name) => name !== null);
  const known = knownProgram(names, command);
  const entries = classPathEntries(command.classPath, cwd);
  const given = givenName(command);
  const product = file === null ? nameOfProduct(program.name, entries) : null;
  const described =
    nameOfProperty(command) ??
    (manifest && titleOf(manifest)) ??
    (base === null ? null : nameOfFile(base)) ??
    // A source file is called by its file name: the folder around it belongs to other programs as well.
    (program.kind === 'source' && base !== null ? presentable(base.replace(/\.java$/, '')) : null) ??
    product ??
    (file === null ? titleOfJar(program.name, entries, resolve) : null) ??
    (mainClass === null ? null : nameOfClass(mainClass)) ??
    nameOfPlace(file === null ? [...entries, cwd] : [path.dirname(file), cwd]) ??
    presentable(simpleName(mainClass ?? program.name));
  const appName =
    given?.name ?? known?.name ?? spelledForPeople(described, [...names, ...entries], resolve, described === product);
  const place = known ? known.home : file === null ? lasting(entries[0] ?? cwd) : '';
  const what = file === null ? `${program.kind}:${program.name}` : `${program.kind}:${lasting(file)}`;
  const identity = place === '' ? `jvm:${what}` : `jvm:${what}@${place}`;
  // One jar may be several services, and one runner runs many scripts.
  const script = known?.script === undefined ? '' : `:${scriptPlace(known.script, cwd)}`;
  const service = given?.isService ? given.name : property(command.options, APP_NAME);
  const whole = `${identity}${script}${service === null ? '' : `#${service}`}`;
  return whole === identity ? { appName, identity } : { appName, identity: whole, earlier: [identity] };
}

/** A file is identified by its path, a class by its name. */
function scriptPlace(script: string, cwd: string): string {
  return script.includes('/') || /\.(?:kts?|groovy|gvy|scala|sc|clj|rb|py|jar)$/.test(script)
    ? lasting(path.resolve(cwd, script))
    : script;
}

/** The name as the desktop menu, a jar or a class spells it. */
function spelledForPeople(
  name: string,
  evidence: readonly string[],
  resolve: (path: string) => string,
  isOneWord: boolean,
): string {
  const [first = name] = name.split(' ');
  return (
    desktopName([name, first], resolve) ??
    spelledAs(
      name,
      evidence.map((text) => path.basename(text)),
      isOneWord,
    )
  );
}

/** `-Dapp.name=pdfsam-basic`, as start scripts write it. */
function nameOfProperty({ options }: JavaCommand): string | null {
  const name = property(options, APP_NAME);
  return name !== null && isMeaningful(name) ? presentable(name) : null;
}

/** A name that somebody wrote down for people. */
function givenName({ options, args }: JavaCommand): { name: string; isService: boolean } | null {
  const dock = options.findLast((option) => option.startsWith('-Xdock:name='))?.slice('-Xdock:name='.length);
  const spring = args.find((argument) => argument.startsWith('--spring.application.name='))?.split('=')[1];
  const service = spring || property(options, 'spring.application.name');
  if (dock) return { name: dock, isService: false };
  return service ? { name: service, isService: true } : null;
}

function titleOf(manifest: Manifest): string | null {
  const title = ['Implementation-Title', 'Bundle-Name', 'Application-Name', 'Specification-Title']
    .map((key) => manifest.get(key))
    .find((value) => value !== undefined && isMeaningful(value) && !/^\$\{|^[\w-]+(?:\.[\w-]+){2,}$/.test(value));
  if (title === undefined) return null;
  // The title is written for people, unless it is the name of a file or a package.
  return /[A-Z]/.test(title) && !/[-_.]/.test(title) ? title : presentable(title);
}

/** `bsh.Interpreter` is in a jar whose main class is `bsh.Console` and whose title is BeanShell. */
function titleOfJar(mainClass: string, entries: readonly string[], resolve: (path: string) => string): string | null {
  const own = packageOf(mainClass);
  for (const jar of entries.filter((entry) => entry.endsWith('.jar')).slice(0, MAX_JARS)) {
    const manifest = own === '' ? null : readManifest(resolve(jar));
    if (manifest && packageOf(manifest.get('Main-Class') ?? '') === own) return titleOf(manifest);
  }
  return null;
}

const packageOf = (name: string) => name.split('.').slice(0, -1).join('.');

/** `order-service-1.4.2-SNAPSHOT.jar` is Order Service. */
function nameOfFile(base: string): string | null {
  const name = plainName(base);
  return isMeaningful(name) ? presentable(name) : null;
}

/** The name without its version and the suffixes of its packaging. */
function plainName(base: string): string {
  return base
    .replace(/\.(?:jar|war|java)$/i, '')
    .replace(/[-_.]v?\d+(?:[._-]?\w+)*$/i, '')
    .replace(/[-_.](?:all|fat|shaded|runner|exec|boot|uber|standalone|jar-with-dependencies|SNAPSHOT)$/i, '');
}

/**
 * The word that class and jar share is the product: `org.basex.BaseXServer` in `basex.jar`, `davmail.DavGateway` in
 * `davmail.jar`.
 */
function nameOfProduct(mainClass: string, classPath: readonly string[]): string | null {
  const packages = mainClass.split('/')[0]?.split('.').slice(0, -1) ?? [];
  const jars = classPath
    .filter((entry) => entry.endsWith('.jar'))
    .map((entry) => plainName(path.basename(entry)).toLowerCase().split(/[-_.]/));
  const product = packages.find(
    (name) =>
      name.length >= SHORTEST_PRODUCT &&
      isMeaningful(name) &&
      jars.some(([first, ...rest]) => first === name && rest.every((word) => PLAIN_WORDS.has(word))),
  );
  return product === undefined ? null : presentable(product);
}

/** `com.example.coffeeshop.Main` is Coffeeshop, `com.example.OrderService` Order Service. */
function nameOfClass(name: string): string | null {
  const [module = '', inner] = name.split('/');
  const segments = (inner ?? module).split('.');
  const own = simpleName(segments.at(-1) ?? '');
  if (isMeaningful(own))
    return presentable(own.replace(/(?<=[a-z0-9]|[A-Z]{2})(?:Application|App|Main|Launcher|Bootstrap)$/, ''));
  const packages = inner === undefined ? segments.slice(0, -1) : [...module.split('.'), ...segments.slice(0, -1)];
  const meaningful = packages.findLast(isMeaningful);
  return meaningful === undefined ? null : presentable(meaningful);
}

/** `OrderServiceKt` and `OrderService$Companion` become OrderService. */
function simpleName(name: string): string {
  return name
    .replace(/^.*[./]/, '')
    .replace(/\$.*$/, '')
    .replace(/(?<=[a-z0-9])Kt$/, '');
}

/** The innermost folder or jar with a meaningful name. */
function nameOfPlace(places: readonly string[]): string | null {
  for (const place of places) {
    if (isTemporary(place)) continue;
    const meaningful = place.split('/').findLast((segment) => segment !== '' && nameOfFile(segment) !== null);
    if (meaningful !== undefined) return nameOfFile(meaningful);
  }
  return null;
}

const isMeaningful = (name: string) => hasMeaningfulWord(name, PLAIN_WORDS);

function ofExecutable(exe: string): ProgramIdentity {
  const base = path.basename(exe);
  return {
    appName: knownExecutable(exe) ?? presentable(base.replace(/\.bin$/, '')),
    identity: `jvm:exe:${lasting(exe)}`,
  };
}
