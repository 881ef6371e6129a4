import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildJvmAgent } from '../../scripts/jvm-agent.mjs';
import { SOCKET } from '../../src/probes/drivers/jvm/jvm-folder.ts';
import { encodeFrame, FrameDecoder } from '../../src/probes/support/framed/frame.ts';
import { classesOf, javaOf, jdks, MAIN_JDK, SHOP, startJava } from '../support/java.ts';
import { endAll, start, until } from '../support/real-processes.ts';
import { processInfo, type Target } from '../support/targets.ts';
import {
  capture,
  connect,
  folderOf,
  hello,
  helloAlone,
  load,
  loadAndConnect,
  sendRules,
  traces,
  untilGone,
} from './bare-agent.ts';

/** The first Java with unix sockets. */
const UNIX_SOCKETS = 16;
/** Java 9 keeps the classes of the first agent, although nothing refers to them. */
const UNLOADS = 11;
/** A warning of JVMs since 21, once for each library. */
const WARNING = /^WARNING: .*\n/gm;

beforeAll(() => {
  expect(buildJvmAgent()).not.toBeNull();
});
afterEach(endAll);

const isGone = (target: Target) => target.exitCode() !== null;

describe('the way in', () => {
  it.each(jdks().map(({ version }) => version))('leads into Java %i, twice, with no word of ours', async (jdk) => {
    const target = await startJava(SHOP, { jdk });
    const channelKind = jdk < UNIX_SOCKETS ? 'fifo' : 'unix';
    let afterFirst = '';
    for (let round = 0; round < 2; round++) {
      const folder = folderOf(target);
      const channel = await loadAndConnect(target, folder, { channel: channelKind });
      expect(await hello(channel)).toMatchObject({ protocol: 1, build: 'tested', native: true });
      expect(await capture(channel)).toMatchObject({ leaves: { kind: 'full' } });
      await channel.close();
      if (jdk >= UNLOADS) await untilGone(target, folder);
      else await until('the folder to go', () => !fs.existsSync(folder.path));
      if (round === 0) afterFirst = target.output();
    }
    expect(target.output()).toBe(afterFirst);
    expect(target.output().replace(WARNING, '')).toBe('open\n');
  });

  it('leads into a runtime that has java.base and nothing else', async () => {
    const target = await startOn(path.join(bareRuntime(), 'bin/java'));
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder);
    expect(await hello(channel)).toMatchObject({ native: true });
    expect(await capture(channel, true)).toMatchObject({ leaves: { kind: 'full' } });
    await channel.close();
    await untilGone(target, folder);
  });

  it.each(['library', 'jar'] as const)('is open below a SecurityManager: %s', async (way) => {
    const target = await startJava(SHOP, { options: ['-Djava.security.manager'], ready: /open\n/ });
    const channel = await loadAndConnect(target, folderOf(target), { way });
    expect(await hello(channel)).toMatchObject({ native: way === 'library' });
    await channel.close();
  });

  it('is the jar where the library cannot be loaded', async () => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const broken = { 'agent.so': Buffer.from('no library') };
    expect(await load(target, folder, { files: broken })).not.toMatch(/^return code: 0/);
    const channel = await loadAndConnect(target, folder, { way: 'jar' });
    expect(await hello(channel)).toMatchObject({ native: false });
    expect(await capture(channel, true)).toMatchObject({ leaves: { kind: 'full' } });
    await channel.close();
    await until('the folder to go', () => !fs.existsSync(folder.path));
    // These cannot be unloaded: the JVM has added their jar to the class path.
    const { classes, threads } = await until('the agent to go', async () => {
      const left = await traces(target);
      return left.threads.length === 0 && left.classes.every((name) => name.startsWith('substrate.boot.')) && left;
    });
    expect(classes).toContain('substrate.boot.Boot');
    expect(threads).toEqual([]);
  });

  it.each(['library', 'jar'] as const)('says in a file why it is closed: %s', async (way) => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const answer = await load(target, folder, { way, files: { 'payload.jar': Buffer.alloc(0) } });
    expect(answer).toBe(way === 'library' ? 'return code: 16\n' : 'return code: 0\n');
    expect(folder.reason()).toContain('substrate.agent');
    expect(fs.statSync(`${folder.path}/error`).mode & 0o777).toBe(0o600);
    expect(target.output()).toBe('open\n');
    const channel = await loadAndConnect(target, folder, { way });
    await hello(channel);
    await channel.close();
  });

  it('prints nothing when the JVM checks every JNI call', async () => {
    const target = await startJava(SHOP, { options: ['-Xcheck:jni'], ready: /open\n/ });
    const before = target.output();
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder);
    await hello(channel);
    for (let round = 0; round < 5; round++) await capture(channel);
    await channel.close();
    await untilGone(target, folder);
    expect(target.output()).toBe(before);
  });
});

describe('the way out', () => {
  it('leaves nothing, however often', async () => {
    const target = await startJava(SHOP);
    for (let round = 0; round < 5; round++) {
      const folder = folderOf(target);
      const channel = await loadAndConnect(target, folder);
      await hello(channel);
      await capture(channel);
      expect((await traces(target)).threads).toContain('"substrate-agent"');
      await channel.close();
      await untilGone(target, folder);
    }
    expect((await traces(target)).libraries).toBeLessThanOrEqual(1);
    expect(target.output()).toBe('open\n');
  });

  it('is taken when no daemon has come for the time of the lease', async () => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder, { leaseMs: 300 });
    await hello(channel);
    // Longer than the lease: a connection keeps it.
    const start = performance.now();
    while (performance.now() - start < 600) await capture(channel);
    channel.abandon();
    await untilGone(target, folder);
  });
});

describe('connections', () => {
  it.each(['unix', 'fifo'] as const)('come again without a load: %s', async (kind) => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const first = await loadAndConnect(target, folder, { channel: kind });
    await hello(first);
    await capture(first);
    first.abandon();
    await first.closed;
    const second = await untilServed(folder);
    expect(await capture(second)).toMatchObject({ leaves: { kind: 'full' }, roots: { added: expect.any(Array) } });
    expect(await capture(second)).toMatchObject({ roots: null, beans: null });
    await second.close();
    await untilGone(target, folder);
  });

  it('get nothing before they have sent the rules', async () => {
    const target = await startJava(SHOP);
    const channel = await loadAndConnect(target, folderOf(target));
    const { main } = await helloAlone(channel);
    await expect(capture(channel)).rejects.toThrow('the rules of the walk have not come');
    await sendRules(channel, main);
    expect(await capture(channel)).toMatchObject({ leaves: { kind: 'full' } });
    await channel.close();
  });

  it('come one at a time', async () => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const first = await loadAndConnect(target, folder);
    await hello(first);
    const second = await connect(folder);
    await expect(hello(second)).rejects.toThrow('busy');
    await second.closed;
    expect(await capture(first)).toMatchObject({ leaves: { kind: 'full' } });
    expect(fs.statSync(`${folder.path}/${SOCKET}`).mode & 0o777).toBe(0o600);
    await first.close();
  });

  it('that send anything but frames of ours end, and harm nobody', async () => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder);
    channel.abandon();
    await channel.closed;
    const frames = fc.oneof(
      fc.uint8Array({ minLength: 5, maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
      fc.string().map((text) => encodeFrame(text)),
      fc.json().map((text) => encodeFrame(text)),
      fc.json().map((value) => encodeFrame(`{"id":1,"op":"capture","full":${value}}`)),
      fc.json().map((value) => encodeFrame(`{"id":${value},"op":"hello","maxKeys":${value}}`)),
      fc.constantFrom(Buffer.from([255, 255, 255, 255, 1]), Buffer.from([0, 0, 0, 7, 1, 2, 3])),
    );
    await fc.assert(
      fc.asyncProperty(frames, async (bytes) => {
        await sendAndEnd(folder.at(SOCKET), bytes);
        expect(isGone(target)).toBe(false);
      }),
      { numRuns: 60 },
    );
    const good = await untilServed(folder);
    expect(await capture(good)).toMatchObject({ leaves: { kind: 'full' } });
    expect(target.output()).toBe('open\n');
    await good.close();
    await untilGone(target, folder);
  });

  it('carry any JSON, both ways', async () => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    await load(target, folder);
    await until('the socket', () => fs.existsSync(folder.at(SOCKET)));
    const socket = net.connect(folder.at(SOCKET));
    const decoder = new FrameDecoder();
    let receive: (text: string) => void = () => {};
    socket.on('data', (chunk) => {
      for (const text of decoder.push(chunk)) receive(text);
    });
    const ask = async (text: string) => {
      const answer = new Promise<string>((resolve) => {
        receive = resolve;
      });
      socket.write(encodeFrame(text));
      return JSON.parse(await answer);
    };
    expect(await ask('{"id":1,"op":"hello","maxKeys":1000}')).toHaveProperty('result');
    // The number of a request comes back unchanged, whatever it is.
    const isExact = (value: unknown) => typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
    const scalars = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.constant(null),
    );
    const values = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, scalars.filter(isExact), tie('list'), tie('map')),
      list: fc.array(tie('value'), { maxLength: 5 }),
      map: fc.array(fc.tuple(fc.string(), tie('value')), { maxLength: 5 }).map(Object.fromEntries),
    })).value;
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const answer = await ask(`{"id":${JSON.stringify(value)},"op":"none"}`);
        expect(JSON.stringify(answer.id)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
    socket.destroy();
  });

  it('go to the agent that was loaded last', async () => {
    const target = await startJava(SHOP);
    const folder = folderOf(target);
    const first = await loadAndConnect(target, folder, { build: 'older' });
    expect(await hello(first)).toMatchObject({ build: 'older' });
    const second = await loadAndConnect(target, folder, { build: 'newer', way: 'jar' });
    await first.closed;
    expect(await hello(second)).toMatchObject({ build: 'newer' });
    const { threads } = await traces(target);
    expect(threads.filter((name) => name === '"substrate-agent"')).toHaveLength(1);
    await second.close();
  });
});

/** A new connection: the agent needs a moment to notice the end of the one before. */
function untilServed(folder: ReturnType<typeof folderOf>) {
  return until('a connection that is served', async () => {
    const candidate = await connect(folder);
    return hello(candidate).then(
      () => candidate,
      () => null,
    );
  });
}

/** Sends only these bytes; resolves when the connection has ended on both sides. */
function sendAndEnd(path: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(path);
    socket.resume();
    // The agent may close before it has read everything.
    const isEnd = (code?: string) => code === 'EPIPE' || code === 'ECONNRESET';
    socket.once('error', (error: NodeJS.ErrnoException) => (isEnd(error.code) ? resolve() : reject(error)));
    socket.once('close', () => resolve());
    socket.end(bytes);
  });
}

/** A Java with only the module java.base. */
function bareRuntime(): string {
  const jlink = path.join(path.dirname(fs.realpathSync(javaOf(MAIN_JDK))), 'jlink');
  const folder = path.resolve(import.meta.dirname, '../../.cache/java-base');
  if (fs.existsSync(path.join(folder, 'bin/java'))) return folder;
  const { status, stderr } = spawnSync(jlink, ['--add-modules', 'java.base', '--output', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return folder;
}

async function startOn(java: string): Promise<Target> {
  const { pid, child } = start(java, ['-cp', classesOf(SHOP.target), SHOP.main], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  await until('java to be ready', () => output.includes('\n'));
  return {
    pid,
    info: await processInfo(pid),
    output: () => output,
    exited: new Promise((resolve) => child.once('exit', resolve)),
    exitCode: () => child.exitCode,
    write: () => {},
  };
}
