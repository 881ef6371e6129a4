import { describe, expect, it } from 'vitest';
import { OWN_NETWORK } from '../../../../src/host/own-network.ts';
import type { ProcessInfo, ProcessInspector } from '../../../../src/model/process.ts';
import { chromiumName, detectV8 } from '../../../../src/probes/drivers/v8/detect.ts';

interface Facts {
  exe: string | null;
  argv?: string[];
  symbol?: boolean;
  threads?: string[] | null;
  modules?: string[];
  caughtSignals?: bigint;
}

const infoOf = ({ exe, argv = ['x'] }: Facts): ProcessInfo => ({
  pid: 9,
  ppid: 1,
  uid: 0,
  startTime: '1',
  name: 'x',
  exe,
  argv,
  cwd: '/',
});

function inspectorOf({ exe, symbol = false, threads = [], modules = [], caughtSignals = 0n }: Facts): ProcessInspector {
  return {
    isAlive: () => true,
    details: () =>
      threads && {
        modules,
        threads,
        caughtSignals,
        ignoredSignals: 0n,
        namespacePid: 9,
        effectiveUid: 0,
        effectiveGid: 0,
        stopped: false,
        residentBytes: 0,
        freeDescriptors: null,
      },
    listeners: () => [],
    unixListeners: () => [],
    currentExe: () => exe,
    activity: () => null,
    isPortTaken: () => false,
    portClients: () => [],
    exeHasSymbol: (_, name) => symbol && name === '_ZN4node5StartEiPPc',
    resolvePath: (_, file) => file,
    kernelFile: () => null,
    mainThreadWait: () => null,
    network: () => OWN_NETWORK,
    origin: () => null,
  };
}

const detect = (facts: Facts) => detectV8(infoOf(facts), inspectorOf(facts));

const CHROME_THREADS = ['chrome', 'Chrome_IOThread'];

it('takes no part of a browser for one that was still a fork of it when it was found', () => {
  const facts = { exe: '/usr/lib/chromium/chromium', argv: ['chromium'], threads: CHROME_THREADS };
  const inspector = inspectorOf(facts);
  expect(detectV8(infoOf(facts), inspector)).toBe('chromium');
  const now = (text: string) => ({ ...inspector, kernelFile: () => text });
  expect(detectV8(infoOf(facts), now('chromium\0--headless\0'))).toBe('chromium');
  expect(detectV8(infoOf(facts), now('/usr/lib/chromium/chromium\0--type=renderer\0'))).toBeNull();
  const crashHandler = inspectorOf({ ...facts, exe: '/usr/lib/chromium/chrome_crashpad_handler' });
  expect(detectV8(infoOf(facts), crashHandler)).toBeNull();
});

describe('detectV8', () => {
  it.each<[string, Facts, ReturnType<typeof detect>]>([
    ['Node', { exe: '/usr/bin/node', symbol: true, threads: ['node', 'libuv-worker'] }, 'node'],
    ['Node under another name', { exe: '/opt/app/server', symbol: true }, 'node'],
    ['Node whose file was replaced', { exe: '/usr/bin/node (deleted)', symbol: true }, 'node'],
    [
      'Node of a version whose threads have one name',
      { exe: '/usr/bin/node', symbol: true, threads: ['node', 'node'] },
      'node',
    ],
    ['a fork of Node', { exe: '/usr/bin/node', symbol: true, threads: ['node'], caughtSignals: 1n << 9n }, null],
    ['a fork of Electron', { exe: '/opt/code/code', symbol: true, threads: ['code'], caughtSignals: 1n << 9n }, null],
    ['Node that is already gone', { exe: '/usr/bin/node', symbol: true, threads: null }, 'node'],
    ['Bun', { exe: '/usr/bin/bun', threads: ['HeapHelper'] }, null],
    ['a file called node that is none', { exe: '/usr/bin/node' }, null],
    ['Electron', { exe: '/opt/code/code', symbol: true, threads: ['code', 'Chrome_IOThread'] }, 'electron'],
    ['Chrome', { exe: '/opt/google/chrome/chrome', threads: CHROME_THREADS }, 'chromium'],
    ['Chrome while it starts', { exe: '/opt/google/chrome/chrome', threads: null }, 'chromium'],
    ['a fork of Chrome in the middle of its exec', { exe: '/opt/google/chrome/chrome', threads: ['chrome'] }, null],
    ['Chrome after an update', { exe: '/opt/google/chrome/chrome (deleted)', threads: CHROME_THREADS }, 'chromium'],
    ['Chromium of a distribution', { exe: '/usr/lib/chromium/chromium-browser' }, 'chromium'],
    ['Brave', { exe: '/opt/brave.com/brave/brave' }, 'chromium'],
    ['NW.js', { exe: '/opt/nw/nw', threads: CHROME_THREADS, modules: ['/opt/nw/lib/libnw.so'] }, 'chromium'],
    ['NW.js under another name', { exe: '/opt/shop/shop', modules: ['/opt/shop/lib/libnw.so'] }, 'chromium'],
    ['NW.js that links Node', { exe: '/opt/nw/nw', symbol: true, modules: ['/opt/nw/lib/libnw.so'] }, 'chromium'],
    ['something else called nw', { exe: '/usr/bin/nw' }, null],
    ['CEF', { exe: '/opt/player/player', modules: ['/opt/player/libcef.so'] }, 'chromium'],
    ['a program with another library', { exe: '/opt/player/player', modules: ['/opt/libcefx.so'] }, null],
    ['a crash handler', { exe: '/opt/google/chrome/chrome_crashpad_handler', argv: ['x', '--monitor-self'] }, null],
    ['a sandbox helper', { exe: '/opt/google/chrome/chrome-sandbox' }, null],
    ['Electron while it starts', { exe: '/opt/code/code', symbol: true, modules: ['/lib/libgtk-3.so.0'] }, null],
    [
      'Electron that runs as Node',
      { exe: '/opt/code/code', symbol: true, modules: ['/lib/libX11.so.6'], caughtSignals: 1n << 9n },
      'node',
    ],
    ['Windows', { exe: 'C:\\Program Files\\Google\\Chrome\\chrome.exe' }, 'chromium'],
    ['macOS', { exe: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' }, 'chromium'],
    ['Deno', { exe: '/usr/bin/deno', argv: ['deno', 'run', 'x.ts'], threads: ['deno', 'V8 DefaultWorke'] }, 'deno'],
    [
      'Deno without a command',
      { exe: '/usr/bin/deno', argv: ['deno', 'x.ts'], threads: ['deno', 'V8 DefaultWorke'] },
      'deno',
    ],
    [
      'a task of Deno',
      { exe: '/usr/bin/deno', argv: ['deno', 'task', 'start'], threads: ['deno', 'V8 DefaultWorke'] },
      null,
    ],
    [
      "Deno's language server",
      { exe: '/usr/bin/deno', argv: ['deno', 'lsp'], threads: ['deno', 'V8 DefaultWorke'] },
      null,
    ],
    ['Deno without a thread of V8', { exe: '/usr/bin/deno' }, null],
    ['a shell', { exe: '/bin/bash' }, null],
    ['chromedriver', { exe: '/usr/bin/chromedriver' }, null],
    ['a process of another user', { exe: null, symbol: true }, null],
  ])('%s', (_, facts, expected) => {
    expect(detect(facts)).toBe(expected);
  });

  it.each([
    ['/opt/google/chrome/chrome', 'Google Chrome'],
    ['/opt/google/chrome/google-chrome', 'Google Chrome'],
    ['/usr/lib/chromium/chromium', 'Chromium'],
    ['/snap/chromium/1/usr/lib/chromium-browser/chromium-browser', 'Chromium'],
    ['/opt/microsoft/msedge/msedge', 'Microsoft Edge'],
    ['/opt/microsoft/msedge-beta/microsoft-edge-beta', 'Microsoft Edge'],
    ['/opt/brave.com/brave/brave', 'Brave'],
    ['/Applications/Brave Browser.app/Contents/MacOS/Brave Browser', 'Brave'],
    ['/opt/vivaldi/vivaldi-bin', 'Vivaldi'],
    ['/usr/lib/x86_64-linux-gnu/opera/opera', 'Opera'],
    ['/home/me/.cache/puppeteer/chrome-headless-shell', 'Chrome Headless Shell'],
  ])('knows the browser %s', (exe, name) => {
    expect(detect({ exe })).toBe('chromium');
    expect(chromiumName(infoOf({ exe }), inspectorOf({ exe }))).toBe(name);
  });

  it('calls programs that embed Chromium by their own name, and NW.js by its', () => {
    const nw = { exe: '/opt/nw/nw', modules: ['/opt/nw/lib/libnw.so'] };
    const player = { exe: '/opt/player/player', modules: ['/opt/player/libcef.so'] };
    expect(chromiumName(infoOf(nw), inspectorOf(nw))).toBe('NW.js');
    expect(chromiumName(infoOf(player), inspectorOf(player))).toBe('player');
  });

  it.each([
    [['/opt/code/code', '--type=renderer', '--lang=de']],
    [['/opt/code/code', '--type=crashpad-handler', '--user-data-dir=/x']],
    [['/opt/code/code', '--type=broker']],
    [['/opt/code/code', '--type=zygote', '--no-zygote-sandbox']],
    [['/opt/code/code', '--no-sandbox', '--type=gpu-process']],
    [['/proc/self/exe', '--type=utility', '--utility-sub-type=node.mojom.NodeService']],
    [['/opt/My App/code --type=renderer --enable-crash-reporter=a b --lang=de']],
  ])('refuses the child %j', (argv) => {
    for (const symbol of [true, false]) {
      expect(detect({ exe: '/opt/google/chrome/chrome', argv, symbol, threads: ['Chrome_ChildIOT'] })).toBeNull();
      expect(detect({ exe: '/opt/google/chrome/chrome', argv, symbol, threads: [] })).toBeNull();
      expect(detect({ exe: '/opt/player/player', argv, symbol, modules: ['/opt/player/libcef.so'] })).toBeNull();
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
