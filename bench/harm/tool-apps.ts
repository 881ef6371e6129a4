/** The input of the tools: written anew for each measurement, beside the packages so that these are found. */
import fs from 'node:fs';
import path from 'node:path';
import { MODULES, TOOLS_FOLDER } from './tool-packages.ts';

export interface ToolApp {
  readonly name: string;
  readonly folder: string;
  /** Below node_modules/.bin/. */
  readonly command: readonly string[];
  /** Its lines may come in another order each time. */
  readonly isUnordered: boolean;
}

const VITE_MODULES = 600;
const MOCHA_FILES = 20;
const MOCHA_TESTS_PER_FILE = 100;
const JEST_CHILD_SECONDS = [4, 5, 6];

export function makeToolApps(): ToolApp[] {
  const apps = path.join(TOOLS_FOLDER, 'apps');
  fs.rmSync(apps, { recursive: true, force: true });
  const make = (name: string, write: (folder: string) => readonly string[], isUnordered = false): ToolApp => {
    const folder = path.join(apps, name.replace(' ', '-'));
    return { name, folder, command: write(folder), isUnordered };
  };
  return [
    make('vite build', viteApp),
    make('mocha', mochaApp),
    // Its workers finish in any order.
    make('jest', jestApp, true),
    make('tsc', tscApp),
    make('webpack', webpackApp),
    make('eslint', eslintApp),
  ];
}

function put(folder: string, file: string, text: string): void {
  const full = path.join(folder, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}

const packageFile = (folder: string, extra: object = {}) =>
  put(folder, 'package.json', JSON.stringify({ name: path.basename(folder), private: true, ...extra }));

/** Modules that import each other, with a style sheet for every fourth. */
function viteApp(folder: string): string[] {
  packageFile(folder, { type: 'module' });
  put(folder, 'index.html', '<!doctype html><div id="app"></div><script type="module" src="/src/main.js"></script>');
  for (let at = 0; at < VITE_MODULES; at++) {
    const hasStyle = at % 4 === 0;
    const below = [2 * at + 1, 2 * at + 2].filter((other) => other < VITE_MODULES);
    const imports = below.map((other) => `import { part${other} } from './part${other}.js';`);
    if (hasStyle) {
      imports.push(`import styles from './part${at}.module.css';`);
      put(
        folder,
        `src/part${at}.module.css`,
        `.part { color: #${String(100 + (at % 900))}; & > b { margin: ${at}px } }`,
      );
    }
    const lines = Array.from({ length: 60 }, (_, line) => `  sum += Math.imul(seed ^ ${at * 60 + line}, ${line + 3});`);
    put(
      folder,
      `src/part${at}.js`,
      `${imports.join('\n')}
export function part${at}(seed) {
  let sum = ${at};
${lines.join('\n')}
  return [sum, ${hasStyle ? 'styles.part' : "''"}, ${below.map((other) => `part${other}(sum)`).join(', ')}];
}
`,
    );
  }
  // Terser is written in JavaScript, and slow.
  put(folder, 'vite.config.js', "export default { build: { minify: 'terser', chunkSizeWarningLimit: 9999 } };");
  put(
    folder,
    'src/main.js',
    `import * as lodash from 'lodash-es';
import * as zod from 'zod';
import { part0 } from './part0.js';
document.querySelector('#app').append(String(part0(1)), Object.keys({ ...lodash, ...zod }).join());
`,
  );
  return ['vite', 'build'];
}

/**
 * Tests of express like its own: an app for each, requests, answers. One connection per file: with one for each request
 * thousands of closed ones are left, and the kernel's work for them varies with time.
 */
function mochaApp(folder: string): string[] {
  packageFile(folder);
  put(
    folder,
    'ask.js',
    `const http = require('node:http');
exports.serve = (app) => new Promise((resolve) => {
  const server = http.createServer((req, res) => app.handler(req, res));
  const agent = new http.Agent({ keepAlive: true });
  const ask = (method, path, body) => new Promise((answer, fail) => {
    const options = { port: server.address().port, agent, method, path, headers: { 'content-type': 'application/json' } };
    http.request(options, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => answer({ status: res.statusCode, part: res.headers['x-part'], text: Buffer.concat(chunks).toString() }));
    }).on('error', fail).end(body === undefined ? undefined : JSON.stringify(body));
  });
  const close = () => { agent.destroy(); server.close(); };
  server.listen(0, '127.0.0.1', () => resolve({ ask, close }));
});
`,
  );
  for (let file = 0; file < MOCHA_FILES; file++) {
    put(
      folder,
      `test/part${String(file).padStart(2, '0')}.js`,
      `const assert = require('node:assert');
const express = require('express');
const { serve } = require('../ask.js');
describe('part ${file}', () => {
  const current = {};
  let server;
  before(async () => { server = await serve(current); });
  after(() => server.close());
  for (let n = 0; n < ${MOCHA_TESTS_PER_FILE}; n++) {
    it('answers request ' + n, async () => {
      const app = current.handler = express();
      const seen = [];
      app.use(express.json(), (req, res, next) => { seen.push(req.method); next(); });
      app.get('/user/:name', (req, res) => res.set('x-part', '${file}').json({ name: req.params.name, n }));
      app.post('/user', (req, res) => res.status(201).send('made ' + req.body.name));
      const { status, part, text } = await server.ask('GET', '/user/u' + n);
      assert.deepStrictEqual([status, part, JSON.parse(text)], [200, '${file}', { name: 'u' + n, n }]);
      const made = await server.ask('POST', '/user', { name: 'tj' });
      assert.deepStrictEqual([made.status, made.text], [201, 'made tj']);
      assert.strictEqual((await server.ask('GET', '/nobody')).status, 404);
      assert.deepStrictEqual(seen, ['GET', 'POST', 'GET']);
    });
  }
});
`,
    );
  }
  return ['mocha', 'test'];
}

/** Each file starts a program that waits and one that listens, like tests of servers and commands. */
function jestApp(folder: string): string[] {
  packageFile(folder, { jest: { testEnvironment: 'node' } });
  put(
    folder,
    'child.js',
    `const [seconds, kind] = process.argv.slice(2);
const server = require('node:http').createServer((req, res) => res.end('ok'));
if (kind === 'listens') server.listen(0, '127.0.0.1');
setTimeout(() => { console.log('done'); server.close(); }, seconds * 1000);
`,
  );
  for (const seconds of JEST_CHILD_SECONDS) {
    put(
      folder,
      `after${seconds}.test.js`,
      `const { execFile } = require('node:child_process');
const path = require('node:path');
const run = (kind) => new Promise((resolve) => {
  const args = [path.join(__dirname, 'child.js'), '${seconds}', kind];
  execFile(process.execPath, args, (error, stdout, stderr) => resolve({ code: error ? error.code : 0, stdout, stderr }));
});
for (const kind of ['waits', 'listens']) {
  test.concurrent('a child that ' + kind + ' for ${seconds} s writes nothing to stderr', async () => {
    expect(await run(kind)).toEqual({ code: 0, stdout: 'done\\n', stderr: '' });
  }, 60000);
}
test('computes', () => {
  let sum = 0;
  for (let n = 0; n < 3e7; n++) sum = (sum + n * n) % 1000003;
  expect(sum).toBeGreaterThan(0);
});
`,
    );
  }
  // Two, however many cores there are: it runs them as processes of their own.
  return ['jest', '--maxWorkers=2', '--verbose'];
}

/** The sources of zod, without its tests and measurements. */
function tscApp(folder: string): string[] {
  packageFile(folder, { type: 'module' });
  copySources(path.join(MODULES, 'zod/src'), path.join(folder, 'src'), /\.ts$/);
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom'],
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: [],
    noEmit: true,
    // zod has a condition of its own for its sources.
    customConditions: ['@zod/source'],
  };
  put(folder, 'tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
  return ['tsc', '--listFiles'];
}

function webpackApp(folder: string): string[] {
  packageFile(folder);
  put(
    folder,
    'src/index.js',
    `import * as lodash from 'lodash-es';
import * as zod from 'zod';
console.log(Object.keys({ ...lodash, ...zod }).length);
`,
  );
  return ['webpack', '--mode', 'production', '--no-color', '--performance-hints', 'false'];
}

function eslintApp(folder: string): string[] {
  packageFile(folder);
  copySources(path.join(MODULES, 'webpack/lib/dependencies'), path.join(folder, 'webpack'), /\.js$/);
  copySources(path.join(MODULES, 'express/lib'), path.join(folder, 'express'), /\.js$/);
  put(
    folder,
    'eslint.config.js',
    `module.exports = [{
  languageOptions: { sourceType: 'commonjs', ecmaVersion: 'latest' },
  rules: { 'no-unused-vars': 'warn', 'no-shadow': 'warn', 'prefer-const': 'warn', complexity: ['warn', 20],
    'no-fallthrough': 'warn', 'no-unreachable': 'warn', 'array-callback-return': 'warn', eqeqeq: 'warn' },
}];
`,
  );
  return ['eslint', '--no-inline-config', 'webpack', 'express'];
}

function copySources(from: string, to: string, wanted: RegExp): void {
  const isWanted = (file: string) =>
    fs.statSync(file).isDirectory() || (wanted.test(file) && !/\.test\.ts$/.test(file));
  const isTests = (file: string) => /^(?:tests|benchmarks)$/.test(path.basename(file));
  fs.cpSync(from, to, { recursive: true, filter: (file) => !isTests(file) && isWanted(file) });
}
