// Compiles the Java programs of test/targets/java, one folder each, into .cache/java/<folder>, if they have changed. A
// folder may have a file `release` (the Java version to compile for, otherwise 8) and a file `classpath` (jars it
// needs). `compileJava(name)` returns the folder of the classes, or null if no JDK is new enough or a jar is missing;
// `node scripts/java-targets.mjs` compiles all. `findJdks()` returns the JDKs of this machine.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './install.mjs';
import { SHORT_RUN } from './javac.mjs';

const SOURCES = path.join(ROOT, 'test/targets/java');
const CLASSES = path.join(ROOT, '.cache/java');

/** First that of the environment, then all of the distribution; each version once. */
export function findJdks() {
  const system = '/usr/lib/jvm';
  const homes = [process.env.JAVA_HOME, homeOfCommand('javac')];
  if (fs.existsSync(system)) homes.push(...fs.readdirSync(system).map((name) => path.join(system, name)));
  const found = new Map();
  for (const home of homes) {
    const version = home && fs.existsSync(path.join(home, 'bin/javac')) ? versionOf(home) : null;
    if (version !== null && !found.has(version)) found.set(version, { version, home });
  }
  return [...found.values()];
}

function homeOfCommand(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const file = folders.map((folder) => path.join(folder, name)).find((candidate) => fs.existsSync(candidate));
  return file && path.dirname(path.dirname(fs.realpathSync(file)));
}

/** `JAVA_VERSION="17.0.2"` is 17, `"1.8.0_292"` is 8. */
function versionOf(home) {
  const version = /^JAVA_VERSION="(?:1\.)?(\d+)/m.exec(readText(path.join(home, 'release')) ?? '')?.[1];
  return version === undefined ? null : Number(version);
}

export function compileJava(name) {
  const folder = path.join(SOURCES, name);
  const files = fs
    .readdirSync(folder, { recursive: true })
    .map((file) => path.join(folder, file))
    .filter((file) => fs.statSync(file).isFile())
    .sort();
  const stampText = files
    .reduce((hash, file) => hash.update(file).update(fs.readFileSync(file)), createHash('sha256'))
    .digest('hex');
  const classes = path.join(CLASSES, name);
  const stamp = path.join(classes, 'compiled');
  if (readText(stamp) === stampText) return classes;
  const release = readText(path.join(folder, 'release')) ?? '8';
  const jdk = findJdks().find(({ version }) => version >= Math.max(9, Number(release)));
  const classPath = readText(path.join(folder, 'classpath'));
  const hasJars = classPath === null || classPath.split(path.delimiter).every((jar) => fs.existsSync(jar));
  if (!jdk || !hasJars) return null;
  // Made beside its place and then moved: nobody may see half of it, and two processes may build at once.
  const draft = `${classes}.${process.pid}`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { recursive: true });
  const sources = files.filter((file) => file.endsWith('.java'));
  const options = ['-g', '-nowarn', '-Xlint:-options', '--release', release, '-d', draft, '-encoding', 'UTF-8'];
  if (classPath !== null) options.push('-cp', classPath);
  const javac = spawnSync(path.join(jdk.home, 'bin/javac'), [...SHORT_RUN, ...options, ...sources], {
    stdio: ['ignore', 2, 2],
  });
  if (javac.error) throw javac.error;
  if (javac.status !== 0) throw new Error(`test/targets/java/${name} does not compile`);
  fs.writeFileSync(path.join(draft, 'compiled'), stampText);
  fs.rmSync(classes, { recursive: true, force: true });
  try {
    fs.renameSync(draft, classes);
  } catch (error) {
    // Another process was faster, with the same sources.
    fs.rmSync(draft, { recursive: true, force: true });
    if (readText(stamp) !== stampText) throw error;
  }
  return classes;
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const name of fs.readdirSync(SOURCES)) {
    if (fs.statSync(path.join(SOURCES, name)).isDirectory())
      console.log(compileJava(name) ?? `${name}: no JDK here is new enough, or a jar that it needs is missing`);
  }
}
