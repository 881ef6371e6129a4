/** The channel to the agent, between this process and real programs. */
import fs from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildClrAgent } from '../../scripts/clr-agent.mjs';
import { type ClrChannel, connectAgent, findAgent } from '../../src/probes/drivers/clr/channel/channel.ts';
import type { AgentFolder } from '../../src/probes/support/agent-files/agent-folder.ts';
import { Deadline } from '../../src/probes/support/agent-files/deadline.ts';
import { AgentBusy } from '../../src/probes/support/agent-files/lock.ts';
import { encodeFrame } from '../../src/probes/support/framed/frame.ts';
import { startAttacher } from '../support/attacher.ts';
import { type Clr, DOTNET, startDotnet } from '../support/dotnet.ts';
import { removeCopies } from '../support/programs.ts';
import { canUnshare, endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import {
  capture,
  connect,
  folderOf,
  hello,
  helloAlone,
  loadAndConnect,
  removeFolders,
  sendRules,
  traces,
  untilGone,
} from './bare-agent.ts';
import { RawDaemon } from './raw-daemon.ts';

const BOTH: readonly Clr[] = ['mono', DOTNET];
const AREA = 61_440;
const AT_LEASE = 12;
const SMALLEST = 2 * 65_536;
const LARGEST = 65_536 + 1024 * 1024;
const never = new AbortController().signal;

beforeAll(() => {
  expect(buildClrAgent()).not.toBeNull();
});
afterEach(async () => {
  await endAll();
  removeFolders();
  removeCopies();
});

/** The agent returns the name of an unknown operation: a message of any size, both ways. */
function echo(channel: ClrChannel, bytes: number): Promise<string> {
  const op = 'x'.repeat(bytes);
  const body = { op } as unknown as Parameters<ClrChannel['call']>[0];
  return channel.call(body, AbortSignal.timeout(30_000)).then(
    () => 'answered',
    (error: Error) => error.message,
  );
}

const ECHOED = /^unknown operation x{200}/;

/** A daemon that attaches in a process of its own. */
const ATTACHER = `
  import { clr } from './src/probes/drivers/clr/declaration.ts';
  import { createClrDriver } from './src/probes/drivers/clr/driver.ts';
  const probe = await createClrDriver(clr.settings.parse({})).attach(info, tools);
  await probe.capture({ depth: 'fast', full: true, signal: AbortSignal.timeout(25_000) });
  console.log('attached');
`;

/** The lease of a running agent, see Channel.cs: minutes are too long for a test. */
function setLease(folder: AgentFolder, ms: number): void {
  const lease = Buffer.alloc(4);
  lease.writeInt32LE(ms);
  const file = fs.openSync(folder.at('chan'), 'r+');
  fs.writeSync(file, lease, 0, lease.length, AT_LEASE);
  fs.closeSync(file);
}

/** Its lock is free only after it is closed. */
async function loadAndLeave(target: Target, folder: AgentFolder): Promise<void> {
  const channel = await loadAndConnect(target, folder);
  channel.abandon();
  await channel.closed;
}

describe.each(BOTH)('messages to and from %s', (clr) => {
  it('are of any length, and the file is small again after them', async () => {
    const target = await startDotnet(clr, 'shop');
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder);
    const size = () => fs.statSync(folder.at('chan')).size;
    await hello(channel);
    expect(size()).toBe(SMALLEST);
    // Within, at and beyond the areas, and in parts.
    for (const length of [300, 61_400, AREA, 65_536, 200_000]) expect(await echo(channel, length)).toMatch(ECHOED);
    expect(size()).toBe(5 * 65_536);
    expect(await echo(channel, 9_000_000)).toMatch(ECHOED);
    expect(size()).toBe(LARGEST);
    await capture(channel);
    expect(size()).toBe(SMALLEST);
    await channel.close();
    await untilGone(target, folder);
  });

  it('do not wait for each other', async () => {
    const target = await startDotnet(clr, 'shop');
    const channel = await loadAndConnect(target, folderOf(target));
    await hello(channel);
    const answers = await Promise.all([
      echo(channel, 3_000_000),
      ...Array.from({ length: 10 }, () => capture(channel)),
      echo(channel, 400),
      echo(channel, 100_000),
    ]);
    expect(answers.filter((answer) => typeof answer === 'string' && ECHOED.test(answer))).toHaveLength(3);
    await channel.close();
  });

  it('go in small parts where there is no room, and nobody dies of it', async (context) => {
    if (process.getuid?.() !== 0 || !canUnshare()) context.skip();
    const mount = 'mount -t tmpfs -o size=16m,mode=1777 tmpfs /dev/shm && exec "$@"';
    const target = await startDotnet(clr, 'shop', { by: ['unshare', '-rm', 'sh', '-c', mount, 'sh'] });
    const folder = folderOf(target);
    expect(folder.path).toMatch(/^\/dev\/shm\//);
    const channel = await loadAndConnect(target, folder);
    await hello(channel);
    const rest = `/proc/${target.pid}/root/dev/shm/rest`;
    fillUp(rest);
    expect(await echo(channel, 2_000_000)).toMatch(ECHOED);
    expect(fs.statSync(folder.at('chan')).size).toBe(SMALLEST);
    fs.truncateSync(rest, fs.statSync(rest).size - 150_000);
    expect(await echo(channel, 2_000_000)).toMatch(ECHOED);
    expect(fs.statSync(folder.at('chan')).size).toBe(SMALLEST + 2 * 65_536);
    expect(await capture(channel)).toMatchObject({ leaves: expect.anything() });
    await channel.close();
    await untilGone(target, folder);
    expect(target.exitCode()).toBeNull();
  });
});

function fillUp(file: string): void {
  const descriptor = fs.openSync(file, 'w');
  try {
    for (;;) fs.writeSync(descriptor, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    fs.closeSync(descriptor);
  }
}

describe.each(BOTH)('daemons of %s', (clr) => {
  it('get nothing before they have sent the rules', async () => {
    const target = await startDotnet(clr, 'shop');
    const channel = await loadAndConnect(target, folderOf(target));
    const { entry } = await helloAlone(channel);
    await expect(capture(channel)).rejects.toThrow('the rules of the walk have not come');
    await sendRules(channel, entry);
    expect(await capture(channel)).toMatchObject({ leaves: { kind: 'full' } });
    await channel.close();
  });

  it('come one at a time', async () => {
    const target = await startDotnet(clr, 'shop');
    const folder = folderOf(target);
    const first = await loadAndConnect(target, folder);
    await hello(first);
    await expect(findAgent(folder, never)).rejects.toBeInstanceOf(AgentBusy);
    await expect(connectAgent(folder, new Deadline(0, never))).rejects.toBeInstanceOf(AgentBusy);
    expect(await capture(first)).toMatchObject({ leaves: { kind: 'full' } });
    first.abandon();
    await first.closed;
    const second = await findAgent(folder, never);
    if (!second) throw new Error('the agent has gone');
    await hello(second);
    expect(await capture(second)).toMatchObject({ leaves: { kind: 'full' }, roots: { added: expect.any(Array) } });
    // The files of the next injection stay: a program that does not find them would end.
    fs.writeFileSync(folder.at('next.dll'), '');
    await second.close();
    await folder.waitUntilLeft(5000);
    expect(fs.readdirSync(folder.at('.'))).toEqual(['next.dll']);
    folder.remove();
    await untilGone(target, folder);
    expect(await findAgent(folderOf(target), never)).toBeNull();
  });

  it('may die in the middle of a message, their own or the answer', async () => {
    const target = await startDotnet(clr, 'shop');
    const folder = folderOf(target);
    await loadAndLeave(target, folder);
    for (let round = 0; round < 10; round++) {
      const daemon = await RawDaemon.open(folder);
      daemon.say({ id: 1, op: 'hello', protocol: 1, maxKeys: 1000, forms: false });
      await until('the hello to be taken', () => daemon.canPost);
      if (round % 2 === 0) {
        daemon.post(encodeFrame('{"id":2,"op":"x"}').subarray(0, 9));
      } else {
        await until('the answer to the hello', () => daemon.isAnswered);
        daemon.takeAnswer();
        const long = encodeFrame(`{"id":2,"op":"${'x'.repeat(5_000_000)}"}`);
        for (let at = 0; at < long.length; at += AREA) {
          await until('the last part to be taken', () => daemon.canPost);
          daemon.post(long.subarray(at, at + AREA));
        }
        await until('the first part of the answer', () => daemon.isAnswered);
        expect(daemon.moreFollows).toBe(true);
      }
      daemon.die();
      const channel = await connect(folder);
      await hello(channel);
      expect(await capture(channel)).toMatchObject({ leaves: { kind: 'full' } });
      channel.abandon();
      await channel.closed;
    }
    const last = await connect(folder);
    await last.close();
    await untilGone(target, folder);
  });

  it('that do not come for the time of the lease are not waited for', async () => {
    const target = await startDotnet(clr, 'shop');
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder, 300);
    await hello(channel);
    // Longer than the lease: a connection keeps it.
    const start = performance.now();
    while (performance.now() - start < 700) await capture(channel);
    expect(traces(target).files).not.toEqual([]);
    channel.abandon();
    await untilGone(target, folder);
  });

  it('that are killed are not waited for any longer either', async () => {
    const target = await startDotnet(clr, 'shop');
    const attacher = await startAttacher(target, ATTACHER);
    await until('the attach', () => attacher.output().includes('attached'));
    const folder = folderOf(target);
    expect(traces(target).maps).not.toEqual([]);
    setLease(folder, 300);
    await attacher.kill();
    await untilGone(target, folder);
    expect(target.exitCode()).toBeNull();
    expect(target.output()).toBe('open\n');
  });

  it('that send anything but requests are left, and harm nobody', async () => {
    const target = await startDotnet(clr, 'shop');
    const folder = folderOf(target);
    await loadAndLeave(target, folder);
    const wild = fc.record({
      bytes: fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.json(),
        fc.json().map((value) => `{"op":${value}}`),
      ),
      isFramed: fc.boolean(),
      length: fc.option(fc.oneof(fc.nat(), fc.constant(0xffff_ffff)), { nil: undefined }),
      sum: fc.option(fc.nat(), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(wild, async ({ bytes, isFramed, length, sum }) => {
        const daemon = await RawDaemon.open(folder);
        const text = Buffer.from(bytes as string);
        daemon.post(isFramed ? encodeFrame(text.toString('latin1')) : text, length, sum);
        await until('it to be taken or refused', () => daemon.isHungUp || daemon.canPost);
        daemon.die();
        expect(target.exitCode()).toBeNull();
      }),
      { numRuns: 60 },
    );
    const channel = await connect(folder);
    await hello(channel);
    await channel.close();
    await untilGone(target, folder);
  });
});

describe('the end of a program', () => {
  it.each(BOTH)('ends the connection: %s', async (clr) => {
    const target = await startDotnet(clr, 'shop');
    const channel = await loadAndConnect(target, folderOf(target));
    await hello(channel);
    const pending = capture(channel).then(
      () => 'answered',
      () => 'lost',
    );
    kill(target);
    await channel.closed;
    expect(['answered', 'lost']).toContain(await pending);
    await expect(capture(channel)).rejects.toThrow('lost');
  });
});

function kill({ pid }: Target): void {
  process.kill(pid, 'SIGKILL');
}
