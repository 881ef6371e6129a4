import { describe, expect, it } from 'vitest';
import type { ProcessInfo, ProcessInspector } from '../../../src/model/process.ts';
import { detectV8 } from '../../../src/probes/v8/detect.ts';

interface Facts {
  exe: string | null;
  argv?: string[];
  symbol?: boolean;
  threads?: string[] | null;
}

function detect({ exe, argv = ['x'], symbol = false, threads = [] }: Facts) {
  const info: ProcessInfo = { pid: 9, ppid: 1, uid: 0, startTime: '1', name: 'x', exe, argv, cwd: '/' };
  const inspect: ProcessInspector = {
    isAlive: () => true,
    details: () =>
      threads && {
        modules: [],
        threads,
        caughtSignals: 0n,
        ignoredSignals: 0n,
        namespacePid: 9,
        stopped: false,
        sharesNetwork: true,
      },
    listeners: () => [],
    isPortTaken: () => false,
    exeHasSymbol: (_, name) => symbol && name === '_ZN4node5StartEiPPc',
    resolvePath: (_, file) => file,
  };
  return detectV8(info, inspect);
}

const CHROME_THREADS = ['chrome', 'Chrome_IOThread'];

describe('detectV8', () => {
  it.each<[string, Facts, ReturnType<typeof detect>]>([
    ['Node', { exe: '/usr/bin/node', symbol: true, threads: ['node', 'libuv-worker'] }, 'node'],
    ['Node under another name', { exe: '/opt/app/server', symbol: true }, 'node'],
    ['Node whose file was replaced', { exe: '/usr/bin/node (deleted)', symbol: true }, 'node'],
    ['Node that is already gone', { exe: '/usr/bin/node', symbol: true, threads: null }, 'node'],
    ['Bun', { exe: '/usr/bin/bun', threads: ['HeapHelper'] }, null],
    ['a file called node that is none', { exe: '/usr/bin/node' }, null],
    ['Electron', { exe: '/opt/code/code', symbol: true, threads: ['code', 'Chrome_IOThread'] }, 'electron'],
    ['Chrome', { exe: '/opt/google/chrome/chrome', threads: CHROME_THREADS }, 'chromium'],
    ['Chrome while it starts', { exe: '/opt/google/chrome/chrome', threads: null }, 'chromium'],
    ['Chrome after an update', { exe: '/opt/google/chrome/chrome (deleted)', threads: CHROME_THREADS }, 'chromium'],
    ['Chromium of a distribution', { exe: '/usr/lib/chromium/chromium-browser' }, 'chromium'],
    ['Brave', { exe: '/opt/brave.com/brave/brave' }, 'chromium'],
    ['nw.js', { exe: '/opt/nw/nw', threads: CHROME_THREADS }, 'chromium'],
    ['something else called nw', { exe: '/usr/bin/nw' }, null],
    ['Deno', { exe: '/usr/bin/deno', threads: ['deno', 'V8 DefaultWorke'] }, 'deno'],
    ['Deno without a thread of V8', { exe: '/usr/bin/deno' }, null],
    ['a shell', { exe: '/bin/bash' }, null],
    ['chromedriver', { exe: '/usr/bin/chromedriver' }, null],
    ['a process of another user', { exe: null, symbol: true }, null],
  ])('%s', (_, facts, expected) => {
    expect(detect(facts)).toBe(expected);
  });

  it.each([
    [['/opt/code/code', '--type=renderer', '--lang=de']],
    [['/opt/code/code', '--type=zygote', '--no-zygote-sandbox']],
    [['/opt/code/code', '--no-sandbox', '--type=gpu-process']],
    [['/proc/self/exe', '--type=utility', '--utility-sub-type=node.mojom.NodeService']],
    [['/opt/My App/code --type=renderer --enable-crash-reporter=a b --lang=de']],
  ])('refuses the child %j', (argv) => {
    for (const symbol of [true, false]) {
      expect(detect({ exe: '/opt/google/chrome/chrome', argv, symbol, threads: ['Chrome_ChildIOT'] })).toBeNull();
      expect(detect({ exe: '/opt/google/chrome/chrome', argv, symbol, threads: [] })).toBeNull();
    }
  });

  it.each([
    [['node', 'build.js', '--type=module']],
    [['node', '--enable-source-maps', 'build.js', '--type=renderer']],
    [['node', '-e', 'code --type=x']],
    [['node', 'job.js', 'x --type=worker']],
  ])('takes %j for a Node process with an argument of its own', (argv) => {
    expect(detect({ exe: '/usr/bin/node', argv, symbol: true })).toBe('node');
  });
});
