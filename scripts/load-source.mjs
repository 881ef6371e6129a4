// Modules of src/, for scripts: bundled, so that they run in every Node that can build.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './install.mjs';

/** The exports of these modules, all in one object. */
export async function loadSources(...files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-sources-'));
  const outfile = path.join(folder, 'sources.mjs');
  const banner = "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);";
  try {
    await build({
      stdin: { contents: files.map((file) => `export * from './${file}';`).join('\n'), resolveDir: ROOT },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: { js: banner },
    });
    return await import(outfile);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
