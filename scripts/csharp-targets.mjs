// Compiles the C# programs of test/targets/csharp, one folder each, into .cache/csharp/<folder>, if they have changed:
// <Folder>.exe for Mono, and the same as <Folder>.dll with a <Folder>.runtimeconfig.json for .NET. A folder may have a
// file target.json: { "compiler": "roslyn", "framework": "Microsoft.AspNetCore.App", "references":
// ["System.Windows.Forms"], "unsafe": true }. Sources named *.absent.cs become later/Absent.dll, which the program does
// not find by itself. The default is Mono's compiler, whose assemblies run on Mono and on every .NET.
// `compileCSharp(name)` returns the path of the assembly without its extension; `node scripts/csharp-targets.mjs`
// compiles all.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './install.mjs';
import { installRuntime } from './runtimes.mjs';

const SOURCES = path.join(ROOT, 'test/targets/csharp');
const ABSENT = '.absent.cs';
const ASSEMBLIES = path.join(ROOT, '.cache/csharp');

export function compileCSharp(name) {
  const folder = path.join(SOURCES, name);
  const files = fs
    .readdirSync(folder)
    .map((file) => path.join(folder, file))
    .sort();
  const stampText = files
    .reduce((hash, file) => hash.update(file).update(fs.readFileSync(file)), createHash('sha256'))
    .digest('hex');
  const made = path.join(ASSEMBLIES, name);
  const assembly = `${name[0].toUpperCase()}${name.slice(1)}`;
  const stamp = path.join(made, 'compiled');
  if (readText(stamp) === stampText) return path.join(made, assembly);
  const {
    compiler = 'mcs',
    framework = 'Microsoft.NETCore.App',
    references = [],
    unsafe = false,
  } = JSON.parse(readText(path.join(folder, 'target.json')) ?? '{}');
  // Made beside its place and then moved: nobody may see half of it, and two processes may build at once.
  const draft = `${made}.${process.pid}`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft, { recursive: true });
  const exe = path.join(draft, `${assembly}.exe`);
  const sources = files.filter((file) => file.endsWith('.cs') && !file.endsWith(ABSENT));
  const absent = absentLibrary(
    draft,
    files.filter((file) => file.endsWith(ABSENT)),
  );
  if (compiler === 'roslyn')
    roslyn(framework, ['-optimize+', '-nowarn:1701,1702', '-target:exe', `-out:${exe}`, ...sources]);
  else mcs([...references, ...absent], unsafe, exe, sources);
  fs.copyFileSync(exe, path.join(draft, `${assembly}.dll`));
  fs.writeFileSync(
    path.join(draft, `${assembly}.runtimeconfig.json`),
    JSON.stringify({
      runtimeOptions: { framework: { name: framework, version: '3.1.0' }, rollForward: 'LatestMajor' },
    }),
  );
  fs.writeFileSync(path.join(draft, 'compiled'), stampText);
  fs.rmSync(made, { recursive: true, force: true });
  try {
    fs.renameSync(draft, made);
  } catch (error) {
    // Another process was faster, with the same sources.
    fs.rmSync(draft, { recursive: true, force: true });
    if (readText(stamp) !== stampText) throw error;
  }
  return path.join(made, assembly);
}

/** The additional references of the program. */
function absentLibrary(draft, sources) {
  if (sources.length === 0) return [];
  const library = path.join(draft, 'later', 'Absent');
  fs.mkdirSync(path.dirname(library));
  run('mcs', ['-target:library', `-out:${library}.dll`, ...sources]);
  return [library];
}

function mcs(references, unsafe, exe, sources) {
  const used = ['System.Core', ...references].map((name) => `-r:${name}.dll`);
  const allowed = unsafe ? ['-unsafe'] : [];
  run('mcs', [
    ...allowed,
    '-optimize+',
    '-langversion:7',
    '-nowarn:0649,4014,1998,0414,0169',
    ...used,
    `-out:${exe}`,
    ...sources,
  ]);
}

/** The SDK's compiler, with the libraries of this framework: a newer C#, and libraries that only .NET has. */
export function roslyn(framework, args) {
  const dotnet = installRuntime('dotnet31');
  const sdk = path.dirname(dotnet);
  const used = [...new Set(['Microsoft.NETCore.App', framework])].flatMap((name) =>
    filesBelow(path.join(sdk, 'packs', `${name}.Ref`)).filter((file) => file.endsWith('.dll')),
  );
  const csc = filesBelow(path.join(sdk, 'sdk')).find((file) => file.endsWith('/bincore/csc.dll'));
  const options = ['-noconfig', '-nologo', '-langversion:8', ...used.map((file) => `-r:${file}`)];
  run(dotnet, ['exec', csc, ...options, ...args], {
    env: {
      ...process.env,
      DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
      COMPlus_EnableDiagnostics: '0',
      LD_LIBRARY_PATH: path.join(sdk, 'openssl1'),
    },
  });
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, name))
    .sort();
}

function run(program, args, options = {}) {
  const { error, status } = spawnSync(program, args, { stdio: ['ignore', 2, 2], ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} failed for ${args.at(-1)}`);
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

if (process.argv[1] === import.meta.filename)
  for (const name of fs.readdirSync(SOURCES)) console.log(compileCSharp(name));
