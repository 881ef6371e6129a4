/** From a change in a Node app to the message for watchers. */
import { setTimeout as delay } from 'node:timers/promises';
import { startProgram, waitFor } from '../shared/proc.ts';
import { Home, SpeedDaemon } from './daemon.ts';
import { Figures } from './figures.ts';
import type { Side } from './sides.ts';

/** Changes that come by themselves, with quiet times of random length between them. */
const CHANGES = 10;
const BETWEEN_MS = 2500;
const SPREAD_MS = 2000;

export async function measureWatch(sides: readonly Side[], rounds: number): Promise<void> {
  const figures = new Figures(
    'a watched Node app',
    sides.map(({ name }) => name),
  );
  const app = startProgram(process.execPath, ['bench/rows-target.cjs', '1000']);
  await waitFor('the app', 10, () => app.stdout() !== '');
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      const home = new Home(side);
      const daemon = await SpeedDaemon.start(side, home);
      await daemon.untilServed(app.pid);
      const watcher = await daemon.watch(app.pid);
      const before = daemon.cpuMs();
      const began = performance.now();
      for (let change = 0; change < CHANGES; change++) {
        await delay(BETWEEN_MS + (SPREAD_MS * change) / CHANGES);
        const changedAt = performance.now();
        const notified = new Promise((resolve) => watcher.once('message', resolve));
        app.child.stdin?.write('\n');
        await notified;
        figures.add('ms from the change to the message', side.name, performance.now() - changedAt);
      }
      figures.add('CPU of the daemon, %', side.name, ((daemon.cpuMs() - before) / (performance.now() - began)) * 100);
      watcher.terminate();
      await daemon.stop();
      home.remove();
    }
  }
  await app.end();
  figures.print();
}
