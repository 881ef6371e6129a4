// Builds the web pages that the tests open in a browser: test/pages/src/<name>/ to .cache/pages/<name>/, minified as in
// production. Up-to-date pages are skipped. `node scripts/pages.mjs [name …]` builds them by hand.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { npmInstall, ROOT } from './install.mjs';

export const PAGES = path.join(ROOT, 'test/pages');
export const BUILT = path.join(ROOT, '.cache/pages');
const SOURCES = path.join(PAGES, 'src');
const MODULES = path.join(PAGES, 'node_modules');
const LOCK = path.join(ROOT, '.cache/pages.lock');

/** Packages of the pages' own folder, which scripts here cannot import by name. */
const pagesRequire = createRequire(path.join(PAGES, 'package.json'));
const importOfPages = (name) => import(pathToFileURL(pagesRequire.resolve(name)).href);

/** The differences from an ordinary page. */
const SPECIAL = {
  angular: {
    prepare: compileAngular,
    plugins: [angularLinker],
    define: { ngDevMode: 'false', ngJitMode: 'false', ngI18nClosureMode: 'false' },
  },
  ember: { plugins: [emberPlugin] },
  preact: { jsxImportSource: 'preact' },
  // Recoil reads internals of React that React 19 no longer has.
  recoil: { alias: { react: 'react18', 'react-dom': 'react-dom18' } },
  svelte: { plugins: [sveltePlugin] },
};

const DEFINES = {
  'process.env.NODE_ENV': '"production"',
  'globalThis.__DEV__': 'false',
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
};

/** Builds missing and outdated pages; several processes wait for each other. */
export async function buildPages(names = pageNames()) {
  if (isInstalled() && names.every((name) => isBuilt(name, stampOf(name)))) return;
  const unlock = await lock();
  try {
    installPagePackages();
    const stale = names.filter((name) => !isBuilt(name, stampOf(name)));
    const results = await Promise.allSettled(stale.map(buildPage));
    const failed = results.flatMap(({ reason }, i) => (reason ? [`${stale[i]}: ${reason.message}`] : []));
    if (failed.length > 0) throw new Error(`pages that do not build:\n${failed.join('\n')}`);
  } finally {
    unlock();
  }
}

export function pageNames() {
  return fs
    .readdirSync(SOURCES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

function isInstalled() {
  try {
    const installed = fs.statSync(path.join(MODULES, '.package-lock.json')).mtimeMs;
    return installed >= fs.statSync(path.join(PAGES, 'package-lock.json')).mtimeMs;
  } catch {
    return false;
  }
}

function installPagePackages() {
  if (isInstalled()) return;
  console.error('Installing the packages of the test pages …');
  npmInstall(PAGES);
}

async function buildPage(name) {
  const { prepare, plugins = [], define = {}, alias, jsxImportSource = 'react' } = SPECIAL[name] ?? {};
  const source = path.join(SOURCES, name);
  const target = path.join(BUILT, name);
  const stamp = stampOf(name);
  fs.mkdirSync(target, { recursive: true });
  const folder = (await prepare?.(source)) ?? source;
  for (const script of scriptsOf(source)) {
    await build({
      absWorkingDir: PAGES,
      entryPoints: [sourceOf(folder, script.file)],
      outfile: path.join(target, script.file),
      // A classic script without imports stays one: its top-level variables are the page's.
      ...(script.bundle ? { bundle: true, format: script.module ? 'esm' : 'iife' } : {}),
      nodePaths: [MODULES],
      conditions: script.bundle ? ['production'] : undefined,
      minify: true,
      legalComments: 'none',
      target: 'es2022',
      platform: 'browser',
      jsx: 'automatic',
      jsxImportSource,
      define: { ...DEFINES, ...define },
      alias,
      plugins: script.bundle ? [vuePlugin(), ...plugins.map((plugin) => plugin())] : [],
      logLevel: 'silent',
    });
  }
  for (const file of fs.readdirSync(source)) {
    if (/\.(html|css|json)$/.test(file) && !file.startsWith('tsconfig')) {
      fs.copyFileSync(path.join(source, file), path.join(target, file));
    }
  }
  fs.writeFileSync(path.join(target, '.stamp'), stamp);
}

/** Every own script that an HTML file of the page names. */
function scriptsOf(folder) {
  const scripts = new Map();
  for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.html'))) {
    const html = fs.readFileSync(path.join(folder, file), 'utf8');
    for (const [tag, src] of html.matchAll(/<script [^>]*src="(?:[^"]*\/)?([\w-]+\.js)"[^>]*>/g)) {
      const bundle = /^import\b/m.test(fs.readFileSync(sourceOf(folder, src), 'utf8'));
      scripts.set(src, { file: src, bundle, module: tag.includes('type="module"') });
    }
  }
  return [...scripts.values()];
}

function sourceOf(folder, script) {
  const stem = path.join(folder, path.basename(script, '.js'));
  const file = ['.js', '.jsx', '.ts', '.gjs'].map((ending) => stem + ending).find((name) => fs.existsSync(name));
  if (file === undefined) throw new Error(`no source for ${script}`);
  return file;
}

let sharedHash;

/** Changes with the page's sources, the packages and this script. */
function stampOf(name) {
  sharedHash ??= hashOf([path.join(ROOT, 'scripts/pages.mjs'), path.join(PAGES, 'package-lock.json')]);
  const folder = path.join(SOURCES, name);
  const files = fs.readdirSync(folder, { recursive: true }).map((file) => path.join(folder, file));
  return `${sharedHash} ${hashOf(files.filter((file) => fs.statSync(file).isFile()).sort())}`;
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${path.relative(ROOT, file)}\n`).update(fs.readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function isBuilt(name, stamp) {
  try {
    return fs.readFileSync(path.join(BUILT, name, '.stamp'), 'utf8') === stamp;
  } catch {
    return false;
  }
}

/** Two test workers must not install or build at once. A lock whose owner is gone is ignored. */
async function lock() {
  fs.mkdirSync(path.dirname(LOCK), { recursive: true });
  for (;;) {
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return () => fs.rmSync(LOCK, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (!ownerLives()) fs.rmSync(LOCK, { force: true });
    else await delay(100);
  }
}

function ownerLives() {
  try {
    return process.kill(Number(fs.readFileSync(LOCK, 'utf8')), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Vue's single-file components, with the template compiled into the setup function as in production. */
function vuePlugin() {
  return {
    name: 'vue',
    setup({ onLoad }) {
      onLoad({ filter: /\.vue$/ }, ({ path: file }) => {
        const { parse, compileScript, compileTemplate, rewriteDefault } = pagesRequire('@vue/compiler-sfc');
        const { descriptor, errors } = parse(fs.readFileSync(file, 'utf8'), { filename: file });
        if (errors.length > 0) throw errors[0];
        const id = createHash('sha256').update(file).digest('hex').slice(0, 8);
        const script = compileScript(descriptor, { id, isProd: true, inlineTemplate: true }).content;
        const options = { id, filename: file, source: descriptor.template.content, isProd: true };
        const contents = descriptor.scriptSetup
          ? script
          : `${rewriteDefault(script, 'component')}
${compileTemplate(options).code}
export default Object.assign(component, { render });`;
        return { contents, loader: 'js', resolveDir: path.dirname(file) };
      });
    },
  };
}

/** Components, and modules with runes. */
function sveltePlugin() {
  return {
    name: 'svelte',
    setup({ onLoad }) {
      onLoad({ filter: /\.svelte(\.js)?$/ }, ({ path: filename }) => {
        const { compile, compileModule } = pagesRequire('svelte/compiler');
        const source = fs.readFileSync(filename, 'utf8');
        const options = { filename, dev: false, generate: 'client' };
        const { js } = filename.endsWith('.js')
          ? compileModule(source, options)
          : compile(source, { ...options, css: 'injected' });
        return { contents: js.code, loader: 'js', resolveDir: path.dirname(filename) };
      });
    },
  };
}

/** Ahead of time, by Angular's own compiler; its output is bundled. */
async function compileAngular(source) {
  const out = path.join(ROOT, '.cache/pages-angular');
  fs.rmSync(out, { recursive: true, force: true });
  const compiler = path.join(MODULES, '@angular/compiler-cli/bundles/src/bin/ngc.js');
  const child = spawn(process.execPath, [compiler, '-p', path.join(source, 'tsconfig.json'), '--outDir', out]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(output);
  return out;
}

/** Angular's packages are published half compiled; without this step they would need the compiler at run time. */
function angularLinker() {
  return {
    name: 'angular-linker',
    setup({ onLoad }) {
      onLoad({ filter: /@angular[\\/].*\.mjs$/ }, async ({ path: file }) => {
        const source = fs.readFileSync(file, 'utf8');
        if (!source.includes('ɵɵngDeclare')) return null;
        const [{ default: babel }, { createEs2015LinkerPlugin }, { NodeJSFileSystem, ConsoleLogger, LogLevel }] =
          await Promise.all([
            importOfPages('@babel/core'),
            importOfPages('@angular/compiler-cli/linker/babel'),
            importOfPages('@angular/compiler-cli'),
          ]);
        const linker = createEs2015LinkerPlugin({
          fileSystem: new NodeJSFileSystem(),
          logger: new ConsoleLogger(LogLevel.error),
          linkerJitMode: false,
        });
        const { code } = await babel.transformAsync(source, {
          filename: file,
          plugins: [linker],
          configFile: false,
          babelrc: false,
          compact: false,
        });
        return { contents: code, loader: 'js' };
      });
    },
  };
}

/** Ember's packages under the names that apps import, and templates compiled to Glimmer's own format. */
function emberPlugin() {
  const packages = path.join(MODULES, 'ember-source/dist/prod/packages');
  return {
    name: 'ember',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@(ember|glimmer)\// }, ({ path: name }) => {
        const file = [`${name}/index.js`, `${name}.js`].find((end) => fs.existsSync(path.join(packages, end)));
        return file && { path: path.join(packages, file) };
      });
      onLoad({ filter: /\.hbs$/ }, async ({ path: file }) => {
        const compiler = await import(pathToFileURL(path.join(packages, 'ember-template-compiler/index.js')).href);
        const template = compiler.precompile(fs.readFileSync(file, 'utf8'), { moduleName: path.basename(file) });
        const contents = `import { createTemplateFactory } from '@ember/template-factory';
export default createTemplateFactory(${template});`;
        return { contents, loader: 'js', resolveDir: PAGES };
      });
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const started = Date.now();
  const names = process.argv.slice(2);
  await buildPages(names.length > 0 ? names : undefined);
  console.error(`Pages are in ${path.relative(process.cwd(), BUILT)}, after ${Date.now() - started} ms.`);
}
