// `npm test`: installs what is missing, then lint, types, unused code, build, and all tests.
import { spawnSync } from 'node:child_process';
import { installPackages, ROOT, step } from './install.mjs';
import { installSystemPackages } from './system-packages.mjs';

installPackages();
installSystemPackages([
  'chromium',
  'xvfb',
  'openjdk-17-jdk',
  // The C# compiler, and Mono itself with its windows.
  'mono-mcs',
  'mono-runtime',
  'libmono-system-windows-forms4.0-cil',
  // The other CPU's libraries of the agents.
  process.arch === 'arm64' ? 'gcc-x86-64-linux-gnu' : 'gcc-aarch64-linux-gnu',
  // Programs and libraries that others wrote, to look into.
  'tomcat10-common',
  'libtomcat10-java',
  'libh2-java',
  'jedit',
  'libspring-context-java',
  'keepass2',
]);
const RUNTIMES = ['electron', 'nw', 'deno', 'jdk9', 'jdk11', 'dotnet31', 'dotnet9', 'dotnet8', 'trimmed', 'aot'];
const bin = (name) => `${ROOT}/node_modules/.bin/${name}`;
const started = Date.now();
for (const [what, command, ...args] of [
  ['lint', bin('biome'), 'check', '.'],
  ['types', bin('tsc'), '--noEmit'],
  ['types of code for pages', bin('tsc'), '--noEmit', '--project', 'tsconfig.page.json'],
  ['types of its tests', bin('tsc'), '--noEmit', '--project', 'tsconfig.page-tests.json'],
  ['unused code', bin('knip')],
  ['build', process.execPath, 'scripts/build.mjs'],
  ['pages', process.execPath, 'scripts/pages.mjs'],
  ['runtimes', process.execPath, 'scripts/runtimes.mjs', ...RUNTIMES],
  ['Java programs', process.execPath, 'scripts/java-targets.mjs'],
  ['C# programs', process.execPath, 'scripts/csharp-targets.mjs'],
]) {
  console.error(`— ${what}`);
  step(command, args);
}
// Live tests start daemons that attach to whatever runs on this machine: all other tests must be over by then.
const results = [];
for (const projects of [['unit', 'jvm', 'clr', 'browser'], ['inspector'], ['live']]) results.push(vitest(projects));
console.error(`Done in ${Math.round((Date.now() - started) / 1000)} s.`);
process.exit(results.every((isGood) => isGood) ? 0 : 1);

function vitest(projects) {
  console.error(`— tests: ${projects.join(', ')}`);
  const chosen = projects.flatMap((project) => ['--project', project]);
  const args = ['run', ...chosen, '--passWithNoTests', ...process.argv.slice(2)];
  return spawnSync(bin('vitest'), args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}
