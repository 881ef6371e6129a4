/**
 * How far a scripted agent gets with substrate's tools, on apps that others wrote, and with @playwright/mcp where the
 * app is a page. `npm run bench agent -- [web] [programs] [corpus] [--app name]`; without a name all parts. All that was
 * measured so far is printed in the end, `npm run bench agent -- tables` prints it alone. Figures and transcripts lie in
 * .cache/bench-agent.
 */
import type { App } from './agent/app.ts';
import { WEB_APPS } from './agent/apps/index.ts';
import { measureCorpus, printCorpus } from './agent/corpus.ts';
import { installApp, unpackDebian } from './agent/install.ts';
import { measureApp } from './agent/measure.ts';
import { readOptions } from './agent/options.ts';
import { PROGRAMS } from './agent/programs/index.ts';
import { type Measured, printFindings, save, saved } from './agent/results.ts';
import { isAlone, runAlone } from './shared/alone.ts';

const options = readOptions(process.argv.slice(2));
const has = (part: string) => options.parts.includes(part);
const isWanted = ({ name }: { readonly name: string }) => options.apps.length === 0 || options.apps.includes(name);
const tools = (['substrate', 'playwright'] as const).filter((tool) => options.tools.includes(tool));

const webApps = has('web') || has('corpus') ? WEB_APPS.filter(isWanted) : [];
const programs = has('programs') || has('corpus') ? PROGRAMS.filter(isWanted) : [];

if (isAlone() === null) {
  // Before: there is no network where the measurement runs.
  for (const app of [...webApps, ...programs]) installApp(app);
  const skipped = programs.flatMap((app) => unpackDebian(app) ?? []);
  for (const reason of skipped) console.log(`Skipped: ${reason}.`);
  process.exit(runAlone());
}

const measured = async <Result extends Measured>(
  part: string,
  apps: readonly App[],
  measure: (app: App) => Promise<readonly Result[]>,
) => {
  for (const app of has(part) ? apps : []) {
    const results = await measure(app).catch((error: unknown) => console.error(app.name, error));
    if (results) save(part, results);
  }
};
await measured('web', webApps, (app) => measureApp(app, tools));
await measured('programs', programs, (app) => measureApp(app, ['substrate']));
await measured('corpus', [...webApps, ...programs], measureCorpus);

printFindings('web', saved('web'));
printFindings('programs', saved('programs'));
printCorpus(saved('corpus'));
process.exit(0);
