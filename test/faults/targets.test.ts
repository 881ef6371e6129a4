/** Runtime x fault x moment, on real programs behind a real daemon: `npm run test:faults`. */
import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppSummary, SchemaResponse, SubstrateState } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { DOTNET, startDotnet } from '../support/dotnet.ts';
import { SHOP, startJava } from '../support/java.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const RUNTIMES: readonly [string, () => Promise<Target>][] = [
  ['Node', () => startTarget('shop.cjs')],
  ['Java', () => startJava(SHOP)],
  ['Mono', () => startDotnet('mono', 'shop')],
  [`.NET (${DOTNET})`, () => startDotnet(DOTNET, 'shop')],
];
const MOMENTS = ['attach', 'capture', 'action'] as const;
const STOPPED_MS = 2000;
const ATTEMPTS = 3;
/** Each attempt another: the fault is to fall into every step. */
const LATEST_MS = { attach: 400, capture: 60, action: 25 };
/** What an action whose program goes may answer: done, refused, or not known. */
const HONEST = new Set([200, 400, 404, 422, 503, 504]);

afterEach(async () => {
  await stopAll();
  await endAll();
});

describe.each(RUNTIMES)('%s', (_, startApp) => {
  /** The daemon, an app that nothing happens to, and the one that has the fault. */
  async function begin(moment: (typeof MOMENTS)[number]) {
    const [neighbour, app] = await Promise.all([startTarget('inbox.mjs'), startApp()]);
    const asks = moment === 'attach' ? 'asked' : 'all';
    const daemon = await RunningDaemon.start(makeHome(), {
      env: {
        SUBSTRATE_PROBE__INTERVAL_MS: '50',
        SUBSTRATE_SCANNER__ATTACH: asks,
        SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
      },
    });
    await until('both apps', async () => (await daemon.app(neighbour.pid)) && (await daemon.app(app.pid)));
    if (moment !== 'attach') await daemon.state(app.pid);
    // Asked for, where nothing is attached to by itself.
    await until('the neighbour', async () => (await daemon.get(`/substrate/v1/state/${neighbour.pid}`)).status === 200);
    return { daemon, neighbour, app };
  }

  /** Something of the daemon's is under way in the app at that moment. */
  async function busyWith(
    moment: (typeof MOMENTS)[number],
    daemon: RunningDaemon,
    { pid }: Target,
  ): Promise<Promise<number>> {
    if (moment === 'attach') return daemon.post(`/substrate/v1/attach/${pid}`, {}).then(({ status }) => status);
    if (moment === 'capture') return daemon.get(`/substrate/v1/state/${pid}?fresh=true`).then(({ status }) => status);
    const { body } = await daemon.get<SchemaResponse>(`/substrate/v1/schema/${pid}`);
    const [action = '', schema] =
      Object.entries(body.actions).find(([, { reversibility }]) => reversibility === 'reversible_write') ?? [];
    const example = { string: 'x', number: 1, boolean: true, array: [], object: {} };
    const parameters = Object.fromEntries(
      schema?.parameters.map(({ name, type_name }) => [name, example[type_name]]) ?? [],
    );
    return daemon.post('/substrate/v1/action', { pid, action, parameters }).then(({ status }) => status);
  }

  async function isServed(daemon: RunningDaemon, { pid }: Target): Promise<void> {
    expect((await daemon.get('/health')).status).toBe(200);
    const { status, body } = await daemon.get<SubstrateState>(`/substrate/v1/state/${pid}?fresh=true`);
    expect([status, Object.keys(body.objects ?? {}).length > 0]).toEqual([200, true]);
  }

  it.each(MOMENTS)('killed during the %s: the daemon says so, and serves the others', async (moment) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { daemon, neighbour, app } = await begin(moment);
      const answer = await busyWith(moment, daemon, app);
      await delay((attempt / ATTEMPTS) * LATEST_MS[moment]);
      process.kill(app.pid, 'SIGKILL');
      expect(HONEST).toContain(await answer);
      await until('its end', async () => isGone(await daemon.app(app.pid)));
      expect((await daemon.get(`/substrate/v1/state/${app.pid}`)).status).toBe(404);
      await isServed(daemon, neighbour);
      await daemon.stop();
      expect(leftBehind()).toEqual([]);
      await endAll();
    }
  });

  it.each(MOMENTS)('stopped during the %s: it is served again when it goes on', async (moment) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { daemon, neighbour, app } = await begin(moment);
      const answer = await busyWith(moment, daemon, app);
      await delay((attempt / ATTEMPTS) * LATEST_MS[moment]);
      process.kill(app.pid, 'SIGSTOP');
      await delay(STOPPED_MS);
      await isServed(daemon, neighbour);
      process.kill(app.pid, 'SIGCONT');
      expect(HONEST).toContain(await answer);
      await until('its state', async () => {
        const { status } = await daemon.get(`/substrate/v1/state/${app.pid}?fresh=true`);
        return status === 200;
      });
      expect(app.exitCode()).toBeNull();
      await daemon.stop();
      expect(app.exitCode()).toBeNull();
      expect(leftBehind()).toEqual([]);
      await endAll();
    }
  });

  it('served by a daemon that is killed at any moment: it lives, and the next daemon finds it', async () => {
    const home = makeHome();
    const app = await startApp();
    for (let attempt = 0; attempt < ATTEMPTS * 2; attempt++) {
      const daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__INTERVAL_MS: '50' } });
      await delay((attempt / (ATTEMPTS * 2)) * 1500);
      daemon.child.kill('SIGKILL');
      await daemon.stop('SIGKILL');
      expect(app.exitCode()).toBeNull();
    }
    const daemon = await RunningDaemon.start(home);
    expect(Object.keys((await daemon.state(app.pid)).objects).length).toBeGreaterThan(0);
    await daemon.stop();
    expect(app.exitCode()).toBeNull();
    // What a killed daemon could not remove goes with its agent, or at the next start.
    await until('nothing is left', () => leftBehind().length === 0);
  });
});

function isGone(app: AppSummary | undefined): boolean {
  return app === undefined || app.probe_status === 'detached';
}

/** Files of ours, and of the attach mechanisms of the runtimes, where programs have their temporary ones. */
function leftBehind(): string[] {
  return fs.readdirSync(os.tmpdir()).filter((name) => /^(?:\.attach_pid|substrate-(?!home|test|fuzz))/.test(name));
}
