/**
 * The channel between the daemon and its agent breaks, and the program runs out of resources: `npm run test:faults`. As
 * root.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Attachment } from '../../src/model/wire.ts';
import { stopAll } from '../support/daemon.ts';
import {
  begin,
  endsByItself,
  type FaultApp,
  freshState,
  HONEST,
  isServed,
  lives,
  nothingIsLeft,
  RUNTIMES,
  type Scene,
} from '../support/fault-table.ts';
import { compileNative } from '../support/native.ts';
import { endAll, pidOf, until } from '../support/real-processes.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Their agents have no socket, but a file in memory and FIFOs. */
const hasSocket = (name: string) => !/Mono|NET/.test(name);
const ROUNDS = 3;

afterEach(async () => {
  await stopAll();
  await endAll();
});

function faultSockets(what: 'cut' | 'garble', pid: number, other: number): number {
  return Number(execFileSync(compileNative('socket-fault', 'program'), [what, String(pid), String(other)]));
}

/** The folders of this program's agent. */
function foldersOf({ pid }: FaultApp): string[] {
  return [os.tmpdir(), '/dev/shm'].flatMap((parent) =>
    fs
      .readdirSync(parent)
      .filter((name) => name.startsWith('substrate-agent-') || new RegExp(`^substrate-(?:jvm|clr)-${pid}-`).test(name))
      .map((name) => path.join(parent, name)),
  );
}

/** Overwrites the bytes of both sides; in half of the rounds only those that are not the state of the channel. */
function garbleFile(file: string, round: number): void {
  const at = round % 2 === 0 ? 0 : 4096;
  const handle = fs.openSync(file, 'r+');
  fs.writeSync(handle, randomBytes(fs.fstatSync(handle).size - at), 0, undefined, at);
  fs.closeSync(handle);
}

describe.each(RUNTIMES)('%s', (name, runtime) => {
  /** Its state never changes: the daemon serves that, or nothing. */
  async function survives({ daemon, neighbour, app }: Scene, fault: (round: number) => void): Promise<void> {
    const known = await settled({ daemon, neighbour, app });
    for (let round = 0; round < ROUNDS; round++) {
      const reads = Array.from({ length: 4 }, () => freshState(daemon, app));
      fault(round);
      for (const read of reads) expect([known, undefined]).toContainEqual((await read)?.objects);
      await isServed(daemon, neighbour);
      await until('its state', async () => {
        const state = await freshState(daemon, app);
        if (state !== null) expect(state.objects).toEqual(known);
        return state;
      });
    }
    await daemon.stop();
    await nothingIsLeft(app);
    await endsByItself(runtime, app);
  }

  /** The first captures may be incomplete. */
  async function settled({ daemon, app }: Scene): Promise<Record<string, unknown>> {
    let last = '';
    return until('a state that stays', async () => {
      const objects = (await freshState(daemon, app))?.objects;
      const text = JSON.stringify(objects);
      const isSame = objects !== undefined && text === last;
      last = text;
      return isSame && objects;
    });
  }

  it.runIf(hasSocket(name))('whose connection is cut: it is attached to again', async () => {
    const scene = await begin(runtime, 'capture');
    const daemonPid = pidOf(scene.daemon.child);
    await survives(scene, () => expect(faultSockets('cut', scene.app.pid, daemonPid)).toBeGreaterThan(0));
  });

  it.runIf(hasSocket(name))('that sends noise: none of it is served', async () => {
    const scene = await begin(runtime, 'capture');
    const daemonPid = pidOf(scene.daemon.child);
    await survives(scene, () => expect(faultSockets('garble', scene.app.pid, daemonPid)).toBeGreaterThan(0));
  });

  it.runIf(hasSocket(name))('that gets noise: it takes no harm', async () => {
    const scene = await begin(runtime, 'capture');
    const daemonPid = pidOf(scene.daemon.child);
    await survives(scene, () => expect(faultSockets('garble', daemonPid, scene.app.pid)).toBeGreaterThan(0));
  });

  it.skipIf(hasSocket(name))('whose channel is overwritten: none of it is served, and it takes no harm', async () => {
    const scene = await begin(runtime, 'capture');
    await survives(scene, (round) => {
      for (const folder of foldersOf(scene.app)) garbleFile(path.join(folder, 'chan'), round);
    });
  });

  // The others keep no file of ours.
  it.runIf(/Java|Mono|NET/.test(name))('whose agent loses its folder: it is served all the same', async () => {
    const scene = await begin(runtime, 'capture');
    expect(foldersOf(scene.app)).not.toEqual([]);
    await survives(scene, () => {
      for (const folder of foldersOf(scene.app)) fs.rmSync(folder, { recursive: true });
    });
  });

  // A browser without descriptors can neither accept a connection nor start a page: it breaks by itself.
  it.skipIf(name === 'Chromium')('that may open no more files: the daemon says why, and tries again', async () => {
    const { daemon, neighbour, app } = await begin(runtime, 'attach');
    limitFiles(app);
    // Waits, because it may be available in a moment.
    const asked = daemon.get(`/substrate/v1/state/${app.pid}`);
    const refused = await until('the reason', async () => {
      const { apps } = (await daemon.get<{ apps: Attachment[] }>('/substrate/v1/attach')).body;
      return apps.find(({ pid, problem }) => pid === app.pid && problem !== null);
    });
    expect(refused.problem).toContain('limit of file descriptors');
    expect(refused).toMatchObject({ probe_status: 'error', given_up: false });
    expect(lives(app)).toBe(true);
    await isServed(daemon, neighbour);
    setLimit(app, FILES);
    expect(HONEST).toContain((await asked).status);
    await until('its state', () => freshState(daemon, app));
    // Its agent needs no more.
    limitFiles(app);
    for (let round = 0; round < ROUNDS; round++) await freshState(daemon, app);
    expect(lives(app)).toBe(true);
    setLimit(app, FILES);
    await until('its state', () => freshState(daemon, app));
    await daemon.stop();
    await nothingIsLeft(app);
    await endsByItself(runtime, app);
  });
});

const FILES = 20_000;
const setLimit = ({ pid }: FaultApp, limit: number) =>
  execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${limit}:${FILES}`]);

/** To the lowest free number, which is the next one that it would open. */
function limitFiles(app: FaultApp): void {
  const open = new Set(fs.readdirSync(`/proc/${app.pid}/fd`).map(Number));
  let free = 0;
  while (open.has(free)) free++;
  setLimit(app, free);
}
