/** From exec to the ready line, compared with a Node that does nothing. */
import { spawnSync } from 'node:child_process';
import { Home, SpeedDaemon } from './daemon.ts';
import { Figures } from './figures.ts';
import type { Side } from './sides.ts';

const NOTHING = 'node -e 0';

export async function measureStarts(sides: readonly Side[], rounds: number): Promise<void> {
  const figures = new Figures('start, ms', [...sides.map(({ name }) => name), NOTHING]);
  const homes = new Map(sides.map((side) => [side, new Home(side)]));
  // The first one fills the caches of the disk.
  for (let round = -1; round < rounds; round++) {
    for (const [side, home] of homes) {
      const daemon = await SpeedDaemon.start(side, home);
      await daemon.stop();
      if (round < 0) continue;
      figures.add('exec to the ready line', side.name, daemon.readyMs);
      figures.add('CPU until then', side.name, daemon.readyCpuMs);
    }
    const bare = nothing();
    if (round < 0) continue;
    figures.add('exec to the ready line', NOTHING, bare.wallMs);
    figures.add('CPU until then', NOTHING, bare.cpuMs);
  }
  for (const home of homes.values()) home.remove();
  figures.print();
}

function nothing(): { readonly wallMs: number; readonly cpuMs: number } {
  const began = performance.now();
  const { stdout } = spawnSync(process.execPath, ['-e', 'process.stdout.write(JSON.stringify(process.cpuUsage()))']);
  const wallMs = performance.now() - began;
  const { user, system } = JSON.parse(stdout.toString()) as NodeJS.CpuUsage;
  return { wallMs, cpuMs: (user + system) / 1000 };
}
