import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compileCSharp } from '../../scripts/csharp-targets.mjs';
import { createHost } from '../../src/host/host.ts';
import type { ProcessInspector } from '../../src/model/process.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { assemblyName, readAgentBuild } from '../../src/probes/drivers/clr/agent-build.ts';
import { type ClrChannel, connectAgent, prepareChannel } from '../../src/probes/drivers/clr/channel/channel.ts';
import { openClrFolder, REQUEST_WAKEUP } from '../../src/probes/drivers/clr/clr-folder.ts';
import { injectCoreClr } from '../../src/probes/drivers/clr/coreclr/coreclr-inject.ts';
import { clr as declaration } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { findRuntime, readProgram } from '../../src/probes/drivers/clr/identity/clr-facts.ts';
import { runInMono } from '../../src/probes/drivers/clr/mono/mono-attach.ts';
import { AttachError, type AttachTools, type Probe } from '../../src/probes/probe.ts';
import { Deadline } from '../../src/probes/support/agent-files/deadline.ts';
import { InjectedProbe } from '../../src/probes/support/injected/injected-probe.ts';
import { fast, full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { CLRS, type Clr, commandOf, DOTNET, here, isHere, startDotnet } from '../support/dotnet.ts';
import { removeCopies, startProgram } from '../support/programs.ts';
import { canUnshare, endAll, start, until } from '../support/real-processes.ts';
import { hasRuntime, runtime } from '../support/runtimes.ts';
import { processInfo, type Target } from '../support/targets.ts';
import { oneAfterTheOther } from '../support/two-daemons.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const driver = createClrDriver(declaration.settings.parse({}));
const { inspector, signal } = createHost();
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
/** Each has a way in of its own: Mono's attach, startup hooks, and the library that claims to be a profiler. */
const WAYS = here<Clr>('mono', 'net9', 'net31');
/** For .NET 8 and later only: startup hooks that are loaded into a running program. */
const itHooks = it.runIf(isHere('net9'));
const agent = () => `${assemblyName(readAgentBuild().build)}.dll`;

const made: string[] = [];
afterEach(async () => {
  await endAll();
  removeCopies();
  for (const file of made.splice(0)) fs.rmSync(file, { recursive: true, force: true });
});

const shop = (clr: Clr, launch: Parameters<typeof startDotnet>[2] = {}) => startDotnet(clr, 'shop', launch);

/** The same program in a folder of its own. */
async function copiedShop(change: (folder: string) => void, options: readonly string[] = []): Promise<Target> {
  const folder = fs.mkdtempSync('/tmp/substrate-test-shop-');
  made.push(folder);
  fs.cpSync(path.dirname(compileCSharp('shop')), folder, { recursive: true });
  change(folder);
  const env = { DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  return startProgram(commandOf('net9'), [...options, path.join(folder, 'Shop.dll')], { env });
}

interface Recorded extends AttachTools {
  readonly signals: string[];
  readonly logged: string[];
}

function toolsOf(changes: Partial<AttachTools> = {}): Recorded {
  const [signals, logged]: [string[], string[]] = [[], []];
  const note = (_fields: object, message: string) => void logged.push(message);
  return {
    inspect: inspector,
    signal(ref, name) {
      signals.push(name);
      signal(ref, name);
    },
    log: { debug: note, info: note, warn: note, error: note } as AttachTools['log'],
    trace: NO_TRACE,
    maxKeys: 200_000,
    budget: AMPLE,
    abort: new AbortController().signal,
    ...changes,
    signals,
    logged,
  };
}

/** Acts just when the attach looks for the socket of .NET: all checks are done, nothing was sent. */
function atTheSocket(act: () => void): ProcessInspector {
  return Object.assign(createHost().inspector, {
    unixListeners(this: void, ref: Target['info']) {
      const found = inspector.unixListeners(ref);
      act();
      return found;
    },
  });
}

async function refusal(target: Target, tools: AttachTools = toolsOf()): Promise<AttachError> {
  const error: unknown = await driver.attach(target.info, tools).then(
    (probe) => probe.detach().then(() => new Error('it was attached')),
    (reason: unknown) => reason,
  );
  if (!(error instanceof AttachError)) throw error;
  return error;
}

async function expectToWork(probe: Probe): Promise<void> {
  expect((await probe.capture(full())).leaves.kind).toBe('full');
  expect((await probe.capture(fast())).leaves.kind).not.toBe('full');
}

/** The program works as before, and has printed nothing else. */
async function expectUnharmed(target: Target, clr: Clr): Promise<void> {
  target.write('o');
  target.write('q');
  expect(await target.exited).toBe(7);
  // Its end may be known before its last output is read.
  await until('its last words', () => /closed after [01]\n/.test(target.output()));
  if (clr !== 'net8') expect(target.output()).toMatch(/^open\nclosed after [01]\n$/);
}

/** Mono is or will be open for us: another signal would be one too many. */
async function expectNoSignal(target: Target, tools: Recorded): Promise<void> {
  const probe = await driver.attach(target.info, tools);
  expect(tools.signals).toEqual([]);
  await expectToWork(probe);
  await probe.detach();
  expect(leftovers(target)).toEqual([]);
  await expectUnharmed(target, 'mono');
}

const folderName = ({ info }: Target) => `${inspector.details(info)?.namespacePid ?? info.pid}-${info.startTime}`;

/** Our files in the folders of a process. */
function leftovers(target: Target): string[] {
  const pid = inspector.details(target.info)?.namespacePid ?? target.pid;
  const names = ['/tmp', '/dev/shm'].flatMap((folder) => {
    const seen = inspector.resolvePath(target.info, folder);
    return fs.existsSync(seen) ? fs.readdirSync(seen) : [];
  });
  return names.filter(
    (name) => name === `.mono_attach_pid${pid}` || (/^substrate-clr-/.test(name) && name.endsWith(folderName(target))),
  );
}

/** Mono's attach thread stays: Mono itself starts it only once. */
const untilThreadsEnd = ({ info }: Target) =>
  until('the threads of the agent to end', () =>
    inspector.details(info)?.threads.every((name) => !name.startsWith('substrate') || name === 'substrate-mono'),
  );

/** Like a daemon that is killed: the connection ends without a message. */
function drop(probe: Probe): Promise<void> {
  if (!(probe instanceof InjectedProbe)) throw new Error('this probe has no agent that could stay');
  probe.abandon();
  return probe.closed;
}

/** Reports the refusal, if the attach never succeeds. */
async function again(target: Target, tools: AttachTools = toolsOf()): Promise<Probe> {
  let refused: AttachError | null = null;
  try {
    return await until('the attach', () =>
      driver.attach(target.info, tools).catch((error: unknown) => {
        if (!(error instanceof AttachError && error.retry)) throw error;
        refused = error;
        return null;
      }),
    );
  } catch (error) {
    throw new Error(`${error}; the last time: ${refused}; it has written ${JSON.stringify(target.output())}`);
  }
}

describe('attaching', () => {
  it.each(CLRS)('to %s, again and again, leaves nothing', async (clr) => {
    const target = await shop(clr);
    for (let round = 0; round < 3; round++) {
      const probe = await driver.attach(target.info, toolsOf());
      await expectToWork(probe);
      expect(leftovers(target)).toEqual([`substrate-clr-${folderName(target)}`]);
      expect(fs.readdirSync(`/dev/shm/substrate-clr-${folderName(target)}`)).not.toContain(agent());
      await probe.detach();
      expect(leftovers(target)).toEqual([]);
    }
    await untilThreadsEnd(target);
    await expectUnharmed(target, clr);
  });

  it.runIf(isRoot).each(WAYS)('as root to a program of another user on %s', async (clr) => {
    const target = await shop(clr, { uid: NOBODY, cwd: '/tmp', env: { HOME: '/tmp' } });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    const folder = fs.statSync(`/dev/shm/substrate-clr-${folderName(target)}`);
    expect(folder).toMatchObject({ uid: NOBODY, gid: NOBODY });
    expect(folder.mode & 0o777).toBe(0o700);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, clr);
  });

  it.runIf(isRoot)('as anybody else to a program of another user is refused', async () => {
    const target = await shop(DOTNET);
    process.seteuid?.(NOBODY);
    try {
      expect(await refusal(target)).toMatchObject({
        retry: false,
        message: expect.stringMatching(/belongs to another user/),
      });
    } finally {
      process.seteuid?.(0);
    }
    await expectUnharmed(target, DOTNET);
  });

  it.runIf(canUnshare()).each(WAYS)('into a container on %s', async (clr) => {
    const target = await shop(clr, { by: container('rw', 'rw,noexec') });
    expect(inspector.details(target.info)?.namespacePid).toBe(1);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    expect(target.output()).toBe('open\n');
  });

  it.runIf(canUnshare()).each(WAYS)('where there is no /dev/shm that can be written, on %s', async (clr) => {
    const target = await shop(clr, { by: container('rw', 'ro') });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.runIf(canUnshare())('where no library may be loaded is refused, unless none is needed', async () => {
    const old = await shop('net31', { by: container('rw,noexec', 'rw,noexec') });
    expect(await refusal(old)).toMatchObject({ retry: false, message: expect.stringMatching(/mounted noexec/) });
    expect(leftovers(old)).toEqual([]);
    if (!isHere('net9')) return;
    const young = await shop('net9', { by: container('rw,noexec', 'rw,noexec') });
    const probe = await driver.attach(young.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it.runIf(isRoot && canUnshare())('where nothing can be written is refused, with the reason', async () => {
    const target = await shop('mono', { by: container('rw', 'ro', 'mount -o remount,ro /tmp') });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      message: expect.stringMatching(/\/tmp of the \.NET program \(EROFS\)/),
    });
    expect(tools.signals).toEqual([]);
  });

  it.runIf(canUnshare()).each(WAYS)('where /dev/shm is full, on %s', async (clr) => {
    const target = await shop(clr, { by: container('rw', 'rw,size=300k') });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.each(here('net9', 'net31'))('where no socket can be, as its path is too long, is refused on %s', async (clr) => {
    const folder = fs.mkdtempSync('/tmp/substrate-test-tmp-');
    made.push(folder);
    const long = path.join(folder, 'x'.repeat(100));
    fs.mkdirSync(long);
    const target = await shop(clr, { env: { TMPDIR: long } });
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/\(TMPDIR\) is too long/),
    });
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, clr);
  });

  it('finds the socket wherever the program has its temporary files', async () => {
    const folder = fs.mkdtempSync('/tmp/substrate-test-tmp-');
    made.push(folder);
    const target = await shop(DOTNET, { env: { TMPDIR: `${folder}/` } });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    await expectUnharmed(target, DOTNET);
  });

  /** With a /tmp and a /dev/shm of its own. The program must stay visible, even if this project is in /tmp. */
  function container(tmp: string, shm: string, then = 'true'): string[] {
    const tmpfs = `mount -t tmpfs -o ${tmp} tmpfs /tmp && mount -t tmpfs -o ${shm} tmpfs /dev/shm`;
    const prepare = ROOT.startsWith('/tmp/')
      ? `mount --rbind ${ROOT} /mnt && ${tmpfs} && mkdir -p ${ROOT} && mount --move /mnt ${ROOT}`
      : tmpfs;
    const script = `${prepare} && ${then} && exec "$0" "$@"`;
    return ['unshare', '-rmpnf', '--kill-child', '--mount-proc', 'sh', '-c', script];
  }
});

describe('a look through the heap', () => {
  const deep = () => ({ ...full(), depth: 'deep' as const });

  it.each(here('mono', 'net9', 'net8'))('is taken when it is asked for, and leaves nothing, on %s', async (clr) => {
    const target = await shop(clr);
    for (let round = 0; round < 2; round++) {
      const tools = toolsOf();
      const probe = await driver.attach(target.info, tools);
      expect((await probe.capture(full())).suggestsHeapScan).toBe(true);
      expect((await probe.capture(deep())).suggestsHeapScan).toBe(false);
      expect(tools.logged).toContain('looked through the heap');
      expect(leftovers(target)).toEqual([`substrate-clr-${folderName(target)}`]);
      await probe.detach();
    }
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, clr);
  });

  const profiled = { CORECLR_ENABLE_PROFILING: '1', CORECLR_PROFILER: '{00000000-0000-0000-0000-000000000001}' };

  const cases: [string, Clr, boolean, Record<string, string>][] = [
    ['.NET Core 3.1 has none', 'net31', true, {}],
    ['a profiler is there already', 'net9', true, profiled],
    ['the settings say so', 'net9', false, {}],
    ['the settings say so for Mono', 'mono', false, {}],
  ];
  it.each(cases.filter(([, clr]) => isHere(clr)))('is not taken when %s', async (_, clr, heap, env) => {
    const target = await shop(clr, { env });
    const tools = toolsOf();
    const choosy = createClrDriver({ ...declaration.settings.parse({}), heap });
    const probe = await choosy.attach(target.info, tools);
    expect((await probe.capture(full())).suggestsHeapScan).toBe(false);
    await probe.capture(deep());
    expect(tools.logged).not.toContain('looked through the heap');
    await probe.detach();
    target.write('q');
    expect(await target.exited).toBe(7);
  });
});

describe('programs that take no agent', () => {
  it('trimmed ones', async () => {
    const target = await startProgram(runtime('trimmed'), ['server', 'start'], { ready: /^/ });
    await until('it to run', () => driver.recognise(target.info, inspector)?.runtimeName?.startsWith('.NET '));
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/StartupHookProvider.*PublishTrimmed/),
    });
    expect(leftovers(target)).toEqual([]);
    expect(inspector.isAlive(target.info)).toBe(true);
  });

  it.runIf(hasRuntime('aot'))('ones that were compiled ahead of time', async () => {
    const target = await startProgram(runtime('aot'), ['mcp', 'start'], { ready: /^/ });
    await until('it to run', () => driver.recognise(target.info, inspector)?.runtimeName === '.NET (native AOT)');
    expect(await refusal(target)).toMatchObject({ retry: false, message: expect.stringMatching(/native AOT/) });
    expect(leftovers(target)).toEqual([]);
    expect(inspector.isAlive(target.info)).toBe(true);
  });

  const quiet: [string, Clr, Record<string, string>][] = [
    ['DOTNET_EnableDiagnostics=0', 'net9', { DOTNET_EnableDiagnostics: '0' }],
    ['DOTNET_EnableDiagnostics_IPC=0', 'net9', { DOTNET_EnableDiagnostics_IPC: '0' }],
    ['COMPlus_EnableDiagnostics=0', 'net31', { COMPlus_EnableDiagnostics: '0' }],
  ];
  it.each(quiet.filter(([, clr]) => isHere(clr)))('ones without diagnostics: %s', async (setting, clr, env) => {
    const target = await shop(clr, { env });
    expect(inspector.unixListeners(target.info)).toEqual([]);
    expect(await refusal(target)).toMatchObject({ retry: false, message: expect.stringContaining(setting) });
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, clr);
  });

  itHooks('ones whose settings have startup hooks off', async () => {
    const target = await copiedShop(hooksOff);
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/was published without System\.StartupHook/),
    });
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'net9');
  });

  itHooks('ones of which that cannot be known: the reason is said as likely', async () => {
    const target = await copiedShop(hooksOff);
    for (const file of made) fs.rmSync(path.join(file, 'Shop.runtimeconfig.json'));
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/most likely.*without startup hooks/),
    });
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'net9');
  });

  function hooksOff(folder: string): void {
    const file = path.join(folder, 'Shop.runtimeconfig.json');
    const settings = JSON.parse(fs.readFileSync(file, 'utf8')) as { runtimeOptions: Record<string, unknown> };
    settings.runtimeOptions.configProperties = { 'System.StartupHookProvider.IsSupported': false };
    fs.writeFileSync(file, JSON.stringify(settings));
  }

  itHooks('ones that have an assembly of the same name', async () => {
    const target = await copiedShop((folder) =>
      fs.copyFileSync(path.join(folder, 'Shop.dll'), path.join(folder, agent())),
    );
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringContaining(`/${agent()}, which`),
    });
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'net9');
  });

  it('old ones that are profiled already', async () => {
    const env = { CORECLR_ENABLE_PROFILING: '1', CORECLR_PROFILER: '{00000000-0000-0000-0000-000000000001}' };
    const target = await shop('net31', { env });
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/CORECLR_ENABLE_PROFILING/),
    });
    expect(leftovers(target)).toEqual([]);
    target.write('q');
    expect(await target.exited).toBe(7);
  });

  it('Mono that has not started the thread which opens its socket is not signalled', async () => {
    const target = await shop('mono');
    const inspect = Object.assign(createHost().inspector, {
      details(this: void, ref: Target['info']) {
        const details = inspector.details(ref);
        return details && { ...details, threads: details.threads.filter((name) => name !== 'Finalizer') };
      },
    });
    const tools = toolsOf({ inspect });
    expect(await refusal(target, tools)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/it is still starting/),
    });
    expect(tools.signals).toEqual([]);
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'mono');
  });

  it('Mono with attaching switched off is not signalled', async () => {
    const target = await shop('mono', { options: ['--attach=disable'] });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/--attach=disable/),
    });
    expect(tools.signals).toEqual([]);
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'mono');
  });

  it.runIf(isRoot)('Mono of a user without a name, which an attach would end, is not signalled', async () => {
    const target = await shop('mono', { uid: 54_321, cwd: '/tmp', env: { HOME: '/tmp' } });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/\(54321\) has no name/),
    });
    expect(tools.signals).toEqual([]);
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'mono');
  });

  it.runIf(isRoot).each<[string, (folder: string) => void]>([
    ['a folder that others can read', (folder) => fs.mkdirSync(folder, { mode: 0o755 })],
    ['a file', (folder) => fs.writeFileSync(folder, '')],
    ['a link', (folder) => fs.symlinkSync('/tmp', folder)],
  ])('Mono whose folder for attaches is %s is not signalled', async (_, make) => {
    const user = spawnSync('id', ['-nu', String(NOBODY)], { encoding: 'utf8' }).stdout.trim();
    const folder = `/tmp/mono-${user}`;
    fs.rmSync(folder, { recursive: true, force: true });
    make(folder);
    made.push(folder);
    fs.lchownSync(folder, NOBODY, NOBODY);
    const target = await shop('mono', { uid: NOBODY, cwd: '/tmp', env: { HOME: '/tmp' } });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({ message: expect.stringContaining(`${folder} that is not`) });
    expect(tools.signals).toEqual([]);
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'mono');
  });

  it.runIf(isRoot)('Mono with a trigger of another user is not signalled', async () => {
    const target = await shop('mono');
    const trigger = `/tmp/.mono_attach_pid${target.pid}`;
    fs.writeFileSync(trigger, '');
    made.push(trigger);
    fs.chownSync(trigger, NOBODY, NOBODY);
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({ retry: true, message: expect.stringContaining(trigger) });
    expect(tools.signals).toEqual([]);
    fs.rmSync(trigger);
    await (await driver.attach(target.info, toolsOf())).detach();
    await expectUnharmed(target, 'mono');
  });
});

describe('a program at a bad moment', () => {
  it.each(WAYS)('that has just started is attached, or refused and attached a little later, on %s', async (clr) => {
    const assembly = compileCSharp('shop');
    for (let round = 0; round < 5; round++) {
      const { child, pid } = start(commandOf(clr), [clr === 'mono' ? `${assembly}.exe` : `${assembly}.dll`], {
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
      const info = await processInfo(pid);
      await until('the runtime', () => driver.recognise(info, inspector) !== null);
      const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
      const target = { pid, info, output: () => output, exited, exitCode: () => child.exitCode, write: () => {} };
      const probe = await again(target);
      await expectToWork(probe);
      await probe.detach();
      child.stdin?.write('q');
      expect(await exited).toBe(7);
      expect(output).toBe('open\nclosed after 0\n');
    }
  });

  it.each(WAYS)('that is stopped is left alone, on %s', async (clr) => {
    const target = await shop(clr);
    process.kill(target.pid, 'SIGSTOP');
    await until('it to stop', () => inspector.details(target.info)?.stopped);
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({ retry: true, message: expect.stringMatching(/is stopped/) });
    expect(tools.signals).toEqual([]);
    process.kill(target.pid, 'SIGCONT');
    const probe = await again(target);
    await expectToWork(probe);
    await probe.detach();
    await expectUnharmed(target, clr);
  });

  itHooks('that is stopped with the hook on its way finds the agent when it goes on', async () => {
    const target = await shop('net9');
    const stop = new AbortController();
    const inspect = Object.assign(createHost().inspector, {
      resolvePath(this: void, ref: Target['info'], file: string) {
        // The last check before the hook is sent.
        if (/^SubstrateClr_\w+\.dll$/.test(path.basename(file))) {
          process.kill(target.pid, 'SIGSTOP');
          stop.abort();
        }
        return inspector.resolvePath(ref, file);
      },
    });
    const pending = await refusal(target, toolsOf({ inspect, abort: stop.signal }));
    expect(pending).toMatchObject({ retry: true, message: expect.stringMatching(/has not answered yet/) });
    expect(fs.readdirSync(`/dev/shm/substrate-clr-${folderName(target)}`)).toContain(agent());
    expect(await refusal(target)).toMatchObject({ retry: true, message: expect.stringMatching(/is stopped/) });
    expect(fs.readdirSync(`/dev/shm/substrate-clr-${folderName(target)}`)).toContain(agent());
    process.kill(target.pid, 'SIGCONT');
    const probe = await again(target);
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'net9');
  });

  it('that is stopped with the signal on its way gets the agent when it goes on', async () => {
    const target = await shop('mono');
    const stopping = toolsOf({
      signal(ref, name) {
        process.kill(ref.pid, 'SIGSTOP');
        signal(ref, name);
      },
    });
    expect(await refusal(target, stopping)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/did not open its attach socket/),
    });
    expect(leftovers(target)).toContain(`.mono_attach_pid${target.pid}`);
    process.kill(target.pid, 'SIGCONT');
    const tools = toolsOf();
    const probe = await again(target, tools);
    expect(tools.signals).toEqual([]);
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, 'mono');
  });

  it.each(here('net9', 'net31'))('that ends meanwhile is reported as ended, on %s', async (clr) => {
    const target = await shop(clr);
    const inspect = atTheSocket(() => process.kill(target.pid, 'SIGKILL'));
    expect(await refusal(target, toolsOf({ inspect }))).toMatchObject({
      retry: false,
      message: expect.stringMatching(/ended while/),
    });
    expect(ours(target)).toEqual([]);
  });

  it('that ends when it gets the signal is reported as ended', async () => {
    const target = await shop('mono');
    const killing = toolsOf({
      signal(ref, name) {
        signal(ref, name);
        process.kill(ref.pid, 'SIGKILL');
      },
    });
    expect(await refusal(target, killing)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/ended while/),
    });
    expect(ours(target)).toEqual([]);
  });

  it.each(WAYS)('that ends later leaves no folder, on %s', async (clr) => {
    const target = await shop(clr);
    const probe = await driver.attach(target.info, toolsOf());
    process.kill(target.pid, 'SIGKILL');
    await probe.closed;
    await until('the folder to go', () => ours(target).length === 0);
    await probe.detach();
  });

  /** The files of a process that is gone. */
  const ours = ({ pid, info }: Target) =>
    ['/tmp', '/dev/shm']
      .flatMap((folder) => fs.readdirSync(folder))
      .filter(
        (name) =>
          name === `.mono_attach_pid${pid}` ||
          (name.startsWith('substrate-clr-') && name.endsWith(`${pid}-${info.startTime}`)),
      );

  it.each(WAYS)('is left as it was when nobody wants the agent any more, on %s', async (clr) => {
    const target = await shop(clr);
    expect(await refusal(target, toolsOf({ abort: AbortSignal.abort() }))).toMatchObject({
      message: expect.stringMatching(/given up/),
    });
    expect(leftovers(target)).toEqual([]);
    const stop = new AbortController();
    const changes: Partial<AttachTools> =
      clr === 'mono' ? { signal: thenAbort } : { inspect: atTheSocket(() => stop.abort()) };
    function thenAbort(...args: Parameters<AttachTools['signal']>) {
      signal(...args);
      stop.abort();
    }
    expect(await refusal(target, toolsOf({ ...changes, abort: stop.signal }))).toMatchObject({
      message: expect.stringMatching(/given up/),
    });
    await until('everything to go', () => leftovers(target).length === 0);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    await expectUnharmed(target, clr);
  });

  it.each(WAYS)('that allocates all the time goes on doing so, on %s', async (clr) => {
    const target = await startDotnet(clr, 'storm');
    for (let round = 0; round < 3; round++) {
      const probe = await driver.attach(target.info, toolsOf());
      const before = cpuTicks(target);
      await probe.capture(full());
      await until('it to go on', () => cpuTicks(target) > before + 30);
      await probe.detach();
    }
    const after = cpuTicks(target);
    await until('it to go on', () => cpuTicks(target) > after + 30);
    target.write('q');
    expect(await target.exited).toBe(0);
    expect(target.output()).toBe('blowing\nover\n');
  });

  function cpuTicks({ pid }: Target): number {
    const line = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[11]);
  }
});

describe('what others left', () => {
  it('a socket of .NET of a process that is gone, and one that somebody made', async () => {
    const target = await shop(DOTNET);
    const planted = `/tmp/dotnet-diagnostic-${target.pid}-1-socket`;
    const listen = `require('net').createServer().listen(${JSON.stringify(planted)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen]);
    made.push(planted);
    expect(fs.lstatSync(planted).isSocket()).toBe(true);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it('the socket of .NET is gone: it is said', async () => {
    const target = await shop(DOTNET);
    fs.rmSync(`/tmp/dotnet-diagnostic-${target.pid}-${target.info.startTime}-socket`);
    expect(await refusal(target)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/no socket for diagnostics/),
    });
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, DOTNET);
  });

  it('the socket of Mono is gone: it is said, and no second signal is sent', async () => {
    const target = await shop('mono');
    await (await driver.attach(target.info, toolsOf())).detach();
    const user = spawnSync('id', ['-nu'], { encoding: 'utf8' }).stdout.trim();
    fs.rmSync(`/tmp/mono-${user}/.mono-${target.pid}`);
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/was deleted from \/tmp/),
    });
    expect(tools.signals).toEqual([]);
    await expectUnharmed(target, 'mono');
  });

  it('a socket of Mono of a process that is gone', async () => {
    const target = await shop('mono');
    const user = spawnSync('id', ['-nu'], { encoding: 'utf8' }).stdout.trim();
    const stale = `/tmp/mono-${user}/.mono-${target.pid}`;
    fs.mkdirSync(path.dirname(stale), { mode: 0o700, recursive: true });
    const listen = `require('net').createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen]);
    expect(fs.lstatSync(stale).isSocket()).toBe(true);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    await expectUnharmed(target, 'mono');
  });

  it.each(WAYS)('a library, by a daemon that was killed while the program loaded it, on %s', async (clr) => {
    const target = await shop(clr);
    const folder = `/tmp/substrate-clr-lib-${folderName(target)}`;
    made.push(folder);
    fs.mkdirSync(folder, { mode: 0o700 });
    fs.writeFileSync(path.join(folder, 'left.so'), '');
    const probe = await driver.attach(target.info, toolsOf());
    expect(leftovers(target)).toEqual([`substrate-clr-${folderName(target)}`]);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it('the socket of Mono, open for a daemon that was killed before it could connect', async () => {
    const target = await shop('mono');
    fs.writeFileSync(`/tmp/.mono_attach_pid${target.pid}`, '', { mode: 0o600 });
    process.kill(target.pid, 'SIGQUIT');
    await until('the socket', () => inspector.unixListeners(target.info).length > 0);
    await expectNoSignal(target, toolsOf());
  });

  it('a trigger of a daemon that was killed, whose signal is on its way: Mono is not signalled again', async () => {
    const target = await shop('mono');
    fs.writeFileSync(`/tmp/.mono_attach_pid${target.pid}`, '');
    let looks = 0;
    const inspect = atTheSocket(() => {
      if (++looks === 2) process.kill(target.pid, 'SIGQUIT');
    });
    await expectNoSignal(target, toolsOf({ inspect }));
  });

  it.runIf(isRoot)('a folder or link in the place of ours', async () => {
    const target = await shop(DOTNET);
    const victim = fs.mkdtempSync('/tmp/substrate-victim-');
    const folder = `/dev/shm/substrate-clr-${folderName(target)}`;
    made.push(victim, folder);
    fs.writeFileSync(path.join(victim, agent()), 'precious');
    fs.symlinkSync(victim, folder);
    // There is another place.
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    fs.symlinkSync(victim, folder.replace('/dev/shm', '/tmp'));
    made.push(folder.replace('/dev/shm', '/tmp'));
    expect(await refusal(target)).toMatchObject({ message: expect.stringMatching(/is in the way/) });
    expect(fs.readFileSync(path.join(victim, agent()), 'utf8')).toBe('precious');
    await expectUnharmed(target, DOTNET);
  });
});

describe('an agent that is there already', () => {
  it.each(WAYS)('of a daemon that was killed is found again on %s', async (clr) => {
    const target = await shop(clr);
    await drop(await driver.attach(target.info, toolsOf()));
    const tools = toolsOf();
    const probe = await again(target, tools);
    expect(tools.signals).toEqual([]);
    expect(tools.logged).toContain('found the agent of an earlier attach');
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, clr);
  });

  it.each(WAYS)('of a daemon that is attached stays with it on %s', async (clr) => {
    const target = await shop(clr);
    const probe = await driver.attach(target.info, toolsOf());
    expect(await refusal(target)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/Another substrate is attached/),
    });
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.each(WAYS)('goes to one of two daemons that come at once on %s', async (clr) => {
    const target = await shop(clr);
    const second = await oneAfterTheOther(() => driver.attach(target.info, toolsOf()));
    await expectToWork(second);
    expect(fs.readdirSync(`/dev/shm/substrate-clr-${folderName(target)}`)).toContain(REQUEST_WAKEUP);
    await second.detach();
    expect(leftovers(target)).toEqual([]);
    await expectUnharmed(target, clr);
  });

  it.each(WAYS)('of another build is replaced on %s', async (clr) => {
    const target = await shop(clr);
    const other = await loadOtherBuild(target, clr);
    const tools = toolsOf();
    const probe = await driver.attach(target.info, tools);
    expect(other.isOpen).toBe(false);
    expect(tools.logged).not.toContain('found the agent of an earlier attach');
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    await untilThreadsEnd(target);
    await expectUnharmed(target, clr);
  });

  /** The same agent under another name: the hash of its sources is in it as text, twice. */
  async function loadOtherBuild({ info }: Target, clr: Clr): Promise<ClrChannel> {
    const own = readAgentBuild();
    const hash = 'f'.repeat(own.build.length);
    const bytes = Buffer.from(own.assembly);
    for (const encoding of ['latin1', 'utf16le'] as const) {
      const at = bytes.indexOf(own.build, encoding);
      expect(at).toBeGreaterThan(0);
      bytes.write(hash, at, encoding);
    }
    const build = { ...own, build: hash, assembly: bytes };
    const details = inspector.details(info);
    const runtime = details && findRuntime(info, details);
    if (!details || !runtime) throw new Error('it is gone');
    const folder = openClrFolder(info, details, inspector);
    const name = `${assemblyName(hash)}.dll`;
    const prepare = () => prepareChannel(folder, new Map([[name, bytes]]));
    const program = readProgram(info, details, runtime, inspector);
    const tools = toolsOf();
    const injection =
      clr === 'mono'
        ? await runInMono(info, `${folder.path}/${name}`, folder.path, prepare, tools)
        : await injectCoreClr({ process: info, details, program, build, cpu: process.arch }, folder, prepare, tools);
    const channel = await connectAgent(folder, new Deadline(5000, tools.abort));
    injection.done();
    if (!channel) throw injection.failed();
    channel.abandon();
    await channel.closed;
    folder.close();
    return channel;
  }
});
