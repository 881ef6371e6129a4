// Lays a self-contained .NET program out as the folder of an installed .NET, so that any program can be run on it.
import fs from 'node:fs';
import path from 'node:path';

const FRAMEWORK = /^runtimepack\.(Microsoft\.(?:NETCore|AspNetCore)\.App)\.Runtime\.([^/]+)\/(.+)$/;

/** `program` is the folder of the program, `root` the new one; `muxer` a command `dotnet` of any version. */
export function makeDotnetRoot(program, root, muxer) {
  const deps = JSON.parse(fs.readFileSync(onlyFile(program, '.deps.json'), 'utf8'));
  const target = deps.runtimeTarget.name;
  const packs = Object.entries(deps.targets[target]).flatMap(([key, { runtime = {}, native = {} }]) => {
    const [, framework, rid, version] = FRAMEWORK.exec(key) ?? [];
    return framework === undefined ? [] : [{ framework, rid, version, runtime, native }];
  });
  const listed = new Set(packs.flatMap(({ runtime }) => Object.keys(runtime)));
  for (const { framework, rid, version, runtime, native } of packs) {
    const assemblies = { ...runtime };
    // Newer assemblies from packages of the program are listed as theirs, but the framework needs them, too.
    if (framework === 'Microsoft.AspNetCore.App')
      for (const file of fs.readdirSync(program))
        if (/^(?:Microsoft\.(?:Extensions|AspNetCore|Net\.Http)|System)\..*\.dll$/.test(file) && !listed.has(file))
          assemblies[file] = { assemblyVersion: `${version.split('.')[0]}.0.0.0`, fileVersion: '1.0.0.0' };
    const folder = path.join(root, 'shared', framework, version);
    fs.mkdirSync(folder, { recursive: true });
    for (const file of [...Object.keys(assemblies), ...Object.keys(native)]) {
      const from = path.join(program, file);
      if (!fs.existsSync(from)) continue;
      link(from, path.join(folder, file));
      if (file === 'libhostfxr.so') link(from, path.join(root, 'host/fxr', version, file));
    }
    const library = `${framework}.Runtime.${rid}/${version}`;
    writeJson(path.join(folder, `${framework}.deps.json`), {
      runtimeTarget: { name: target, signature: '' },
      compilationOptions: {},
      targets: { [target.split('/')[0]]: {}, [target]: { [library]: { runtime: assemblies, native } } },
      libraries: { [library]: { type: 'package', serviceable: true, sha512: '', path: library.toLowerCase() } },
    });
    if (framework === 'Microsoft.NETCore.App') continue;
    const needs = { name: 'Microsoft.NETCore.App', version };
    const tfm = `net${version.split('.').slice(0, 2).join('.')}`;
    writeJson(path.join(folder, `${framework}.runtimeconfig.json`), { runtimeOptions: { tfm, framework: needs } });
  }
  fs.copyFileSync(muxer, path.join(root, 'dotnet'));
  fs.chmodSync(path.join(root, 'dotnet'), 0o755);
}

/** Relative, so that the folder can be moved. */
function link(from, to) {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.symlinkSync(path.relative(path.dirname(to), from), to);
}

function onlyFile(folder, ending) {
  const name = fs.readdirSync(folder).find((file) => file.endsWith(ending));
  if (name === undefined) throw new Error(`no file *${ending} in ${folder}`);
  return path.join(folder, name);
}

function writeJson(file, value) {
  fs.writeFileSync(file, JSON.stringify(value));
}
