// Makes dist/jvm/: the files that are loaded into Java programs.
//
//   agent-x64.so, agent-arm64.so   the native agent, with the boot classes inside; needs only the JVM
//   boot.jar                       the boot classes as a Java agent, if the library cannot be loaded
//   payload.jar                    everything else
//   build.json                     { build, files }
//
// The same sources give the same bytes.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildOnce, CPUS, filesBelow, findCompilers, findProgram, ROOT, run, symbolsOf } from './agent-build.mjs';
import { SHORT_RUN } from './javac.mjs';

const sources = path.join(ROOT, 'src/probes/drivers/jvm/agent');

const NO_JDK =
  'No JDK found: Java programs will be listed but not attached to. ' +
  'Install one (Debian: apt install openjdk-17-jdk-headless) and run npm run build again.';

/** Returns the hash of dist/jvm/, or null without a JDK. */
export function buildJvmAgent() {
  const jdk = findJdk();
  if (!jdk) {
    process.stderr.write(`${NO_JDK}\n`);
    return null;
  }
  const compilers = findCompilers();
  const build = buildOnce({
    out: path.join(ROOT, 'dist/jvm'),
    cache: path.join(ROOT, '.cache/jvm-agent'),
    sources: [...sourceFiles(), fileURLToPath(import.meta.url)],
    tools: [jdk, ...compilers],
    make: (work, made) => make(work, made, jdk, compilers),
  });
  CPUS.forEach((cpu, at) => {
    if (!compilers[at]) process.stderr.write(`No C compiler for ${cpu.name}: dist/jvm has no agent-${cpu.name}.so.\n`);
  });
  return build;
}

function make(work, made, jdk, compilers) {
  const classes = path.join(work, 'classes');
  fs.mkdirSync(classes);
  const java = sourceFiles().filter((file) => file.endsWith('.java'));
  run(path.join(jdk, 'bin/javac'), [
    ...SHORT_RUN,
    ...[
      '--release',
      '8',
      '-g:none',
      '-encoding',
      'UTF-8',
      '-proc:none',
      '-Werror',
      '-Xlint:all,-options',
      '-d',
      classes,
    ],
    ...java,
  ]);
  const compiled = filesBelow(classes).map((file) => ({
    name: path.relative(classes, file),
    bytes: fs.readFileSync(file),
  }));
  const boot = compiled.filter(({ name }) => name.startsWith('substrate/boot/'));
  const payload = compiled.filter(({ name }) => name.startsWith('substrate/agent/'));
  const manifest = Buffer.from('Manifest-Version: 1.0\r\nAgent-Class: substrate.boot.Boot\r\n\r\n');
  fs.writeFileSync(path.join(made, 'boot.jar'), zip([{ name: 'META-INF/MANIFEST.MF', bytes: manifest }, ...boot]));
  fs.writeFileSync(path.join(made, 'payload.jar'), zip(payload));
  fs.writeFileSync(path.join(work, 'boot_classes.h'), asHeader(boot));
  CPUS.forEach((cpu, at) => {
    if (compilers[at]) compile(compilers[at], cpu, jdk, work, path.join(made, `agent-${cpu.name}.so`));
  });
}

/** Freestanding: the one library serves every libc. */
function compile(compiler, cpu, jdk, work, file) {
  const native = path.join(sources, 'native');
  run(compiler, [
    ...['-std=c11', '-O2', '-ffreestanding', '-nostdlib', '-shared', '-fPIC', '-fvisibility=hidden'],
    ...['-fno-stack-protector', '-fno-ident', '-fno-asynchronous-unwind-tables', '-fno-tree-loop-distribute-patterns'],
    ...['-Wall', '-Wextra', '-Werror', '-s', '-Wl,-z,noexecstack', '-Wl,--build-id=none', '-Wl,--hash-style=both'],
    `-I${path.join(native, 'include')}`,
    `-I${work}`,
    ...['-isystem', path.join(jdk, 'include'), '-isystem', path.join(jdk, 'include/linux')],
    ...[
      '-o',
      file,
      ...fs
        .readdirSync(native)
        .filter((name) => name.endsWith('.c'))
        .sort()
        .map((name) => path.join(native, name)),
    ],
  ]);
  assertFreestanding(fs.readFileSync(file), cpu, path.basename(file));
}

/**
 * An undefined symbol or a needed library would make the load fail inside a user's program, so it fails here instead.
 */
function assertFreestanding(elf, cpu, name) {
  const { undefined: missing, exported } = symbolsOf(elf, cpu, name);
  if (missing.length > 0) throw new Error(`${name} lacks the symbols ${missing.join(', ')}`);
  if (!exported.includes('Agent_OnAttach')) throw new Error(`${name} does not export Agent_OnAttach`);
}

/** The boot classes as C arrays, and a table of them that begins with Boot, which is also the first by name. */
function asHeader(boot) {
  const classes = boot.map(({ name, bytes }) => ({ name: name.replace(/\.class$/, ''), bytes }));
  classes.sort((one, other) => (one.name < other.name ? -1 : 1));
  const arrays = classes.map(
    ({ bytes }, at) => `static const signed char class_${at}[] = {${new Int8Array(bytes)}};\n`,
  );
  const rows = classes.map(({ name }, at) => `{"${name}", class_${at}, sizeof class_${at}},\n`);
  return `${arrays.join('')}static const struct boot_class boot_classes[] = {\n${rows.join('')}};\n`;
}

/** An archive without times. gzip does the work: its trailer is the checksum, its middle the deflated bytes. */
function zip(entries) {
  const MIDNIGHT_1980 = 0x00210000;
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const gzipped = gzipSync(bytes, { level: 9 });
    const deflated = gzipped.subarray(10, -8);
    const file = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(MIDNIGHT_1980, 6);
    gzipped.copy(common, 10, gzipped.length - 8, gzipped.length - 4);
    common.writeUInt32LE(deflated.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(file.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, file);
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, file, deflated];
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** The folder of a JDK with a compiler: JAVA_HOME, the one on the PATH, or a usual place on Linux. */
function findJdk() {
  const candidates = [];
  if (process.env.JAVA_HOME) candidates.push(process.env.JAVA_HOME);
  const onPath = findProgram('javac');
  if (onPath) candidates.push(path.dirname(path.dirname(fs.realpathSync(onPath))));
  const installed = '/usr/lib/jvm';
  if (fs.existsSync(installed))
    candidates.push(
      ...fs
        .readdirSync(installed)
        .sort()
        .map((name) => path.join(installed, name)),
    );
  return (
    candidates.find((jdk) => ['bin/javac', 'include/jvmti.h'].every((file) => fs.existsSync(path.join(jdk, file)))) ??
    null
  );
}

function sourceFiles() {
  return filesBelow(sources).filter((file) => /\.(?:java|c|h)$/.test(file));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildJvmAgent();
