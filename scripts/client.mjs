// Makes the libraries for other programs: dist/client/ (`substrated/client`), for Node and for browsers, and dist/test/
// (`substrated/test` and its parts), each with its types.
import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { clientTypes } from './client-types.mjs';
import { ROOT, step } from './install.mjs';

const DIST = path.join(ROOT, 'dist');
const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  target: 'es2022',
  metafile: true,
  legalComments: 'none',
};
const TESTING = ['index', 'vitest', 'jest', 'playwright'];
/** Jest, and Playwright in projects that are no modules, load by `require`; vitest never does. */
const REQUIRED = ['index', 'jest', 'playwright'];
const RUNNERS = ['vitest', '@playwright/test'];

/** Returns its input files. */
export async function buildClient() {
  for (const name of ['client', 'test']) fs.rmSync(path.join(DIST, name), { recursive: true, force: true });
  const results = await Promise.all([
    build({
      ...SHARED,
      entryPoints: ['src/client/index.ts'],
      outfile: 'dist/client/index.js',
      format: 'esm',
      platform: 'browser',
    }),
    build({
      ...SHARED,
      entryPoints: ['src/client/node.ts'],
      outfile: 'dist/client/node.js',
      format: 'esm',
      platform: 'node',
      banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    }),
    ...TESTING.map((name) =>
      buildTesting(name, { format: 'esm', keptApart: { client: '../client/node.js', index: './index.js' } }),
    ),
    ...REQUIRED.map((name) =>
      buildTesting(name, { format: 'cjs', outExtension: { '.js': '.cjs' }, keptApart: { index: './index.cjs' } }),
    ),
  ]);
  await writeTypes();
  return results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** `keptApart`: modules that are loaded from a file of their own, so that each class exists once. */
function buildTesting(name, { keptApart, ...options }) {
  const plugin = {
    name: 'kept-apart',
    setup({ onResolve }) {
      onResolve(
        { filter: /\/client\/node\.ts$/ },
        () => keptApart.client && { path: keptApart.client, external: true },
      );
      onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: keptApart.index, external: true }));
    },
  };
  return build({
    ...SHARED,
    ...options,
    entryPoints: [`src/testing/${name}.ts`],
    outdir: 'dist/test',
    platform: 'node',
    external: RUNNERS,
    plugins: [plugin],
  });
}

async function writeTypes() {
  const sources = path.join(ROOT, '.cache/client');
  const declarations = path.join(sources, 'declarations');
  fs.rmSync(sources, { recursive: true, force: true });
  for (const name of ['client', 'testing'])
    fs.cpSync(path.join(ROOT, 'src', name), path.join(sources, name), { recursive: true });
  fs.writeFileSync(path.join(sources, 'client/types.ts'), await clientTypes());
  step(`${ROOT}/node_modules/.bin/tsc`, [
    ...['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--strict', '--skipLibCheck'],
    ...['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--types', 'node'],
    ...['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions'],
    ...['--rootDir', sources, '--outDir', declarations],
    ...['client/index', 'client/node', 'testing/vitest', 'testing/playwright'].map((name) => `${sources}/${name}.ts`),
  ]);
  fs.copyFileSync(path.join(sources, 'testing/jest-types.d.ts'), path.join(declarations, 'testing/jest.d.ts'));
  for (const [from, to] of [
    ['client', 'client'],
    ['testing', 'test'],
  ])
    for (const name of fs.readdirSync(path.join(declarations, from))) {
      const text = fs.readFileSync(path.join(declarations, from, name), 'utf8');
      // Other compilers look for a .js beside each .d.ts, by that name, and for a .cjs beside a .d.cts.
      const endingIn = (ending) => text.replace(/((?:from |import\()(['"])\.\.?\/[\w/-]+)\.[jt]s\2/g, `$1.${ending}$2`);
      fs.writeFileSync(path.join(DIST, to, name), endingIn('js'));
      if (name !== 'vitest.d.ts') fs.writeFileSync(path.join(DIST, to, name.replace(/\.ts$/, '.cts')), endingIn('cjs'));
    }
}
