/** Ten apps in which nothing happens. */
import { setTimeout as delay } from 'node:timers/promises';
import { startProgram, waitFor } from '../shared/proc.ts';
import { Home, SpeedDaemon } from './daemon.ts';
import { Figures } from './figures.ts';
import type { Side } from './sides.ts';

const APPS = 10;
const WATCHED_MS = 20_000;
/** The time for the work after an attach. */
const SETTLE_MS = 10_000;

export async function measureIdle(sides: readonly Side[], rounds: number): Promise<void> {
  const figures = new Figures(
    `${APPS} idle apps`,
    sides.map(({ name }) => name),
  );
  const apps = Array.from({ length: APPS }, () => startProgram(process.execPath, ['bench/rows-target.cjs', '1000']));
  for (const app of apps) await waitFor('an app', 10, () => app.stdout() !== '');
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      const home = new Home(side);
      const daemon = await SpeedDaemon.start(side, home);
      for (const { pid } of apps) await daemon.untilServed(pid);
      await delay(SETTLE_MS);
      const before = daemon.cpuMs();
      await delay(WATCHED_MS);
      figures.add('% of a core', side.name, ((daemon.cpuMs() - before) / WATCHED_MS) * 100);
      figures.add('MB', side.name, daemon.rssMb());
      await daemon.stop();
      home.remove();
    }
  }
  for (const app of apps) await app.end();
  figures.print();
}
