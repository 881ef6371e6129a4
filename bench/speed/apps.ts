/** An app until its state is served: an unknown one, and a known one. */
import { setTimeout as delay } from 'node:timers/promises';
import { openPage, startChromium } from '../../test/support/chromium.ts';
import { startDotnet } from '../../test/support/dotnet.ts';
import { SHOP, startJava } from '../../test/support/java.ts';
import { startPageServer } from '../../test/support/page-server.ts';
import { endAll } from '../../test/support/real-processes.ts';
import { startProgram, waitFor } from '../shared/proc.ts';
import { Home, SpeedDaemon } from './daemon.ts';
import { Figures } from './figures.ts';
import type { Side } from './sides.ts';

interface App {
  readonly name: string;
  readonly pid: number;
  end(): Promise<void>;
}

/** Leftovers of the previous daemon in the app have to go before the next one comes. */
const BETWEEN_MS = 1500;

export async function measureApps(sides: readonly Side[], rounds: number): Promise<void> {
  const figures = new Figures(
    'an app, ms from the ready line until its state is served',
    sides.map(({ name }) => name),
  );
  for (const start of [startNode, startJavaShop, startMono, startPage]) {
    const app = await start();
    for (let round = 0; round < rounds; round++) {
      for (const side of sides) {
        const home = new Home(side);
        for (const kind of ['unknown', 'known'] as const) {
          const daemon = await SpeedDaemon.start(side, home);
          figures.add(`${app.name}, ${kind}`, side.name, await daemon.untilServed(app.pid));
          if (app.name === 'Node')
            figures.add(`Node, ${kind}: CPU of the daemon since exec`, side.name, daemon.cpuMs());
          await daemon.stop();
          await delay(BETWEEN_MS);
        }
        home.remove();
      }
    }
    await app.end();
  }
  figures.print();
}

async function startNode(): Promise<App> {
  const program = startProgram(process.execPath, ['bench/rows-target.cjs', '1000']);
  await waitFor('the Node program', 10, () => program.stdout() !== '');
  return { name: 'Node', pid: program.pid, end: () => program.end() };
}

async function startJavaShop(): Promise<App> {
  const target = await startJava(SHOP);
  return { name: 'Java', pid: target.pid, end: endAll };
}

async function startMono(): Promise<App> {
  const target = await startDotnet('mono', 'shop');
  return { name: 'Mono', pid: target.pid, end: endAll };
}

async function startPage(): Promise<App> {
  const pages = await startPageServer();
  const chromium = await startChromium();
  await openPage(chromium, `${pages.origin}/react-state/`);
  const end = async () => {
    await chromium.close();
    await pages.close();
  };
  return { name: 'page', pid: chromium.pid, end };
}
