// `npm run bench [name]`: bundles and runs the measurements of bench/, one after the other.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { installPackages, ROOT, step } from './install.mjs';

installPackages();
step(process.execPath, ['scripts/build.mjs']);
const { build } = await import('esbuild');
const { esbuildAgentPlugin } = await import('./agent-plugin.mjs');

const [wanted, ...args] = process.argv.slice(2);
const names = fs
  .readdirSync(path.join(ROOT, 'bench'))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => wanted === undefined || name === wanted);
for (const name of names) {
  const outfile = path.join(ROOT, '.cache/bench', `${name}.mjs`);
  await build({
    entryPoints: [path.join(ROOT, 'bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [esbuildAgentPlugin],
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
  });
  console.log(`# ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
