// `npm run check`: lint, types, unused code, and all tests that need only Node. Arguments are for vitest. With
// `--watch`: lint, types and the tests that a change concerns, after each change.
import { CHECKS } from './checks.mjs';
import { runTasks } from './tasks.mjs';
import { runGroup, sayOutcome, vitestCommand } from './test-groups.mjs';
import { watchChecks } from './watch.mjs';

const started = Date.now();
const isBuilt = await runTasks([
  { what: 'npm packages', command: [process.execPath, 'scripts/install.mjs'] },
  { what: 'build', command: [process.execPath, 'scripts/build.mjs'], after: ['npm packages'] },
]);
if (!isBuilt) process.exit(1);
const args = process.argv.slice(2);
if (args.includes('--watch')) await watchChecks(args.filter((arg) => arg !== '--watch'));
else await checkOnce();

async function checkOnce() {
  const checks = CHECKS.map((check) => ({ ...check, after: [] }));
  // In parallel, since tests wait a good part of their time. The output is printed at the end.
  const [areGood, result] = await Promise.all([
    runTasks(checks, 1),
    runGroup({ groups: ['unit'], command: vitestCommand(['unit'], args), output: 'pipe' }),
  ]);
  const isGood = sayOutcome([result]) && areGood;
  console.error(`Done in ${Math.round((Date.now() - started) / 1000)} s. Tests on real programs: npm test`);
  process.exit(isGood ? 0 : 1);
}
