import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyNode, identifyNodeCommand } from '../../../../src/probes/drivers/v8/node/node-identity.ts';

let root = '';
const BUILDER = 'shop/node_modules/builder/bin/cli.js';
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
  write('shop/node_modules/builder/bin/old_gate.js');
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
    () => null,
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
    ['shop', 'node_modules/builder/bin/old_gate.js', 'builder', 'shop/node_modules/builder/bin/old_gate.js'],
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

describe('a program that has set process.title', () => {
  const titled = (title: string, cwd: string | null, environment: Record<string, string> = {}) =>
    identifyNode(
      { pid: 7, ppid: 1, uid: 0, startTime: '1', name: 'node', exe: '/usr/bin/node', argv: [title], cwd },
      same,
      () =>
        Object.entries(environment)
          .map(([name, value]) => `${name}=${value}\0`)
          .join(''),
    );
  const at = (file: string) => path.join(root, file);
  const guessed = (appName: string, file: string) => ({ appName, identity: `node:${at(file)}`, isGuess: true });

  it.each<[string, string, Record<string, string>, string, string]>([
    ['a command in the PATH', 'builder', { PATH: '/nowhere:{shop/node_modules/.bin}' }, 'builder', BUILDER],
    ['a command that says more', 'Builder v1.2: watching', { PATH: '{shop/node_modules/.bin}' }, 'builder', BUILDER],
    ['what the shell has run', 'builder', { _: '{shop/node_modules/.bin/builder}' }, 'builder', BUILDER],
    [
      'what npm has started',
      'desk',
      {
        npm_lifecycle_script: 'node --enable-source-maps lib/start --port 1',
        npm_package_name: '@acme/desk',
        npm_package_json: '{desk/package.json}',
      },
      'Acme Desk',
      'desk/lib/start.js',
    ],
  ])('is called by %s', (_what, title, environment, appName, file) => {
    const told = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\{(.*)\}/, (_, in_) => at(in_)),
    ]);
    expect(titled(title, at('loose'), Object.fromEntries(told))).toEqual(guessed(appName, file));
  });

  it('is called by the package of its folder, and is the main script or command where it is named so', () => {
    expect(titled('desk', at('desk'))).toEqual(guessed('Acme Desk', 'desk/lib/start.js'));
    expect(titled('shop', at('shop'))).toEqual(guessed('web-shop', 'shop/bin/shop.js'));
    expect(titled('web-shop', at('shop'))).toEqual(guessed('web-shop', 'shop/src/server.js'));
    expect(titled('jobs', at('shop/src'))).toEqual({
      appName: 'web-shop',
      identity: `node-title:${at('shop/src')}:jobs`,
    });
  });

  it('is called by its title where nothing else is known, and is another in another folder', () => {
    const [one, other] = [titled('queue 1', at('loose')), titled('queue 1', '/')];
    expect([one.appName, other.appName]).toEqual(['queue 1', 'queue 1']);
    expect(one.identity).not.toBe(other.identity);
    expect(one.identity).not.toBe(titled('queue 2', at('loose')).identity);
    expect(titled('a\x1b[31m\nb', null).appName).toBe('a [31m b');
    expect(titled('x'.repeat(500), '/').appName).toHaveLength(80);
    expect(titled(' : ', '/').appName).toBe(':');
    expect(titled('\x01', '/').appName).toBe('node');
  });

  it('is not called by a command of the system that happens to be named so', () => {
    expect(titled('sh', '/', { PATH: '/usr/bin:/bin', _: '/bin/sh' })).toEqual({
      appName: 'sh',
      identity: 'node-title:/:sh',
    });
  });

  it('is told from a command without arguments', () => {
    for (const argv of [['node'], ['/opt/node-20/bin/node'], ['nodejs'], ['shop', '-i']])
      expect(
        identifyNode(
          { pid: 7, ppid: 1, uid: 0, startTime: '1', name: '', exe: '/usr/bin/node', argv, cwd: '/srv' },
          same,
          () => null,
        ),
      ).toEqual({ appName: 'node', identity: 'node-repl:/srv' });
  });

  describe('under PM2', () => {
    const container = '/usr/lib/node_modules/pm2/lib/ProcessContainerFork.js';
    const script = () => at('shop/src/server.js');
    const fork = () => ({ name: 'checkout', pm_exec_path: script(), pm_cwd: at('shop'), NODE_CHANNEL_FD: '3' });
    const named = () => ({
      appName: 'checkout',
      identity: `node:${script()}#checkout`,
      earlier: [`node:${script()}`],
    });

    it('is called as it is called there, before it has a title and after', () => {
      const argv = ['node', container];
      const info = {
        pid: 7,
        ppid: 1,
        uid: 0,
        startTime: '1',
        name: 'node',
        exe: '/usr/bin/node',
        argv,
        cwd: at('shop'),
      };
      const environ = Object.entries(fork())
        .map(([name, value]) => `${name}=${value}`)
        .join('\0');
      expect(identifyNode(info, same, () => environ)).toEqual(named());
      expect(identifyNode(info, same, () => null).identity).toBe(`node:${container}`);
      expect(titled(`node ${script()}`, at('shop'), fork())).toEqual(named());
      expect(titled('till', at('shop'), fork())).toEqual(named());
      const command = { main: script(), argv: ['/usr/bin/node', container], execArgv: [] };
      expect(identifyNodeCommand(command, info, same, () => environ)).toEqual(named());
      // Its children have the same environment.
      const child = { ...command, main: at('loose/report.js') };
      expect(identifyNodeCommand(child, info, same, () => environ).identity).toBe(`node:${at('loose/report.js')}`);
    });

    it('is known in a cluster too', () => {
      const { NODE_CHANNEL_FD, ...pm2 } = fork();
      expect(titled('till', '/', { NODE_CHANNEL_FD, pm2_env: JSON.stringify({ ...pm2, args: [] }) })).toEqual(named());
      expect(titled('till', '/', { NODE_CHANNEL_FD, pm2_env: '{' }).appName).toBe('till');
    });

    it('is not what the app has started', () => {
      const { NODE_CHANNEL_FD: _, ...inherited } = fork();
      expect(titled('till', '/', inherited)).toEqual({ appName: 'till', identity: 'node-title:/:till' });
    });
  });
});

describe('what Node itself says that it runs', () => {
  const said = (execArgv: string[], argv: string[], main: string | null, cwd: string | null = '/elsewhere') =>
    identifyNodeCommand(
      { main, argv: ['/usr/bin/node', ...argv], execArgv },
      { pid: 7, ppid: 1, uid: 0, startTime: '1', name: 'x', exe: '/usr/bin/node', argv: ['one title'], cwd },
      same,
      () => null,
    );

  it.each([
    ['src/server.js', 'src/server.js', null],
    ['.', null, null],
    ['src/price-list', 'src/price-list.js', null],
    ['node_modules/.bin/builder', 'node_modules/builder/bin/cli.js', null],
    // ts-node and the like: the main module is the given script.
    ['node_modules/.bin/builder', 'src/price-list.js', 'src/price-list.js'],
  ])('node %s is the same as from outside, whatever the title and the folder are by now', (script, main, instead) => {
    const full = (file: string) => path.join(root, 'shop', file);
    const outside = identify([instead ?? script], path.join(root, 'shop'));
    expect(said(['--enable-source-maps'], [full(script)], main === null ? null : full(main))).toEqual(outside);
    if (instead === null) expect(said([], [full(script)], null)).toEqual(outside);
  });

  it('knows code, and a prompt', () => {
    expect(said(['-e', 'x()'], ['an argument'], null)).toEqual(identify(['-e', 'x()'], '/'));
    expect(said(['-i'], [], null, '/srv')).toEqual(identify([], '/srv'));
    expect(said([], ['-'], null, '/srv')).toEqual(identify([], '/srv'));
  });
});

it('names a program by its package when that starts it', () => {
  write('statsd/package.json', {
    name: 'statsd',
    bin: { statsd: 'bin/statsd' },
    scripts: { start: 'node stats.js c.js' },
  });
  write('statsd/stats.js');
  write('statsd/proxy.js');
  expect(identify(['stats.js'], path.join(root, 'statsd')).appName).toBe('statsd');
  expect(identify(['proxy.js'], path.join(root, 'statsd')).appName).toBe('proxy');
});

describe('a package.json that is none', () => {
  it('does not hold anything up', () => {
    fs.mkdirSync(path.join(root, 'pipe'));
    execFileSync('mkfifo', [path.join(root, 'pipe/package.json')]);
    write('huge/package.json', JSON.stringify({ name: 'other', filling: 'x'.repeat(256 * 1024) }));
    for (const folder of ['pipe', 'huge']) {
      write(`${folder}/server.js`);
      expect(identify(['server.js'], path.join(root, folder)).appName).toBe(folder);
    }
  });
});
