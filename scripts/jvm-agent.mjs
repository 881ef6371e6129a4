// Makes dist/jvm/: what is loaded into Java programs.
//
//   agent-x64.so, agent-arm64.so   the native agent, with the boot classes inside; needs nothing but the JVM
//   boot.jar                       the boot classes as a Java agent, for where the library cannot be loaded
//   payload.jar                    all else
//   build.json                     { build, files }
//
// The same sources give the same bytes. Made anew only when a source or a tool has changed: build.mjs wipes dist/,
// so what was made is kept in .cache/jvm-agent/.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const sources = path.join(root, 'src/probes/jvm/agent');
const cache = path.join(root, '.cache/jvm-agent');
const out = path.join(root, 'dist/jvm');

const NO_JDK =
  'No JDK found: Java programs will be listed but not attached to. ' +
  'Install one (Debian: apt install openjdk-17-jdk-headless) and run npm run build again.';

const CPUS = [
  { name: 'x64', machine: 62, compilers: ['x86_64-linux-gnu-gcc'] },
  { name: 'arm64', machine: 183, compilers: ['aarch64-linux-gnu-gcc'] },
];

/** Gives the hash of what is in dist/jvm/, or null where there is no JDK to make it. */
export function buildJvmAgent() {
  const jdk = findJdk();
  if (!jdk) {
    process.stderr.write(`${NO_JDK}\n`);
    return null;
  }
  const compilers = CPUS.map((cpu) => findCompiler(cpu));
  const inputs = [...sourceFiles(), fileURLToPath(import.meta.url)];
  const build = hash(inputs.flatMap((file) => [path.relative(root, file), fs.readFileSync(file)])).slice(0, 16);
  const kept = path.join(cache, hash([build, jdk, ...compilers.map(String)]));
  if (!fs.existsSync(kept)) make(kept, build, jdk, compilers);
  CPUS.forEach((cpu, at) => {
    if (!compilers[at]) process.stderr.write(`No C compiler for ${cpu.name}: dist/jvm has no agent-${cpu.name}.so.\n`);
  });
  if (!isCopy(kept, out)) {
    fs.rmSync(out, { recursive: true, force: true });
    fs.cpSync(kept, out, { recursive: true });
  }
  return build;
}

function make(kept, build, jdk, compilers) {
  const before = fs.existsSync(cache) ? fs.readdirSync(cache) : [];
  const work = path.join(cache, `work-${process.pid}`);
  const classes = path.join(work, 'classes');
  const made = path.join(work, 'made');
  fs.mkdirSync(classes, { recursive: true });
  fs.mkdirSync(made);
  const java = sourceFiles().filter((file) => file.endsWith('.java'));
  run(path.join(jdk, 'bin/javac'), [
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
  const files = fs.readdirSync(made).sort();
  fs.writeFileSync(path.join(made, 'build.json'), `${JSON.stringify({ build, files })}\n`);
  if (!fs.existsSync(kept)) fs.renameSync(made, kept);
  for (const name of before.filter((name) => !name.startsWith('work-')).concat(path.basename(work)))
    fs.rmSync(path.join(cache, name), { recursive: true, force: true });
}

function isCopy(from, to) {
  const names = fs.readdirSync(from);
  return names.every((name) => {
    const copy = path.join(to, name);
    return fs.existsSync(copy) && fs.readFileSync(copy).equals(fs.readFileSync(path.join(from, name)));
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

/** An undefined symbol or a needed library would make the load fail inside somebody's program: it fails here instead. */
function assertFreestanding(elf, cpu, name) {
  const SHT_DYNAMIC = 6;
  const SHT_DYNSYM = 11;
  const DT_NEEDED = 1n;
  if (elf.readUInt16LE(18) !== cpu.machine) throw new Error(`${name} is not for ${cpu.name}`);
  const sections = Number(elf.readBigUInt64LE(40));
  const exported = [];
  for (let at = 0; at < elf.readUInt16LE(60); at++) {
    const header = sections + at * elf.readUInt16LE(58);
    const type = elf.readUInt32LE(header + 4);
    const offset = Number(elf.readBigUInt64LE(header + 24));
    const end = offset + Number(elf.readBigUInt64LE(header + 32));
    if (type === SHT_DYNAMIC)
      for (let entry = offset; entry < end; entry += 16)
        if (elf.readBigUInt64LE(entry) === DT_NEEDED) throw new Error(`${name} needs another library`);
    if (type === SHT_DYNSYM)
      for (let symbol = offset + 24; symbol < end; symbol += 24) {
        const strings = sections + elf.readUInt32LE(header + 40) * elf.readUInt16LE(58);
        const start = Number(elf.readBigUInt64LE(strings + 24)) + elf.readUInt32LE(symbol);
        const text = elf.toString('latin1', start, elf.indexOf(0, start));
        if (elf.readUInt16LE(symbol + 6) === 0) throw new Error(`${name} lacks the symbol ${text}`);
        exported.push(text);
      }
  }
  if (!exported.includes('Agent_OnAttach')) throw new Error(`${name} does not export Agent_OnAttach`);
}

/** The boot classes as C arrays, and a table of them that begins with Boot: so do the names, in their order. */
function asHeader(boot) {
  const classes = boot.map(({ name, bytes }) => ({ name: name.replace(/\.class$/, ''), bytes }));
  classes.sort((one, other) => (one.name < other.name ? -1 : 1));
  const arrays = classes.map(
    ({ bytes }, at) => `static const signed char class_${at}[] = {${new Int8Array(bytes)}};\n`,
  );
  const rows = classes.map(({ name }, at) => `{"${name}", class_${at}, sizeof class_${at}},\n`);
  return `${arrays.join('')}static const struct boot_class boot_classes[] = {\n${rows.join('')}};\n`;
}

/** An archive without times. gzip has done the work: its trailer is the checksum, its middle the deflated bytes. */
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

/** The folder of a JDK that can compile: JAVA_HOME, the one on the PATH, or one where Linux systems keep them. */
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

function findCompiler(cpu) {
  const own = cpu.name === process.arch ? ['gcc', 'cc', 'clang'] : [];
  return [...own, ...cpu.compilers].map(findProgram).find((file) => file !== null) ?? null;
}

function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file)) ?? null;
}

function sourceFiles() {
  return filesBelow(sources).filter((file) => /\.(?:java|c|h)$/.test(file));
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((file) => fs.statSync(file).isFile())
    .sort();
}

function hash(parts) {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('hex');
}

function run(program, args) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(program)} failed:\n${stdout}${stderr}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildJvmAgent();
