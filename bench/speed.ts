/**
 * The built daemon, as its users run it: starts, apps until they are served, cached reads, idle apps. `npm run bench
 * speed -- [start] [apps] [read] [watch] [idle] [--rounds 5] [--against <commit>]`; without a name all parts. With a
 * commit, that one is built, too, and both are measured in turns.
 */
import { excludeWhatRuns, isAlone, runAlone } from './shared/alone.ts';
import { measureApps } from './speed/apps.ts';
import { measureIdle } from './speed/idle.ts';
import { readOptions } from './speed/options.ts';
import { measureReads } from './speed/reads.ts';
import { prepareSides, sidesOf } from './speed/sides.ts';
import { measureStarts } from './speed/starts.ts';
import { measureWatch } from './speed/watch.ts';

const { parts, rounds, against } = readOptions(process.argv.slice(2));
if (isAlone() === null) {
  // Beforehand, because the measurement has no network.
  prepareSides(against);
  process.exit(runAlone());
}
if (!isAlone()) excludeWhatRuns();

const sides = sidesOf(against);
const measures = {
  start: measureStarts,
  apps: measureApps,
  read: measureReads,
  watch: measureWatch,
  idle: measureIdle,
};
for (const [part, measure] of Object.entries(measures)) if (parts.includes(part)) await measure(sides, rounds);
process.exit(0);
