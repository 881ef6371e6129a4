import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifyDeno, identifyDenoModule, runsProgram } from '../../../../src/probes/drivers/v8/deno/deno-identity.ts';

const ROOT = '/nowhere/shop';
const identify = (argv: readonly string[]) =>
  identifyDeno(
    { pid: 7, ppid: 1, uid: 0, startTime: '1', name: 'deno', exe: '/usr/bin/deno', argv: ['deno', ...argv], cwd: ROOT },
    (file) => file,
  );

describe('the identity of a Deno program', () => {
  it.each<[string[]]>([
    [['run', 'src/prices.ts']],
    [['run', '-A', 'src/prices.ts', 'run', '--port', '80']],
    [['run', '--allow-net=127.0.0.1', '--inspect=127.0.0.1:0', './src/prices.ts']],
    [['run', '-c', 'deno.json', '--import-map', 'map.json', 'src/prices.ts']],
    [['serve', '--port', '8000', 'src/prices.ts']],
    [['serve', '--port=8000', '--parallel', 'src/prices.ts']],
    [['--log-level', 'debug', 'run', 'src/prices.ts']],
    [['src/prices.ts']],
    [['-A', 'src/prices.ts', 'argument']],
    [['run', `file://${ROOT}/src/prices.ts`]],
  ])('%j', (argv) => {
    expect(identify(argv)).toEqual({ appName: 'prices', identity: `deno:${path.join(ROOT, 'src/prices.ts')}` });
    expect(runsProgram(['deno', ...argv])).toBe(true);
  });

  it.each([
    [['run', 'https://example.org/tools/serve.ts?x=1'], 'serve', 'deno:https://example.org/tools/serve.ts?x=1'],
    [['run', 'npm:@acme/tool@1.2/cli'], '@acme/tool', 'deno:npm:@acme/tool@1.2/cli'],
    [['run', 'jsr:@std/http@1/file-server'], '@std/http', 'deno:jsr:@std/http@1/file-server'],
    [['run', '-'], 'deno', `deno-repl:${ROOT}`],
    [['repl'], 'deno', `deno-repl:${ROOT}`],
    [[], 'deno', `deno-repl:${ROOT}`],
    [['run', 'src/main.ts'], 'src', `deno:${ROOT}/src/main.ts`],
  ])('%j is %s', (argv, appName, identity) => {
    expect(identify(argv)).toEqual({ appName, identity });
  });

  it('names code by what it is', () => {
    const code = identify(['eval', 'setInterval(() => {}, 1)']);
    expect(code.appName).toBe('deno eval');
    expect(identify(['eval', '--ext=ts', 'setInterval(() => {}, 1)'])).toEqual(code);
    expect(identify(['eval', 'other']).identity).not.toBe(code.identity);
  });

  it.each([[['task', 'start']], [['lsp']], [['test', '-A']], [['fmt']], [['compile', 'x.ts']]])(
    '%j is no program',
    (argv) => {
      expect(runsProgram(['deno', ...argv])).toBe(false);
    },
  );
});

describe('a Deno program that is attached to', () => {
  it.each([
    ['file:///nowhere/shop/src/prices.ts', 'prices', 'deno:/nowhere/shop/src/prices.ts'],
    ['https://example.org/tools/serve.ts?x=1', 'serve', 'deno:https://example.org/tools/serve.ts?x=1'],
    [
      'file:///root/.cache/deno/npm/registry.npmjs.org/http-server/14.1.1/bin/http-server',
      'http-server',
      'deno:npm:http-server/bin/http-server',
    ],
    ['file:///c/npm/localhost_4873/@acme/tool/2.0.0-rc.1/cli.js', '@acme/tool', 'deno:npm:@acme/tool/cli.js'],
    ['https://jsr.io/@std/http/1.0.3/file_server.ts', '@std/http', 'deno:jsr:@std/http/file_server.ts'],
  ])('%s is %s, whatever its command line says by now', (url, appName, identity) => {
    expect(identifyDenoModule(url, String)).toEqual({ appName, identity });
  });

  it.each([[''], ['file:///srv/$deno$eval.mts'], ['file:///srv/$deno$repl.mts']])('%j says nothing', (url) => {
    expect(identifyDenoModule(url, String)).toBeNull();
  });

  it('has a provisional identity of its own where its title is all that can be seen', () => {
    const info = { pid: 7, ppid: 1, uid: 0, startTime: '1', name: 'x', exe: '/usr/bin/deno', cwd: '/srv' };
    expect(identifyDeno({ ...info, argv: ['one title'] }, String)).toEqual({
      appName: 'one title',
      identity: 'deno-title:/srv:one title',
      earlier: ['deno-repl:/srv'],
    });
    expect(identifyDeno({ ...info, argv: ['/usr/bin/deno'] }, String).identity).toBe('deno-repl:/srv');
  });
});
