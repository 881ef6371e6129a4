/**
 * `npm run test:load [-- --minutes N] [--processes N] [--watchers N] [--readers N] [--slow N] [--keys N] [--pause-ms N]
 * [--dist folder]`: prints the figures, a line per minute; fails as described in `load.ts`. With `--dist` nothing is
 * built: builds meanwhile do not disturb an hour's run of a copy.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runLoad } from './load.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    processes: { type: 'string', default: '200' },
    watchers: { type: 'string', default: '1000' },
    readers: { type: 'string', default: '64' },
    slow: { type: 'string', default: '16' },
    keys: { type: 'string', default: '20000' },
    'pause-ms': { type: 'string', default: '0' },
    dist: { type: 'string', default: 'dist' },
  },
});

const { rows, failures } = await runLoad({
  dist: path.resolve(values.dist),
  targets: path.resolve('test/targets'),
  seconds: Number(values.minutes) * 60,
  processes: Number(values.processes),
  watchers: Number(values.watchers),
  readers: Number(values.readers),
  slow: Number(values.slow),
  keys: Number(values.keys),
  pauseMs: Number(values['pause-ms']),
  say: (line) => console.log(line),
});
console.table(rows);
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
