/**
 * How far a scripted agent gets with substrate's tools, on third-party apps, and with @playwright/mcp if the app is a
 * page. `npm run bench agent -- [web] [programs] [corpus] [--app name]`; without a name all parts. All results so far
 * are printed at the end; `npm run bench agent -- tables` only prints them. `npm run bench agent -- first programs
 * [--set one]` and `-- first web [--set one]` measure programs that were never opened before; `--rehearse` only starts
 * and fills them. The budgets are those of users, with `--unlimited` those of the tests. Figures and transcripts are in
 * .cache/bench-agent.
 */
import type { App } from './agent/app.ts';
import { WEB_APPS } from './agent/apps/index.ts';
import { printCalibration } from './agent/calibration.ts';
import { measureCorpus, printCorpus } from './agent/corpus.ts';
import { printFirst, statedIn } from './agent/first/first-results.ts';
import { FIRST_PROGRAMS } from './agent/first/index.ts';
import { type FirstFinding, measureFirst, rehearse } from './agent/first/measure-first.ts';
import { FIRST_WEB } from './agent/first/web/index.ts';
import { FIRST_WEB_TWO } from './agent/first/web-two/index.ts';
import { installApp, unpackDebian } from './agent/install.ts';
import { measureApp } from './agent/measure.ts';
import { readOptions } from './agent/options.ts';
import { PROGRAMS } from './agent/programs/index.ts';
import { type Measured, printFindings, save, saved } from './agent/results.ts';
import { limitNothing } from './agent/stage.ts';
import { isAlone, runAlone } from './shared/alone.ts';

const options = readOptions(process.argv.slice(2));
if (options.unlimited) limitNothing();
const has = (part: string) => options.parts.includes(part);
const isWanted = ({ name }: { readonly name: string }) => options.apps.length === 0 || options.apps.includes(name);
const tools = (['substrate', 'playwright'] as const).filter((tool) => options.tools.includes(tool));

const { firstSet } = options;
const FIRST_WEB_SETS: Readonly<Record<string, readonly App[]>> = { one: FIRST_WEB, two: FIRST_WEB_TWO };
const FIRST_WEB_PART = firstSet === null || firstSet === 'one' ? 'first-web' : `first-web-${firstSet}`;
const isUsual = firstSet === null;
const webApps = isUsual && (has('web') || has('corpus')) ? WEB_APPS.filter(isWanted) : [];
const programs = isUsual && (has('programs') || has('corpus')) ? PROGRAMS.filter(isWanted) : [];
const firstSetPrograms = FIRST_PROGRAMS[firstSet ?? ''] ?? [];
if (!isUsual && firstSetPrograms.length === 0) {
  throw new Error(`--set ${firstSet}: expected ${Object.keys(FIRST_PROGRAMS).join(', ')}`);
}
const firstPrograms = !isUsual && has('programs') ? firstSetPrograms.filter(isWanted) : [];
const firstWeb = !isUsual && has('web') ? (FIRST_WEB_SETS[firstSet] ?? []).filter(isWanted) : [];

if (isAlone() === null) {
  // Beforehand, because the measurement has no network.
  for (const app of [...webApps, ...programs, ...firstPrograms, ...firstWeb]) installApp(app);
  const skipped = [...programs, ...firstPrograms].flatMap((app) => unpackDebian(app) ?? []);
  for (const reason of skipped) console.log(`Skipped: ${reason}.`);
  process.exit(runAlone());
}

const measured = async <One extends App, Result extends Measured>(
  part: string,
  apps: readonly One[],
  measure: (app: One) => Promise<readonly Result[]>,
) => {
  for (const app of apps) {
    const results = await measure(app).catch((error: unknown) => console.error(app.name, error));
    if (results) save(part, results);
  }
};

if (!isUsual) {
  const partOf = (set: string | null) =>
    `first-${options.factsOnly ? 'facts' : 'programs'}-${set}${options.unlimited ? '-unlimited' : ''}`;
  const part = partOf(firstSet);
  const apps: readonly App[] = [...firstPrograms, ...firstWeb];
  if (options.rehearse) for (const app of apps) await rehearse(app).catch((error) => console.error(error));
  else {
    await measured(part, firstPrograms, (app) => measureFirst(app, options.factsOnly));
    await measured(FIRST_WEB_PART, firstWeb, (app) => measureApp(app, tools));
  }
  if (has('web')) printFindings(FIRST_WEB_PART, saved(FIRST_WEB_PART));
  if (!has('programs')) process.exit(0);
  const all = saved<FirstFinding>(part);
  const order = firstSetPrograms.map(({ name }) => name);
  printFirst(
    `first contact with programs, set ${firstSet}`,
    order.flatMap((name) => all.find(({ app }) => app === name) ?? []),
  );
  // All sets that were measured in this way.
  printCalibration(Object.keys(FIRST_PROGRAMS).flatMap((set) => saved<FirstFinding>(partOf(set)).map(statedIn)));
  process.exit(0);
}

const only = <One>(part: string, apps: readonly One[]) => (has(part) ? apps : []);
await measured('web', only('web', webApps), (app) => measureApp(app, tools));
await measured('programs', only('programs', programs), (app) => measureApp(app, ['substrate']));
await measured('corpus', only('corpus', [...webApps, ...programs]), measureCorpus);

printFindings('web', saved('web'));
printFindings('programs', saved('programs'));
printCorpus(saved('corpus'));
process.exit(0);
