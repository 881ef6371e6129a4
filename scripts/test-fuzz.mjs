// `npm run test:fuzz [-- --minutes N] [--seed N]`: see test/fuzz/main.ts.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { build } from 'esbuild';
import { esbuildAgentPlugin } from './agent-plugin.mjs';
import { installPackages, ROOT } from './install.mjs';

installPackages();
const outfile = path.join(ROOT, '.cache/fuzz/main.mjs');
await build({
  entryPoints: [path.join(ROOT, 'test/fuzz/main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  plugins: [esbuildAgentPlugin],
  banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
});
const { status } = spawnSync(process.execPath, ['--expose-gc', outfile, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
process.exit(status ?? 1);
