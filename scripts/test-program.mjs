// `npm run test:fuzz` and `npm run test:load`: tests that are programs of their own, test/<name>/main.ts. The load test
// sees only its own processes, because a daemon tracks everything it sees.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { aloneCommand } from './alone.mjs';
import { installPackages, ROOT, step } from './install.mjs';

const [name, ...args] = process.argv.slice(2);
installPackages();
if (name === 'load' && !args.some((arg) => arg.startsWith('--dist'))) step(process.execPath, ['scripts/build.mjs']);
const { build } = await import('esbuild');
const { esbuildAgentPlugin } = await import('./agent-plugin.mjs');
const outfile = path.join(ROOT, '.cache', name, 'main.mjs');
await build({
  entryPoints: [path.join(ROOT, 'test', name, 'main.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  plugins: [esbuildAgentPlugin],
  banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
});
const command = [process.execPath, '--expose-gc', outfile, ...args];
const [program, ...rest] = (name === 'load' ? aloneCommand(command) : null) ?? command;
process.exit(spawnSync(program, rest, { cwd: ROOT, stdio: 'inherit' }).status ?? 1);
