/**
 * `npm run test:fuzz [-- --minutes N] [--seed N]`: every parser in turn until the time is up. Prints the inputs of
 * each.
 */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { PARSERS } from './parsers.ts';

const RUNS = 2000;
/** More than this after all inputs is a leak. */
const MAX_GROWTH_MB = 32;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } } });
const until = performance.now() + Number(values.minutes) * 60_000;
let seed = values.seed === undefined ? Date.now() : Number(values.seed);
console.log(`seed ${seed}`);

const results = new Map(PARSERS.map(({ name }) => [name, { inputs: 0, slowest: 0, failures: 0 }]));
let first: number | null = null;
while (performance.now() < until) {
  for (const parser of PARSERS) {
    const result = results.get(parser.name);
    if (result === undefined || performance.now() > until) continue;
    try {
      result.slowest = Math.max(result.slowest, fuzz(parser, RUNS, ++seed));
    } catch (error) {
      result.failures++;
      console.error(`${parser.name}, seed ${seed}: ${error instanceof Error ? error.message : error}`);
    }
    result.inputs += RUNS;
  }
  // The first round fills permanent caches.
  first ??= heldMb();
}
const growth = heldMb() - (first ?? 0);
console.table(
  Object.fromEntries(
    [...results].map(([name, { slowest, ...rest }]) => [name, { ...rest, 'slowest ms': Math.round(slowest) }]),
  ),
);
const total = (count: (result: { inputs: number; failures: number }) => number) =>
  [...results.values()].reduce((sum, result) => sum + count(result), 0);
const failures = total((result) => result.failures);
console.log(
  `${total(({ inputs }) => inputs)} inputs, ${failures} failures, ${growth.toFixed(1)} MB more than after the first round`,
);
process.exitCode = failures > 0 || growth > MAX_GROWTH_MB ? 1 : 0;

function heldMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
