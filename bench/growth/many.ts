/** Many of something: idle apps, readers of a state, watchers of a change. */
import { setTimeout as delay } from 'node:timers/promises';
import type WebSocket from 'ws';
import { type Program, startProgram, waitFor } from '../shared/proc.ts';
import { Home, SpeedDaemon } from '../speed/daemon.ts';
import { readAll } from '../speed/reader.ts';
import type { Side } from '../speed/sides.ts';
import { cpuMs, cpuOf } from './cpu.ts';
import { Curves } from './curves.ts';

const SMALL = '100';
const IDLE_MS = 10_000;
const SETTLE_MS = 5000;
const READS = 4000;
const CHANGES = 10;

async function startApp(): Promise<Program> {
  const app = startProgram(process.execPath, ['bench/rows-target.cjs', SMALL]);
  await waitFor('an app', 30, () => app.stdout() !== '');
  return app;
}

export async function measureApps(side: Side, counts: readonly number[]): Promise<void> {
  const curves = new Curves('Idle apps', 'apps', '% of a core; MB');
  const apps: Program[] = [];
  for (const count of counts) {
    while (apps.length < count) apps.push(await startApp());
    const home = new Home(side);
    const daemon = await SpeedDaemon.start(side, home);
    for (const { pid } of apps) await daemon.untilServed(pid, 10 * 60);
    await delay(SETTLE_MS);
    const before = cpuMs(daemon.pid);
    await delay(IDLE_MS);
    curves.add('% of a core', count, ((cpuMs(daemon.pid) - before) / IDLE_MS) * 100);
    curves.add('memory of the daemon, MB', count, daemon.rssMb());
    await daemon.stop();
    home.remove();
  }
  for (const app of apps) await app.end();
  curves.show('apps');
}

export async function measureReaders(side: Side, counts: readonly number[]): Promise<void> {
  const curves = new Curves('Cached reads of 100 keys', 'connections', 'microseconds for each read');
  await withApp(side, async (daemon, app) => {
    const load = {
      base: daemon.base,
      route: `/substrate/v1/state/${app.pid}`,
      headers: { 'x-substrate-key': daemon.key },
    };
    await readAll({ ...load, connections: 1, requests: READS });
    for (const connections of counts) {
      const before = cpuMs(daemon.pid);
      const wallMs = await readAll({ ...load, connections, requests: READS });
      curves.add('CPU of the daemon', connections, ((cpuMs(daemon.pid) - before) / READS) * 1000);
      curves.add('time', connections, (wallMs / READS) * 1000);
    }
  });
  curves.show('readers');
}

export async function measureWatchers(side: Side, counts: readonly number[]): Promise<void> {
  const curves = new Curves('A change for all who watch', 'watchers', 'ms');
  await withApp(side, async (daemon, app) => {
    const watchers: WebSocket[] = [];
    for (const count of counts) {
      while (watchers.length < count) watchers.push(await daemon.watch(app.pid));
      let longest = 0;
      const used = await cpuOf({ daemon: daemon.pid }, CHANGES, async () => {
        const notified = watchers.map((watcher) => new Promise((resolve) => watcher.once('message', resolve)));
        const began = performance.now();
        app.child.stdin?.write('\n');
        await daemon.tag(app.pid, 'fresh=true');
        await Promise.all(notified);
        longest = Math.max(longest, performance.now() - began);
      });
      curves.add('CPU of the daemon', count, used.daemon);
      curves.add('until the last one hears of it', count, longest);
    }
    for (const watcher of watchers) watcher.terminate();
  });
  curves.show('watchers');
}

async function withApp(side: Side, work: (daemon: SpeedDaemon, app: Program) => Promise<void>): Promise<void> {
  const app = await startApp();
  const home = new Home(side);
  const daemon = await SpeedDaemon.start(side, home, { SUBSTRATE_PROBE__INTERVAL_MS: '600000' });
  await daemon.untilServed(app.pid);
  await work(daemon, app);
  await daemon.stop();
  home.remove();
  await app.end();
}
