import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { configSchema } from '../../src/config-schema.ts';
import { createHost } from '../../src/host/host.ts';
import { NO_TRACE } from '../../src/model/trace.ts';
import { readAgentBuild } from '../../src/probes/drivers/jvm/agent-build.ts';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { HotSpot } from '../../src/probes/drivers/jvm/hotspot-attach.ts';
import { FIFO_IN, FIFO_OUT, JVM_FOLDER, SOCKET, TMP } from '../../src/probes/drivers/jvm/jvm-folder.ts';
import { readVmFacts } from '../../src/probes/drivers/jvm/vm-facts.ts';
import { AttachError, type AttachTools, type Probe } from '../../src/probes/probe.ts';
import { createDrivers } from '../../src/probes/registry.ts';
import { AgentFolder } from '../../src/probes/support/agent-files/agent-folder.ts';
import { openSeenBy } from '../../src/probes/support/agent-files/held-folder.ts';
import { InjectedProbe } from '../../src/probes/support/injected/injected-probe.ts';
import { fast, full } from '../contract/probe-contract.ts';
import { AMPLE } from '../support/budget.ts';
import { javaOf, jdks, SHOP, startJava } from '../support/java.ts';
import { removeCopies } from '../support/programs.ts';
import { canUnshare, end, endAll, start, until } from '../support/real-processes.ts';
import { processInfo, type Target } from '../support/targets.ts';
import { oneAfterTheOther } from '../support/two-daemons.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const driver = createJvmDriver(jvm.settings.parse({}));
const { inspector, signal } = createHost();
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;
const ALL_JDKS = jdks().map(({ version }) => version);
/** Sockets, and FIFOs. */
const BOTH_CHANNELS = ALL_JDKS.filter((version) => version === 9 || version === 17);

const targets: Target[] = [];
afterEach(async () => {
  await endAll();
  removeCopies();
  for (const target of targets.splice(0)) expect(target.output()).not.toContain('Full thread dump');
});

async function shop(launch: Parameters<typeof startJava>[1] = {}): Promise<Target> {
  const target = await startJava(SHOP, launch);
  targets.push(target);
  return target;
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
  expect((await probe.capture(fast())).leaves.kind).toBe('same');
}

/** Our files in the /tmp of a process. */
function leftovers({ info }: Target): string[] {
  const pid = inspector.details(info)?.namespacePid ?? info.pid;
  const names = fs.readdirSync(inspector.resolvePath(info, '/tmp'));
  return names.filter((name) => name === `.attach_pid${pid}` || name.startsWith(`substrate-jvm-${pid}-`));
}

const folderOf = ({ info }: Target) => `/tmp/substrate-jvm-${info.pid}-${info.startTime}`;

/** Like a daemon that is killed: the connection ends without a message. */
function drop(probe: Probe): Promise<void> {
  if (!(probe instanceof InjectedProbe)) throw new Error('this probe has no agent that could stay');
  probe.abandon();
  return probe.closed;
}

describe('attaching', () => {
  it.each(ALL_JDKS)('to Java %i', async (jdk) => {
    const target = await shop({ jdk });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    expect(fs.readdirSync(folderOf(target)).filter((name) => /jar$|so$/.test(name))).toEqual([]);
    await probe.detach();
    await probe.closed;
    expect(leftovers(target)).toEqual([]);
    if (jdk < 21) expect(target.output()).toBe('open\n');
  });

  it.each(ALL_JDKS)('and detaching leave nothing in Java %i', async (jdk) => {
    const target = await shop({ jdk });
    for (let round = 0; round < 3; round++) {
      const probe = await driver.attach(target.info, toolsOf());
      await probe.capture(full());
      await probe.detach();
    }
    expect(leftovers(target)).toEqual([]);
    await until('the threads to end', () =>
      inspector.details(target.info)?.threads.every((name) => !name.startsWith('substrate')),
    );
    const facts = readVmFacts(target.info, inspector);
    if (!facts) throw new Error('it is gone');
    const hotSpot = await HotSpot.open(target.info, facts, toolsOf());
    // Java 9 keeps the last of them until the next one comes.
    const kept = jdk < 11 ? 1 : 0;
    await until('its classes to be collected', async () => {
      const { text } = await hotSpot.command('jcmd', 'GC.class_histogram');
      const [, loaders = '0'] = /^ *\d+: +(\d+) .* substrate\.boot\.Boot\$Loader\b/m.exec(text) ?? [];
      return text.includes('java.lang.String') && Number(loaders) <= kept && (kept > 0 || !text.includes('substrate.'));
    });
    hotSpot.close();
  });

  it.runIf(isRoot).each(BOTH_CHANNELS)('as root to a program of another user on Java %i', async (jdk) => {
    const target = await shop({ jdk, uid: NOBODY, cwd: '/tmp' });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    expect(fs.statSync(folderOf(target))).toMatchObject({ uid: NOBODY, gid: NOBODY });
    expect(fs.statSync(folderOf(target)).mode & 0o777).toBe(0o700);
    expect(process.geteuid?.()).toBe(0);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.runIf(isRoot)('in spite of the socket that a killed program of another user left', async () => {
    const target = await shop({ uid: NOBODY, cwd: '/tmp' });
    const socket = `/tmp/.java_pid${target.pid}`;
    const listen = `require('node:net').createServer().listen(${JSON.stringify(socket)}, () => console.log('there'))`;
    const former = start(process.execPath, ['-e', listen]);
    await new Promise((resolve) => former.child.stdout?.once('data', resolve));
    expect(await refusal(target)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/of another user is in the place/),
    });
    await end(former);
    expect(fs.statSync(socket).uid).toBe(0);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it.runIf(isRoot)('as anybody else to a program of another user is refused', async () => {
    const target = await shop();
    process.seteuid?.(NOBODY);
    try {
      expect(await refusal(target)).toMatchObject({
        retry: false,
        message: expect.stringMatching(/belongs to another user/),
      });
    } finally {
      process.seteuid?.(0);
    }
  });

  it.runIf(canUnshare()).each(BOTH_CHANNELS)('into a container on Java %i', async (jdk) => {
    const target = await shop({ jdk, by: container('rw') });
    expect(inspector.details(target.info)?.namespacePid).toBe(1);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.runIf(canUnshare())('where no library may be loaded takes the jar', async () => {
    const target = await shop({ by: container('rw,noexec') });
    const tools = toolsOf();
    const probe = await driver.attach(target.info, tools);
    expect(tools.logged).toContain('the native agent was not loaded');
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    // A daemon that stops before it can open the jar has announced it: it finds it all the same.
    process.kill(target.pid, 'SIGSTOP');
    await refusal(target, toolsOf({ abort: AbortSignal.timeout(200) }));
    process.kill(target.pid, 'SIGCONT');
    const second = await driver.attach(target.info, toolsOf());
    await expectToWork(second);
    await second.detach();
    expect(leftovers(target)).toEqual([]);
    expect(target.output()).toBe('open\n');
  });

  it.runIf(isRoot && canUnshare())('where /tmp cannot be written is refused, with the reason', async () => {
    const target = await shop({ by: container('rw', 'mount -o remount,ro /tmp') });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      message: expect.stringMatching(/\/tmp of the Java program \(EROFS\)/),
    });
    expect(tools.signals).toEqual([]);
  });

  /**
   * With a /tmp of its own, mounted with these options. The program must stay visible, even if this project is in /tmp.
   */
  function container(options: string, then = 'true'): string[] {
    const tmpfs = `mount -t tmpfs -o ${options} tmpfs /tmp`;
    const prepare = ROOT.startsWith('/tmp/')
      ? `mount --rbind ${ROOT} /mnt && ${tmpfs} && mkdir -p ${ROOT} && mount --move /mnt ${ROOT}`
      : tmpfs;
    const script = `${prepare} && ${then} && exec "$0" "$@"`;
    return ['unshare', '-rmpnf', '--kill-child', '--mount-proc', 'sh', '-c', script];
  }
});

describe('options of the JVM', () => {
  it.each<[string, Parameters<typeof startJava>[1]]>([
    ['on the command line', { options: ['-XX:+DisableAttachMechanism'] }],
    ['in the environment', { env: { JAVA_TOOL_OPTIONS: '-XX:+DisableAttachMechanism' } }],
    ['without performance data', { options: ['-XX:-UsePerfData', '-XX:+DisableAttachMechanism'] }],
    [
      'in the environment, without performance data',
      {
        options: ['-XX:-UsePerfData'],
        env: { JDK_JAVA_OPTIONS: '-Xmx64m -XX:+DisableAttachMechanism' },
      },
    ],
    [
      'though a variable that counts less takes it back',
      {
        options: ['-XX:-UsePerfData', '-XX:+DisableAttachMechanism'],
        env: { JAVA_TOOL_OPTIONS: '-XX:-DisableAttachMechanism' },
      },
    ],
    ['in a file of flags', { options: ['-XX:-UsePerfData', `-XX:Flags=${flagsFile()}`] }],
  ])('forbid the attach %s: the program is not signalled', async (_, launch) => {
    const target = await shop({ ...launch, ready: /open/ });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/-XX:\+DisableAttachMechanism/),
    });
    expect(tools.signals).toEqual([]);
    expect(leftovers(target)).toEqual([]);
  });

  function flagsFile(): string {
    const file = path.resolve('.cache/java/no-attach.flags');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, '+DisableAttachMechanism\n');
    return file;
  }

  it('are not those of a process that is gone and had the same number', async () => {
    const target = await shop({ options: ['-XX:-UsePerfData', '-XX:+DisableAttachMechanism'] });
    const other = await shop();
    const file = inspector.details(other.info)?.modules.find((mapped) => mapped.endsWith(`/${other.pid}`)) ?? '';
    const stale = path.join(path.dirname(file), String(target.pid));
    fs.copyFileSync(file, stale);
    try {
      const tools = toolsOf();
      expect(await refusal(target, tools)).toMatchObject({
        retry: false,
        message: expect.stringMatching(/-XX:\+DisableAttachMechanism/),
      });
      expect(tools.signals).toEqual([]);
    } finally {
      fs.rmSync(stale);
    }
  });

  it('that were put into the runtime image are not seen: the program is not signalled', async () => {
    const target = await shop({ java: hardenedJava() });
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({
      message: expect.stringMatching(/is not known whether this JVM accepts attaches/),
    });
    expect(tools.signals).toEqual([]);
  });

  /** A runtime whose maker has switched off everything that is visible from outside. */
  function hardenedJava(): string {
    const folder = path.resolve('.cache/java-hardened');
    const java = path.join(folder, 'bin/java');
    if (fs.existsSync(java)) return java;
    const jlink = path.join(path.dirname(fs.realpathSync(javaOf(17))), 'jlink');
    const options = '--add-options=-XX:-UsePerfData -XX:+DisableAttachMechanism';
    const { stderr } = spawnSync(jlink, ['--add-modules', 'java.base', options, '--output', folder], {
      encoding: 'utf8',
    });
    if (!fs.existsSync(java)) throw new Error(stderr);
    return java;
  }

  it('that cannot be known forbid it, too', async () => {
    const target = await shop({ options: ['-XX:-UsePerfData'] });
    const inspect = Object.assign(createHost().inspector, { kernelFile: () => null });
    const tools = toolsOf({ inspect });
    expect(await refusal(target, tools)).toMatchObject({
      message: expect.stringMatching(/is not known whether this JVM accepts attaches/),
    });
    expect(tools.signals).toEqual([]);
  });

  it.each(ALL_JDKS)('forbid agents on Java %i', async (jdk) => {
    const target = await shop({ jdk, options: ['-XX:-EnableDynamicAgentLoading'] });
    expect(await refusal(target)).toMatchObject({
      retry: false,
      message: expect.stringMatching(/-XX:-EnableDynamicAgentLoading/),
    });
    expect(leftovers(target)).toEqual([]);
  });

  it.each(ALL_JDKS)('hide the performance data on Java %i: it is attached all the same', async (jdk) => {
    const target = await shop({ jdk, options: ['-XX:-UsePerfData'] });
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it('leave the signals alone: the socket is there from the start', async () => {
    const target = await shop({ options: ['-Xrs'] });
    const tools = toolsOf();
    const probe = await driver.attach(target.info, tools);
    expect(tools.signals).toEqual([]);
    await expectToWork(probe);
    await probe.detach();
  });
});

describe('a JVM at a bad moment', () => {
  it('that has just started is attached, or refused and attached a little later', async () => {
    for (let round = 0; round < 10; round++) {
      const { child, pid } = start(
        javaOf(17),
        ['-Xshare:auto', '-cp', path.join(process.cwd(), '.cache/java/shop'), SHOP.main],
        {
          stdio: ['pipe', 'pipe', 'pipe'],
        },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
      const info = await processInfo(pid);
      await until('the library of the JVM', () => driver.recognise(info, inspector) !== null);
      const probe = await until('the attach', () =>
        driver.attach(info, toolsOf()).catch((error: unknown) => {
          if (error instanceof AttachError && error.retry) return null;
          throw error;
        }),
      );
      await expectToWork(probe);
      await probe.detach();
      expect(child.exitCode ?? child.signalCode).toBeNull();
      expect(output).not.toMatch(/thread dump|Exception|Error/);
      child.kill('SIGKILL');
    }
  });

  it('that is stopped is not signalled', async () => {
    const target = await shop();
    process.kill(target.pid, 'SIGSTOP');
    await until('it to stop', () => inspector.details(target.info)?.stopped);
    const tools = toolsOf();
    expect(await refusal(target, tools)).toMatchObject({ retry: true, message: expect.stringMatching(/is stopped/) });
    expect(tools.signals).toEqual([]);
    process.kill(target.pid, 'SIGCONT');
    await until('it to run', () => inspector.details(target.info)?.stopped === false);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it('that is stopped with the signal on its way finds the trigger when it goes on', async () => {
    const target = await shop();
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
    expect(leftovers(target)).toEqual([`.attach_pid${target.pid}`]);
    process.kill(target.pid, 'SIGCONT');
    await until('the trigger to be removed', () => leftovers(target).length === 0);
    const tools = toolsOf();
    const probe = await driver.attach(target.info, tools);
    expect(tools.signals).toEqual([]);
    await expectToWork(probe);
    await probe.detach();
  });

  it('that ends later leaves no folder', async () => {
    const target = await shop();
    const probe = await driver.attach(target.info, toolsOf());
    expect(fs.existsSync(folderOf(target))).toBe(true);
    process.kill(target.pid, 'SIGKILL');
    await probe.closed;
    await until('the folder to be removed', () => !fs.existsSync(folderOf(target)));
    expect(fs.existsSync(`/tmp/.java_pid${target.pid}`)).toBe(false);
    await probe.detach();
  });

  it.each(BOTH_CHANNELS)(
    'that ends by itself leaves no folder, whatever became of the daemon: Java %i',
    async (jdk) => {
      const target = await shop({ jdk });
      await drop(await driver.attach(target.info, toolsOf()));
      expect(fs.existsSync(folderOf(target))).toBe(true);
      target.write('q');
      expect(await target.exited).toBe(0);
      expect(fs.existsSync(folderOf(target))).toBe(false);
      expect(target.output()).toBe('open\nclosed after 0\n');
    },
  );

  it('that does not answer holds up nobody who stops', async () => {
    const target = await shop();
    const stop = new AbortController();
    const stopping = toolsOf({
      abort: stop.signal,
      signal(ref, name) {
        process.kill(ref.pid, 'SIGSTOP');
        signal(ref, name);
        stop.abort();
      },
    });
    expect(await refusal(target, stopping)).toMatchObject({
      message: expect.stringMatching(/given up, because substrate stops/),
    });
    expect(leftovers(target)).toEqual([`.attach_pid${target.pid}`]);
    process.kill(target.pid, 'SIGCONT');
    await until('the trigger to be removed', () => leftovers(target).length === 0);
    const late = toolsOf({ abort: AbortSignal.abort() });
    expect(await refusal(target, late)).toMatchObject({
      message: expect.stringMatching(/given up, because substrate stops/),
    });
    expect(leftovers(target)).toEqual([]);
  });

  it.runIf(isRoot).each(BOTH_CHANNELS)('that has no room for another thread says so: Java %i', async (jdk) => {
    const target = await shop({ jdk, uid: NOBODY, cwd: '/tmp' });
    await (await driver.attach(target.info, toolsOf())).detach();
    await until('the agent to be gone', () =>
      inspector.details(target.info)?.threads.every((name) => !name.startsWith('substrate')),
    );
    const openFiles = () => fs.readdirSync(`/proc/${target.pid}/fd`).length;
    const before = openFiles();
    const [, most] = /^Max processes +\S+ +(\S+)/m.exec(fs.readFileSync(`/proc/${target.pid}/limits`, 'utf8')) ?? [];
    const limit = (count = '') => {
      const args = ['--pid', String(target.pid), `--nproc=${count}:`];
      expect(spawnSync('prlimit', args, { uid: NOBODY, gid: NOBODY }).status).toBe(0);
    };
    limit('1');
    expect(await refusal(target)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/could not start.*thread/),
    });
    // The JVM ends the connection a moment before it closes the file.
    await until('its files to be closed', () => openFiles() <= before);
    expect(leftovers(target)).toEqual([]);
    limit(most);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it('that ends meanwhile is reported as ended', async () => {
    const target = await shop();
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
    // A dying one may look alive for a moment.
    await until('nothing to be left', () => leftovers(target).length === 0);
    expect(fs.existsSync(`/tmp/.java_pid${target.pid}`)).toBe(false);
  });
});

describe('what others left in /tmp', () => {
  it('a socket of a process that is gone', async () => {
    const target = await shop();
    const socket = `/tmp/.java_pid${target.pid}`;
    const listen = `require('net').createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen]);
    expect(fs.lstatSync(socket).isSocket()).toBe(true);
    const probe = await driver.attach(target.info, toolsOf());
    await expectToWork(probe);
    await probe.detach();
  });

  it('a trigger of a daemon that was killed, whose signal is on its way: it is not signalled again', async () => {
    const target = await shop();
    fs.writeFileSync(`/tmp/.attach_pid${target.pid}`, '');
    process.kill(target.pid, 'SIGQUIT');
    const tools = toolsOf();
    const probe = await driver.attach(target.info, tools);
    expect(tools.signals).toEqual([]);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.runIf(isRoot)('a trigger of another user: the program is not signalled', async () => {
    const target = await shop();
    const trigger = `/tmp/.attach_pid${target.pid}`;
    fs.writeFileSync(trigger, '');
    fs.chownSync(trigger, NOBODY, NOBODY);
    try {
      const tools = toolsOf();
      expect(await refusal(target, tools)).toMatchObject({
        retry: true,
        message: expect.stringMatching(/of another user is in the way/),
      });
      expect(tools.signals).toEqual([]);
    } finally {
      fs.rmSync(trigger);
    }
    await (await driver.attach(target.info, toolsOf())).detach();
  });

  it.runIf(isRoot)('a folder or link in the place of ours', async () => {
    const target = await shop();
    const folder = folderOf(target);
    const victim = fs.mkdtempSync('/tmp/substrate-victim-');
    fs.writeFileSync(path.join(victim, 'payload.jar'), 'precious');
    try {
      fs.symlinkSync(victim, folder);
      expect(await refusal(target)).toMatchObject({ message: expect.stringMatching(/is in the way/) });
      fs.rmSync(folder);
      fs.mkdirSync(folder);
      fs.chownSync(folder, NOBODY, NOBODY);
      expect(await refusal(target)).toMatchObject({ message: expect.stringMatching(/is in the way/) });
      fs.rmdirSync(folder);
      expect(fs.readFileSync(path.join(victim, 'payload.jar'), 'utf8')).toBe('precious');
      await (await driver.attach(target.info, toolsOf())).detach();
    } finally {
      fs.rmSync(victim, { recursive: true });
    }
  });

  it('folders of processes that are gone are swept, those in use are not', async () => {
    const past = new Date(Date.now() - 3_600_000);
    const [gone, used] = ['/tmp/substrate-jvm-999999991-1', '/tmp/substrate-jvm-999999992-1'];
    for (const folder of [gone, used]) fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(`${gone}/payload.jar`, '');
    const listener = start(process.execPath, ['-e', `require('net').createServer().listen('${used}/agent.sock')`]);
    await until('a listener', () => fs.existsSync(`${used}/agent.sock`));
    for (const folder of [gone, used]) fs.utimesSync(folder, past, past);
    const target = await shop();
    const probe = await driver.attach(target.info, toolsOf());
    await until('the sweep', () => !fs.existsSync(gone));
    expect(fs.existsSync(used)).toBe(true);
    await probe.detach();
    listener.child.kill('SIGKILL');
    fs.rmSync(used, { recursive: true });
  });
});

describe('what a daemon left that was killed before its Java programs were', () => {
  const past = new Date(Date.now() - 3_600_000);
  const made: string[] = [];
  afterEach(() => {
    for (const file of made.splice(0)) fs.rmSync(file, { recursive: true, force: true });
  });
  const folder = (name: string, owner = process.getuid?.() ?? 0) => {
    const file = `/tmp/${name}`;
    fs.mkdirSync(file, { mode: 0o700 });
    made.push(file);
    if (isRoot) fs.chownSync(file, owner, owner);
    fs.utimesSync(file, past, past);
    return file;
  };

  it('goes when the next one looks at the first process; what is in use, young or a link stays', async () => {
    const target = await shop();
    const socket = '/tmp/.java_pid999999993';
    const listen = `require('net').createServer().listen('${socket}', () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', listen]);
    const link = '/tmp/substrate-jvm-999999996-1';
    made.push(link, socket);
    const precious = folder('substrate-precious');
    fs.writeFileSync(`${precious}/file`, '');
    fs.symlinkSync(precious, link);
    const alive = folder(`substrate-jvm-${target.pid}-${target.info.startTime}`);
    const young = folder('substrate-jvm-999999995-1');
    fs.utimesSync(young, new Date(), new Date());
    const gone = folder('substrate-jvm-999999993-1');
    const others = isRoot ? folder('substrate-jvm-999999994-1', NOBODY) : gone;
    const drivers = await createDrivers(configSchema.parse({}).probe);
    drivers.recognise(await processInfo(process.pid), inspector);
    await until('the sweep', () => !fs.existsSync(gone) && !fs.existsSync(others));
    await until('the socket to go', () => !fs.existsSync(socket));
    for (const file of [alive, young, link, `${precious}/file`]) expect(fs.existsSync(file)).toBe(true);
  });
});

describe('an agent that is there already', () => {
  it.each(BOTH_CHANNELS)('of a daemon that was killed is found again on Java %i', async (jdk) => {
    const target = await shop({ jdk });
    await drop(await driver.attach(target.info, toolsOf()));
    const tools = toolsOf();
    const probe = await until('the attach', () =>
      driver.attach(target.info, tools).catch((error: unknown) => {
        // The agent needs a moment to notice the end of the first connection.
        if (error instanceof AttachError && /Another substrate/.test(error.message)) return null;
        throw error;
      }),
    );
    expect(tools.signals).toEqual([]);
    expect(tools.logged).toContain('found the agent of an earlier attach');
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.each(BOTH_CHANNELS)('of a daemon that is attached stays with it on Java %i', async (jdk) => {
    const target = await shop({ jdk });
    const probe = await driver.attach(target.info, toolsOf());
    expect(await refusal(target)).toMatchObject({
      retry: true,
      message: expect.stringMatching(/Another substrate is attached/),
    });
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
  });

  it.each(BOTH_CHANNELS)('goes to one of two daemons that come at once on Java %i', async (jdk) => {
    const target = await shop({ jdk });
    const second = await oneAfterTheOther(() => driver.attach(target.info, toolsOf()));
    await expectToWork(second);
    expect(fs.readdirSync(folderOf(target))).toContain(jdk < 16 ? FIFO_IN : SOCKET);
    await second.detach();
    expect(leftovers(target)).toEqual([]);
    expect(target.output()).toBe('open\n');
  });

  it.each(BOTH_CHANNELS)('of another build is replaced on Java %i', async (jdk) => {
    const target = await shop({ jdk });
    await loadOtherBuild(target, jdk < 16);
    const tools = toolsOf();
    const probe = await driver.attach(target.info, tools);
    expect(tools.logged).not.toContain('found the agent of an earlier attach');
    await expectToWork(probe);
    await probe.detach();
    expect(leftovers(target)).toEqual([]);
    await until('the threads of both to end', () =>
      inspector.details(target.info)?.threads.every((name) => !name.startsWith('substrate')),
    );
  });

  async function loadOtherBuild({ info }: Target, usesFifos: boolean): Promise<void> {
    const facts = readVmFacts(info, inspector);
    const build = readAgentBuild();
    const library = build.library(process.arch);
    if (!facts || !library) throw new Error('nothing to load');
    const folder = AgentFolder.open(JVM_FOLDER, info, facts.details, openSeenBy(info, TMP, inspector));
    folder.put(
      new Map([
        ['payload.jar', build.payload],
        ['other.so', library],
      ]),
      usesFifos ? [FIFO_IN, FIFO_OUT] : [],
    );
    const hotSpot = await HotSpot.open(info, facts, toolsOf());
    const args = `folder=${folder.path};channel=${usesFifos ? 'fifo' : 'unix'};build=other`;
    expect((await hotSpot.command('load', `${folder.path}/other.so`, 'true', args)).text).toMatch(/\b0\b/);
    hotSpot.close();
    folder.removeLoaded();
    folder.close();
  }
});
