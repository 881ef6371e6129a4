/** The agent's life inside real programs: its start, its leftovers, and the programs' end. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildClrAgent } from '../../scripts/clr-agent.mjs';
import { createHost } from '../../src/host/host.ts';
import { ClrProbe } from '../../src/probes/drivers/clr/clr-probe.ts';
import { type Clr, DOTNET, here, startDotnet } from '../support/dotnet.ts';
import { canUnshare, endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import {
  capture,
  connect,
  folderOf,
  hello,
  load,
  loadAndConnect,
  removeFolders,
  sayToMono,
  traces,
  untilGone,
} from './bare-agent.ts';

const BOTH: readonly Clr[] = ['mono', DOTNET];
/** Mono's own message about an attach. */
const ATTACH_LINE = /attach: /g;
/** Bytes of a new channel. */
const SMALLEST = 2 * 65_536;
/** The beginning of a request for an attach. */
const MONO_HEAD = Buffer.from('MONO\x01\0', 'latin1');
/** Ends may take this much longer on a busy machine. */
const SLACK_MS = 2000;
const host = createHost();

beforeAll(() => {
  expect(buildClrAgent()).not.toBeNull();
});
afterEach(async () => {
  await endAll();
  removeFolders();
});

describe('the way in', () => {
  it.each(here('mono', 'net9', 'net8', 'net31'))('leads into %s, several times, with no word of ours', async (clr) => {
    const target = await startDotnet(clr, 'shop');
    const open: number[] = [];
    for (let round = 0; round < 4; round++) {
      const folder = folderOf(target);
      const channel = await loadAndConnect(target, folder);
      expect(await hello(channel)).toMatchObject({
        protocol: 1,
        framework: expect.stringMatching(/^(?:\.NET|\.NET Core|Mono) \d/),
      });
      expect(await capture(channel)).toMatchObject({ leaves: { kind: 'full' } });
      expect(traces(target).maps).toHaveLength(2);
      await channel.close();
      await untilGone(target, folder);
      open.push(fs.readdirSync(`/proc/${target.pid}/fd`).length);
    }
    // A descriptor leaked at each attach would show; the runtime closes its own a moment later.
    const openNow = () => fs.readdirSync(`/proc/${target.pid}/fd`).length;
    if (clr !== 'net8') await until('no more to be open than before', () => openNow() <= (open[1] ?? 0));
    // The third is a third-party program, which writes a lot.
    if (clr === 'net8') expect(target.output()).not.toMatch(/substrate-|SubstrateClr|attach:/);
    else expect(target.output()).toBe('open\n');
  });

  it.each(BOTH)('is taken by a later agent, which ends the one before: %s', async (clr) => {
    const target = await startDotnet(clr, 'shop');
    const folder = folderOf(target);
    const first = await loadAndConnect(target, folder);
    await hello(first);
    await load(target, folder);
    await first.closed;
    const second = await connect(folder);
    folder.removeLoaded();
    await hello(second);
    expect(await capture(second)).toMatchObject({ leaves: { kind: 'full' } });
    await until('the first agent to go', () => traces(target).maps.length === 2);
    expect(fs.existsSync(folder.path)).toBe(true);
    await second.close();
    await untilGone(target, folder);
  });

  it.each(BOTH)('says in a file why it is closed: %s', async (clr) => {
    const target = await startDotnet(clr, 'shop');
    const before = target.output();
    const folder = folderOf(target);
    await load(target, folder, 0, () => fs.writeFileSync(folder.at('chan'), 'no channel'));
    expect(await until('a reason', () => folder.reason())).toContain('cut short');
    await load(target, folder, 0, () => fs.writeFileSync(folder.at('chan'), Buffer.alloc(SMALLEST)));
    expect(await until('a reason', () => folder.reason())).toContain('another version');
    expect(fs.statSync(folder.at('error')).mode & 0o777).toBe(0o600);
    const channel = await loadAndConnect(target, folder);
    await hello(channel);
    await channel.close();
    await untilGone(target, folder);
    expect(target.output()).toBe(before);
  });

  // Inside, everybody is root: this test does not compute the agent's name for another user.
  it.runIf(process.getuid?.() === 0 && canUnshare()).each(BOTH)(
    'leads through /tmp where there is no /dev/shm: %s',
    async (clr) => {
      const hide = 'mount -t tmpfs -o ro tmpfs /dev/shm && exec "$@"';
      const target = await startDotnet(clr, 'shop', { by: ['unshare', '-rm', 'sh', '-c', hide, 'sh'] });
      const folder = folderOf(target);
      expect(folder.path).toMatch(/^\/tmp\//);
      const channel = await loadAndConnect(target, folder);
      await hello(channel);
      await channel.close();
      await untilGone(target, folder);
    },
  );
});

describe("Mono's door, once we keep it", () => {
  it('takes no harm from those who do not know its language', async () => {
    const target = await startDotnet('mono', 'shop');
    const first = folderOf(target);
    const channel = await loadAndConnect(target, first);
    await channel.close();
    await untilGone(target, first);
    const words = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.concat([MONO_HEAD, Buffer.from([60, 0, 0, 0]), bytes])),
      fc.constantFrom(
        Buffer.concat([MONO_HEAD, Buffer.from([255, 255, 255, 255])]),
        Buffer.concat([MONO_HEAD, Buffer.from([9, 0, 0, 0, 18, 6]), Buffer.from('attach'), Buffer.from([0])]),
        Buffer.concat([
          MONO_HEAD,
          Buffer.from([14, 0, 0, 0, 18, 6]),
          Buffer.from('attach'),
          Buffer.from([18, 2, 47, 120, 17]),
        ]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(words, async (bytes) => {
        await sayToMono(target, bytes);
        expect(target.exitCode()).toBeNull();
      }),
      { numRuns: 60 },
    );
    const folder = folderOf(target);
    const again = await loadAndConnect(target, folder);
    await hello(again);
    await again.close();
    await untilGone(target, folder);
    expect(target.output()).toBe('open\n');
  });
});

describe('what Mono writes about an attach', () => {
  it('does not come out of a file or a pipe', async () => {
    const output = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'clr-output-')), 'output');
    const intoFile = ['sh', '-c', `"$@" > ${output} & echo started; wait`, 'sh'];
    const target = await startDotnet('mono', 'ending', { by: intoFile });
    await until('the program to be ready', () => fs.readFileSync(output, 'utf8') === 'ready\n');
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder);
    await hello(channel);
    await channel.close();
    await untilGone(target, folder);
    process.kill(target.pid, 'SIGTERM');
    await target.exited;
    expect(fs.readFileSync(output, 'utf8')).toBe('ready\n');
    fs.rmSync(path.dirname(output), { recursive: true });
  });

  it('comes to a terminal once, and not again', async () => {
    const onTerminal = ['sh', '-c', 'exec script -qefc "$*" /dev/null', 'sh'];
    const target = await startDotnet('mono', 'shop', { by: onTerminal });
    const lines = [];
    for (let round = 0; round < 2; round++) {
      const folder = folderOf(target);
      const channel = await loadAndConnect(target, folder);
      await hello(channel);
      await channel.close();
      await untilGone(target, folder);
      lines.push(target.output().match(ATTACH_LINE)?.length ?? 0);
    }
    expect(lines[0]).toBeLessThanOrEqual(4);
    expect(lines[1]).toBe(lines[0]);
  });
});

describe('a storm of collections', () => {
  it.each(BOTH)('goes on, before, while and after it is looked at: %s', async (clr) => {
    const target = await startDotnet(clr, 'storm');
    for (let round = 0; round < 2; round++) {
      const folder = folderOf(target);
      const channel = await loadAndConnect(target, folder);
      await hello(channel);
      const start = performance.now();
      while (performance.now() - start < 1500) await capture(channel, true);
      await channel.close();
      await untilGone(target, folder);
    }
    target.write('q');
    expect(await target.exited).toBe(0);
    expect(target.output()).toBe('blowing\nover\n');
  });
});

describe('the end of a program', () => {
  const WAYS = { r: 7, e: 8, b: 9, t: null, SIGTERM: null } as const;

  it.each(BOTH.flatMap((clr) => Object.keys(WAYS).map((way) => [clr, way] as const)))(
    'is as it would be without the agent: %s by %s',
    async (clr, way) => {
      const alone = await endOf(clr, way, async () => {});
      const watched = await endOf(clr, way, async (target) => {
        const folder = folderOf(target);
        await settled(await loadAndConnect(target, folder));
      });
      const left = await endOf(clr, way, async (target) => {
        const channel = await settled(await loadAndConnect(target, folderOf(target)));
        channel.abandon();
        await channel.closed;
      });
      for (const { code, output, ms } of [watched, left]) {
        expect(code).toBe(alone.code);
        expect(output.split('\n')[0]).toBe('ready');
        expect(output.includes('substrate') || output.includes('Substrate')).toBe(false);
        expect(ms).toBeLessThan(3 * alone.ms + SLACK_MS);
      }
      const expected = WAYS[way as keyof typeof WAYS];
      if (expected !== null) expect(alone.code).toBe(expected);
    },
  );

  it.each(BOTH)('leaves no folder when the program is killed: %s', async (clr) => {
    const killed = await startDotnet(clr, 'ending');
    const folder = folderOf(killed);
    const channel = await loadAndConnect(killed, folder);
    await hello(channel);
    const isAlive = () => host.inspector.isAlive(killed.info);
    const probe = new ClrProbe(channel, folder, isAlive, { maxKeys: 1000, interruptActions: false });
    const signal = AbortSignal.timeout(25_000);
    expect(await probe.capture({ depth: 'fast', full: true, signal })).toMatchObject({ tier: 'clr_mmf' });
    process.kill(killed.pid, 'SIGKILL');
    await probe.closed;
    await until('the folder to go', () => !fs.existsSync(folder.path));
  });

  // Two events in the same microseconds: with this many programs, one run of five showed the bug on .NET.
  it.each([
    ['mono', 2],
    [DOTNET, 8],
  ] as const)('leaves no folder when its daemon goes at the same moment: %s, %i times', async (clr, length) => {
    const endOne = async () => {
      const ended = await startDotnet(clr, 'ending');
      const folder = folderOf(ended);
      const channel = await settled(await loadAndConnect(ended, folder));
      channel.abandon();
      ended.write('e');
      expect(await ended.exited).toBe(8);
      return fs.existsSync(folder.path);
    };
    const left = await Promise.all(Array.from({ length }, endOne));
    expect(left.filter(Boolean)).toHaveLength(0);
  });
});

/** Mono may crash if its program ends at the very moment of its first attach: see docs/clr.md. */
async function settled(channel: Awaited<ReturnType<typeof loadAndConnect>>) {
  await hello(channel);
  for (let round = 0; round < 10; round++) await capture(channel, true);
  return channel;
}

async function endOf(clr: Clr, way: string, before: (target: Target) => Promise<void>) {
  const target = await startDotnet(clr, 'ending');
  await before(target);
  const start = performance.now();
  if (way === 'SIGTERM') process.kill(target.pid, way);
  else target.write(way);
  const code = await target.exited;
  const ms = performance.now() - start;
  return { code, ms, output: target.output() };
}

describe('a probe of ours', () => {
  it('looks through the heap once, when it is asked for a deep look', async () => {
    const target = await startDotnet(DOTNET, 'shop');
    const folder = folderOf(target);
    const channel = await loadAndConnect(target, folder);
    await hello(channel);
    const looks: unknown[] = [];
    const probe = new ClrProbe(
      channel,
      folder,
      () => true,
      { maxKeys: 1000, interruptActions: false },
      async (given) => {
        looks.push(given);
        throw new Error('the look fails');
      },
    );
    const signal = AbortSignal.timeout(25_000);
    const look = async (depth: 'fast' | 'deep') =>
      (await probe.capture({ depth, full: true, signal })).suggestsHeapScan;
    expect(await look('fast')).toBe(true);
    expect(looks).toEqual([]);
    expect(await look('deep')).toBe(false);
    expect(await look('deep')).toBe(false);
    expect(await look('fast')).toBe(false);
    expect(looks).toEqual([channel]);
    await probe.detach();
    await untilGone(target, folder);
  });
});
