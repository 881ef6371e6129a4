import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyNode } from '../../../../src/probes/v8/node/node-identity.ts';

let root = '';
const same = (file: string) => file;

function write(file: string, content: string | object = ''): void {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
}

beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'identity-')));
  write('shop/package.json', { name: 'web-shop', main: './src/server.js', bin: { shop: 'bin/shop.js' } });
  write('shop/src/server.js');
  write('shop/src/price-list.js');
  write('shop/bin/shop.js');
  write('shop/src/jobs/index.js');
  write('shop/src/jobs/worker.mjs');
  write('loose/index.js');
  write('loose/report.js');
  write('desk/package.json', { name: '@acme/desk', productName: 'Acme Desk', main: 'lib/start' });
  write('desk/lib/start.js');
  write('odd/package.json', { name: 'odd', main: false, bin: 7, productName: 3 });
  write('odd/index.js');
  write('broken/package.json', '{');
  write('broken/main.js');
  write('shop/node_modules/builder/package.json', { name: 'builder', bin: './bin/cli.js' });
  write('shop/node_modules/builder/bin/cli.js');
  write('nameless/package.json', { private: true });
  write('nameless/app.js');
  fs.mkdirSync(path.join(root, 'shop/node_modules/.bin'), { recursive: true });
  fs.symlinkSync('../builder/bin/cli.js', path.join(root, 'shop/node_modules/.bin/builder'));
});

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

const identify = (argv: readonly string[], cwd: string | null, resolve = same) =>
  identifyNode(
    { pid: 7, ppid: 1, uid: 0, startTime: '1', name: 'node', exe: '/usr/bin/node', argv: ['node', ...argv], cwd },
    resolve,
  );

describe('the script among the arguments', () => {
  it.each<[string[]]>([
    [['src/price-list.js']],
    [['src/price-list.js', '--port', '80', 'other.js']],
    [['--inspect', 'src/price-list.js']],
    [['--max-old-space-size=4096', '--enable-source-maps', 'src/price-list.js']],
    [['-r', 'dotenv/config', 'src/price-list.js']],
    [['--require', './x.js', '--import', 'tsx', 'src/price-list.js']],
    [['--require=./x.js', 'src/price-list.js']],
    [['--loader', 'ts-node/esm', '-C', 'development', '--env-file', '.env', 'src/price-list.js']],
    [['--unhandled-rejections', 'strict', '--title', 'shop', 'src/price-list.js']],
    [['--watch-path', './src', '--watch', 'src/price-list.js']],
    [['--', 'src/price-list.js', '-e', 'x']],
    [['', 'src/price-list.js']],
    [['src/price-list']],
    [['./src/../src/price-list.js', '-e', 'code', '-']],
  ])('%j', (argv) => {
    expect(identify(argv, path.join(root, 'shop'))).toEqual({
      appName: 'price-list',
      identity: `node:${root}/shop/src/price-list.js`,
    });
  });

  it('names code by what it is, not by where it runs', () => {
    const code = identify(['-e', 'setInterval(() => {}, 1)'], '/a');
    expect(code.appName).toBe('node -e');
    expect(code.identity).toMatch(/^node-eval:[0-9a-f]{16}$/);
    for (const argv of [
      ['--eval', 'setInterval(() => {}, 1)', 'argument.js'],
      ['-p', 'setInterval(() => {}, 1)'],
      ['--input-type=module', '-pe', 'setInterval(() => {}, 1)'],
      ['--input-type', 'module', '--eval=setInterval(() => {}, 1)'],
    ])
      expect(identify(argv, '/b')).toEqual(code);
    expect(identify(['-e', 'other'], '/a').identity).not.toBe(code.identity);
    expect(identify(['-e'], '/a').appName).toBe('node -e');
  });

  it.each<[string[]]>([
    [[]],
    [['-i']],
    [['--']],
    [['-']],
    [['-', 'argument']],
    [['--run', 'start']],
    [['-r', 'x']],
    [['--title']],
  ])('finds none in %j', (argv) => {
    expect(identify(argv, '/srv')).toEqual({ appName: 'node', identity: 'node-repl:/srv' });
  });
});

describe('the name', () => {
  it.each([
    ['shop', 'src/server.js', 'web-shop', 'shop/src/server.js'],
    ['shop', '.', 'web-shop', 'shop/src/server.js'],
    ['shop', 'bin/shop.js', 'web-shop', 'shop/bin/shop.js'],
    ['shop', 'src/jobs', 'web-shop', 'shop/src/jobs/index.js'],
    ['shop', 'src/jobs/worker.mjs', 'web-shop', 'shop/src/jobs/worker.mjs'],
    ['shop', 'node_modules/.bin/builder', 'builder', 'shop/node_modules/builder/bin/cli.js'],
    ['desk', '.', 'Acme Desk', 'desk/lib/start.js'],
    ['desk', 'lib/start.js', 'Acme Desk', 'desk/lib/start.js'],
    ['loose', 'index.js', 'loose', 'loose/index.js'],
    ['loose', '.', 'loose', 'loose/index.js'],
    ['loose', 'report', 'report', 'loose/report.js'],
    ['odd', 'index.js', 'odd', 'odd/index.js'],
    ['broken', 'main.js', 'broken', 'broken/main.js'],
    ['nameless', 'app.js', 'nameless', 'nameless/app.js'],
    ['loose', 'gone.js', 'gone', 'loose/gone.js'],
    ['gone', 'server.js', 'gone', 'gone/server.js'],
  ])('%s: node %s is %s', (cwd, script, appName, file) => {
    expect(identify([script], path.join(root, cwd))).toEqual({ appName, identity: `node:${path.join(root, file)}` });
  });

  it('knows a file of a container by its path in there', () => {
    const inContainer = (file: string) => path.join(root, file);
    expect(identify(['src/server.js'], '/shop', inContainer)).toEqual({
      appName: 'web-shop',
      identity: 'node:/shop/src/server.js',
    });
  });

  it('does without a working folder', () => {
    expect(identify(['/nowhere/main.js'], null)).toEqual({ appName: 'nowhere', identity: 'node:/nowhere/main.js' });
    expect(identify([], null)).toEqual({ appName: 'node', identity: 'node-repl:' });
  });
});
