// Makes dist/: the program with all dependencies, so that it installs without a network, and the agents that are loaded
// into other programs. `--complete`, for packages, fails if an agent could not be built.
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { esbuildAgentPlugin } from './agent-plugin.mjs';
import { buildClient } from './client.mjs';
import { buildClrAgent } from './clr-agent.mjs';
import { buildDashboard } from './dashboard.mjs';
import { buildJvmAgent } from './jvm-agent.mjs';
import { buildNetworkHelper } from './network-helper.mjs';
import { missingFiles } from './package-files.mjs';

const root = path.dirname(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname));
process.chdir(root);
const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
// First: if it does not compile, the previous build stays.
const built = new Set();
if (buildJvmAgent() !== null) built.add('jvm');
if (buildClrAgent() !== null) built.add('clr');
if (buildNetworkHelper() !== null) built.add('host');
fs.mkdirSync('dist', { recursive: true });
for (const name of fs.readdirSync('dist'))
  if (!built.has(name)) fs.rmSync(path.join('dist', name), { recursive: true });

const { metafile } = await build({
  entryPoints: { substrate: 'src/main.ts' },
  outdir: 'dist',
  plugins: [esbuildAgentPlugin],
  bundle: true,
  // A dynamic import becomes a file of its own: most commands talk to a daemon and need none of its code.
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: false,
  metafile: true,
  legalComments: 'none',
  define: { SUBSTRATE_VERSION: JSON.stringify(version) },
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
  },
});
fs.chmodSync('dist/substrate.js', 0o755);
const clientInputs = await buildClient();
const dashboardInputs = await buildDashboard();
fs.writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  licenses([...Object.keys(metafile.inputs), ...clientInputs, ...dashboardInputs]),
);
if (process.argv.includes('--complete')) requireAll();

function requireAll() {
  const missing = missingFiles('dist');
  if (missing.length === 0) return;
  console.error(`A package needs all agents; these were not built: ${missing.join(', ')}.`);
  process.exit(1);
}

/** The licence texts of the packages that are inside the bundle. */
function licenses(inputs) {
  const packages = new Set();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) packages.add(match[1]);
  }
  return [...packages]
    .sort()
    .map((folder) => {
      const info = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
      const file = fs.readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
      const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : `License: ${info.license}`;
      return `${info.name} ${info.version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
