// `npm run bench [name]`: bundles and runs the measurements of bench/, one after the other.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages, ROOT, step } from './install.mjs';

const PEERS = path.join(ROOT, 'bench/peers');

installPackages();
// Allows measuring a build elsewhere: bench/harm.ts reads this.
if (process.env.SUBSTRATE_BENCH_DIST === undefined) step(process.execPath, ['scripts/build.mjs']);
const { build } = await import('esbuild');
const { esbuildAgentPlugin } = await import('./agent-plugin.mjs');

/** The project's scripts find everything relative to themselves: they are imported, not copied. */
const scriptsStay = {
  name: 'scripts-stay',
  setup({ onResolve }) {
    onResolve({ filter: /\/scripts\/[\w-]+\.mjs$/ }, (args) => ({
      path: pathToFileURL(path.resolve(args.resolveDir, args.path)).href,
      external: true,
    }));
  },
};

const [wanted, ...args] = process.argv.slice(2);
const names = fs
  .readdirSync(path.join(ROOT, 'bench'))
  // A dash marks a part of the measurement that its first word names.
  .filter((file) => file.endsWith('.ts') && !file.includes('-'))
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => wanted === undefined || name === wanted);
if (names.includes('browser') || names.includes('agent')) installPeers();
fs.mkdirSync(path.join(ROOT, '.cache/bench'), { recursive: true });
linkAgents();
for (const name of names) {
  const outfile = path.join(ROOT, '.cache/bench', `${name}.mjs`);
  await build({
    entryPoints: [path.join(ROOT, 'bench', `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [esbuildAgentPlugin, scriptsStay],
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
  });
  console.log(`# ${name}`);
  const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...args], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The daemon's code looks for them beside itself. */
function linkAgents() {
  for (const name of ['jvm', 'clr']) {
    const link = path.join(ROOT, '.cache/bench', name);
    fs.rmSync(link, { force: true });
    fs.symlinkSync(`../../dist/${name}`, link);
  }
}

/** Like install.mjs, for the same reasons. They come without a browser. */
function installPeers() {
  const lock = path.join(PEERS, 'package-lock.json');
  const installed = path.join(PEERS, 'node_modules/.package-lock.json');
  if (fs.existsSync(installed) && fs.statSync(installed).mtimeMs >= fs.statSync(lock).mtimeMs) return;
  console.error('Installing what substrate is compared with …');
  step('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: PEERS,
  });
}
