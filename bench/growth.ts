/**
 * The growth of costs: leaves of one app, apps, watchers, readers. `npm run bench growth -- [leaves] [apps] [watchers]
 * [readers] [--quick]`; without a name all. Prints tables with the exponents, and draws docs/images/growth-*.svg.
 */
import { parseArgs } from 'node:util';
import { measureLeaves } from './growth/leaves.ts';
import { measureApps, measureReaders, measureWatchers } from './growth/many.ts';
import { excludeWhatRuns, isAlone, runAlone } from './shared/alone.ts';
import { prepareSides, sidesOf } from './speed/sides.ts';

const SIZES = {
  leaves: [1000, 10_000, 100_000, 1_000_000],
  apps: [1, 10, 50, 200],
  watchers: [1, 10, 100, 1000],
  readers: [1, 4, 16, 64],
};
type Part = keyof typeof SIZES;
const measures = {
  leaves: measureLeaves,
  apps: measureApps,
  watchers: measureWatchers,
  readers: measureReaders,
};

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
if (isAlone() === null) {
  prepareSides(null);
  process.exit(runAlone());
}
if (!isAlone()) excludeWhatRuns();

const [side] = sidesOf(null);
if (side === undefined) throw new Error('nothing was built');
const parts = (Object.keys(SIZES) as Part[]).filter((part) => positionals.length === 0 || positionals.includes(part));
for (const part of parts) {
  // The largest ones take most of the time.
  const sizes = values.quick ? SIZES[part].slice(0, -1) : SIZES[part];
  await measures[part](side, sizes);
}
process.exit(0);
