// Makes dist/clr/: the files that are loaded into .NET and Mono programs.
//
//   SubstrateClr_<build>.dll                 the agent, one assembly for all runtimes
//   profiler_loader-<cpu>.so                 asks .NET Core 3.1 to 7 to load it
//   heap-x64.so, heap-arm64.so               scans the heap of a .NET program
//   build.json                               { build, files }
//
// The same sources give the same bytes: a runtime that has the assembly already dies of another one of the same name.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildOnce, CPUS, filesBelow, findCompilers, findProgram, hash, ROOT, run, symbolsOf } from './agent-build.mjs';

const sources = path.join(ROOT, 'src/probes/drivers/clr/agent');

const NO_COMPILER =
  'No C# compiler found: .NET and Mono programs will be listed but not attached to. ' +
  'Install one (Debian: apt install mono-mcs) and run npm run build again.';

/** Functions that any process has, whatever its libc: nothing else may be used. */
const OF_THE_PROCESS = new Set([
  'bsearch',
  'calloc',
  'close',
  'dl_iterate_phdr',
  'dladdr',
  'dlclose',
  'dlerror',
  'dlopen',
  'dlsym',
  'free',
  'getpid',
  'malloc',
  'memcmp',
  'memcpy',
  'memmove',
  'memset',
  'open',
  'pthread_create',
  'pthread_detach',
  'pthread_join',
  'qsort',
  'read',
  'realloc',
  'strchr',
  'strcmp',
  'strlen',
  'strncmp',
  'strrchr',
  'strstr',
  'write',
]);

/** Returns the hash of dist/clr/, or null without a compiler. */
export function buildClrAgent() {
  const compiler = findProgram('mcs') ?? findProgram('csc');
  if (!compiler) {
    process.stderr.write(`${NO_COMPILER}\n`);
    return null;
  }
  const compilers = findCompilers();
  const build = buildOnce({
    out: path.join(ROOT, 'dist/clr'),
    cache: path.join(ROOT, '.cache/clr-agent'),
    sources: [...sourceFiles('.cs', '.c', '.h'), fileURLToPath(import.meta.url)],
    tools: [compiler, ...compilers],
    make: (work, made, build) => make(work, made, build, compiler, compilers),
  });
  CPUS.forEach((cpu, at) => {
    if (!compilers[at]) process.stderr.write(`No C compiler for ${cpu.name}: dist/clr has no library for it.\n`);
  });
  return build;
}

function make(work, made, build, compiler, compilers) {
  const assembly = path.join(made, `SubstrateClr_${build}.dll`);
  const info = path.join(work, 'Build.cs');
  fs.writeFileSync(info, `namespace Substrate { static class Build { internal const string Hash = "${build}"; } }\n`);
  run(compiler, [
    ...['-unsafe', '-optimize+', '-langversion:7', '-warnaserror', '-target:exe', '-r:System.Core.dll'],
    `-out:${assembly}`,
    ...sourceFiles('.cs'),
    info,
  ]);
  fs.writeFileSync(assembly, withoutChance(fs.readFileSync(assembly), build));
  for (const source of sourceFiles('.c'))
    CPUS.forEach((cpu, at) => {
      if (compilers[at]) compileNative(compilers[at], cpu, source, made);
    });
}

/** A compiler puts the time and a random id into an assembly: they are replaced by values from the sources. */
function withoutChance(assembly, build) {
  const bytes = Buffer.from(assembly);
  bytes.writeUInt32LE(0, bytes.readUInt32LE(0x3c) + 8);
  // With its version, since the four letters alone may also be in the code.
  const metadata = bytes.indexOf('BSJB\x01\0\x01\0', 'latin1');
  const streams = metadata + 16 + bytes.readUInt32LE(metadata + 12);
  let at = streams + 4;
  for (let left = bytes.readUInt16LE(streams + 2); left > 0; left--) {
    const name = bytes.toString('latin1', at + 8, bytes.indexOf(0, at + 8));
    if (name === '#GUID') {
      Buffer.from(hash([build]).slice(0, 32), 'hex').copy(bytes, metadata + bytes.readUInt32LE(at));
      return bytes;
    }
    at += 8 + ((name.length + 4) & ~3);
  }
  throw new Error('the assembly has no id that could be set');
}

/** Without a libc of its own: its symbols are found in the process, so that one library serves every libc. */
function compileNative(compiler, cpu, source, made) {
  const file = path.join(made, `${path.basename(source, '.c')}-${cpu.name}.so`);
  run(compiler, [
    ...['-std=c11', '-O2', '-nostdlib', '-shared', '-fPIC', '-fvisibility=hidden', '-fno-stack-protector'],
    ...['-U_FORTIFY_SOURCE', '-fno-ident', '-fno-asynchronous-unwind-tables', '-Wall', '-Wextra', '-Werror', '-s'],
    ...['-Wl,-z,noexecstack', '-Wl,--build-id=none', '-Wl,--hash-style=both', '-o', file, source],
  ]);
  const { undefined: used } = symbolsOf(fs.readFileSync(file), cpu, path.basename(file));
  const foreign = used.filter((name) => !OF_THE_PROCESS.has(name));
  if (foreign.length > 0) throw new Error(`${path.basename(file)} may not use ${foreign.join(', ')}`);
}

function sourceFiles(...endings) {
  return filesBelow(sources).filter((file) => endings.includes(path.extname(file)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) buildClrAgent();
