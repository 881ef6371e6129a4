// `npm test`: installs what is missing, then lint, types, unused code, build, and all tests.
import { spawnSync } from 'node:child_process';
import { installPackages, ROOT, step } from './install.mjs';

installPackages();
const bin = (name) => `${ROOT}/node_modules/.bin/${name}`;
const started = Date.now();
for (const [what, command, ...args] of [
  ['lint', bin('biome'), 'check', '.'],
  ['types', bin('tsc'), '--noEmit'],
  ['unused code', bin('knip')],
  ['build', process.execPath, 'scripts/build.mjs'],
]) {
  console.error(`— ${what}`);
  step(command, args);
}
console.error('— tests');
const { status } = spawnSync(bin('vitest'), ['run', ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
console.error(`Done in ${Math.round((Date.now() - started) / 1000)} s.`);
process.exit(status ?? 1);
