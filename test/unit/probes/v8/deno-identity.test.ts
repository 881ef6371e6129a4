import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identifyDeno, runsProgram } from '../../../../src/probes/drivers/v8/deno/deno-identity.ts';

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
