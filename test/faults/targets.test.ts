/** Runtime x fault x moment, on real programs behind a real daemon: `npm run test:faults`. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import {
  begin,
  endsByItself,
  freshState,
  HONEST,
  isGone,
  isServed,
  LATEST_MS,
  lives,
  MOMENTS,
  type Moment,
  nothingIsLeft,
  RUNTIMES,
  type Scene,
  workOf,
} from '../support/fault-table.ts';
import { compileNative } from '../support/native.ts';
import { endAll, until } from '../support/real-processes.ts';
import { RUNTIME_TARGETS } from '../support/runtimes.ts';

vi.setConfig({ testTimeout: 120_000 });

const STOPPED_MS = 1500;
const ATTEMPTS = 2;
/** See exec-on-signal.c. */
const EXEC_SIGNAL = 16;
const SUCCESSOR = path.join(RUNTIME_TARGETS, 'inbox.mjs');

afterEach(async () => {
  await stopAll();
  await endAll();
});

describe.each(RUNTIMES)('%s', (_, runtime) => {
  /** The fault comes while the daemon is working, each attempt at a later step; returns the answer of the work. */
  async function strike(scene: Scene, moment: Moment, attempt: number, fault: () => void): Promise<number> {
    const work = await workOf(moment, scene);
    const answer = work();
    // Handled at once; checked later.
    answer.catch(() => undefined);
    await delay(((attempt + Math.random()) / ATTEMPTS) * LATEST_MS[moment]);
    fault();
    return answer;
  }

  /** Nothing is left of an ended app. */
  async function isOver({ daemon, neighbour, app }: Scene): Promise<void> {
    await until('its end', async () => isGone(await daemon.app(app.pid)));
    expect((await daemon.get(`/substrate/v1/state/${app.pid}`)).status).toBe(404);
    await isServed(daemon, neighbour);
    await daemon.stop();
    await nothingIsLeft(app);
    expect(lives(neighbour)).toBe(true);
    await endAll();
  }

  it.each(MOMENTS)('killed during the %s: the daemon says so, and serves the others', async (moment) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const scene = await begin(runtime, moment);
      const status = await strike(scene, moment, attempt, () => process.kill(scene.app.pid, 'SIGKILL'));
      expect(HONEST).toContain(status);
      await isOver(scene);
    }
  });

  it.each(MOMENTS)('exiting during the %s: it ends as it would have, and the daemon says so', async (moment) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const scene = await begin(runtime, moment);
      const status = await strike(scene, moment, attempt, () => scene.app.quit());
      expect(HONEST).toContain(status);
      const code = await scene.app.exited;
      if (runtime.quitsWith !== null) expect(code).toBe(runtime.quitsWith);
      await isOver(scene);
    }
  });

  it.each(MOMENTS)('stopped during the %s: it is served again when it goes on', async (moment) => {
    const scene = await begin(runtime, moment);
    const { daemon, neighbour, app } = scene;
    const status = strike(scene, moment, Math.random(), () => process.kill(app.pid, 'SIGSTOP'));
    await delay(LATEST_MS[moment] + STOPPED_MS);
    await isServed(daemon, neighbour);
    process.kill(app.pid, 'SIGCONT');
    expect(HONEST).toContain(await status);
    await until('its state', () => freshState(daemon, app));
    await daemon.stop();
    await endsByItself(runtime, app);
    await nothingIsLeft(app);
  });

  it.each(MOMENTS)('becoming another program during the %s: that is served, and nothing of the old', async (moment) => {
    const env = {
      LD_PRELOAD: compileNative('exec-on-signal', 'library'),
      EXEC_FILE: process.execPath,
      EXEC_ARG: SUCCESSOR,
    };
    const scene = await begin(runtime, moment, { env });
    const { daemon, neighbour, app } = scene;
    const before = await daemon.app(app.pid);
    const status = await strike(scene, moment, Math.random(), () => process.kill(app.pid, EXEC_SIGNAL));
    expect(HONEST).toContain(status);
    await until('the other program', () => argumentsOf(app.pid).includes(SUCCESSOR));
    const after = await until('its state', () => freshState(daemon, app));
    expect(after.app_id).not.toBe(before?.app_id);
    expect(after.objects).toMatchObject({ 'inbox.emails[0].subject': 'Hello' });
    await isServed(daemon, neighbour);
    await daemon.stop();
    expect(lives(app)).toBe(true);
    await nothingIsLeft(app);
  });

  it('served by a daemon that is killed at any moment: it lives, and the next daemon finds it', async () => {
    const home = makeHome();
    const app = await runtime.start();
    for (let attempt = 0; attempt < ATTEMPTS * 2; attempt++) {
      const daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__INTERVAL_MS: '50' } });
      await delay(((attempt + Math.random()) / (ATTEMPTS * 2)) * 1500);
      await daemon.stop('SIGKILL');
      expect(lives(app)).toBe(true);
    }
    const daemon = await RunningDaemon.start(home);
    expect(Object.keys((await daemon.state(app.pid)).objects).length).toBeGreaterThan(0);
    await daemon.stop();
    // Files that a killed daemon could not remove go with its agent, or at the next start.
    await nothingIsLeft(app);
    await endsByItself(runtime, app);
  });
});

function argumentsOf(pid: number): string {
  return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
