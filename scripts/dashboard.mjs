// Makes dist/dashboard.html: one file with its script and its style, so that the daemon can serve it under a policy
// that allows nothing else.
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './install.mjs';

/** Returns its input files. */
export async function buildDashboard() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: { script: 'src/dashboard/main.tsx', style: 'src/dashboard/styles/index.css' },
    outdir: 'dist',
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    metafile: true,
    legalComments: 'none',
  });
  const textOf = (name) => outputFiles.find((file) => path.basename(file.path) === name)?.text.trim() ?? '';
  const page = fs
    .readFileSync(path.join(ROOT, 'src/dashboard/index.html'), 'utf8')
    // Functions, because a `$` in the code is no pattern.
    .replace('<style></style>', () => `<style>${textOf('style.css')}</style>`)
    .replace('<script type="module"></script>', () => `<script type="module">${textOf('script.js')}</script>`);
  fs.mkdirSync(path.join(ROOT, 'dist'), { recursive: true });
  fs.writeFileSync(path.join(ROOT, 'dist/dashboard.html'), page);
  return Object.keys(metafile.inputs);
}

if (process.argv[1] === new URL(import.meta.url).pathname) await buildDashboard();
