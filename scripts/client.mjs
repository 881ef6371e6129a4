// Makes dist/client/: what `import { Substrate } from 'substrated/client'` gives, for Node and for browsers, with its types.
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { clientTypes } from './client-types.mjs';
import { ROOT, step } from './install.mjs';

const FOLDER = path.join(ROOT, 'dist/client');

/** Gives the files that went into it. */
export async function buildClient() {
  fs.rmSync(FOLDER, { recursive: true, force: true });
  const shared = {
    absWorkingDir: ROOT,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    legalComments: 'none',
  };
  const results = await Promise.all([
    build({ ...shared, entryPoints: ['src/client/index.ts'], outfile: 'dist/client/index.js', platform: 'browser' }),
    build({
      ...shared,
      entryPoints: ['src/client/node.ts'],
      outfile: 'dist/client/node.js',
      platform: 'node',
      banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    }),
  ]);
  const sources = path.join(ROOT, '.cache/client');
  fs.rmSync(sources, { recursive: true, force: true });
  fs.cpSync(path.join(ROOT, 'src/client'), sources, { recursive: true });
  fs.writeFileSync(path.join(sources, 'types.ts'), await clientTypes());
  step(`${ROOT}/node_modules/.bin/tsc`, [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict', '--skipLibCheck'],
    ...['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--types', 'node'],
    ...['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions'],
    ...['--rootDir', sources, '--outDir', FOLDER, `${sources}/index.ts`, `${sources}/node.ts`],
  ]);
  // Compilers of others look for a .js beside each .d.ts, by that name.
  for (const name of fs.readdirSync(FOLDER).filter((name) => name.endsWith('.d.ts'))) {
    const file = path.join(FOLDER, name);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  return results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}
