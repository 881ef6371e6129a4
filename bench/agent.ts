/**
 * How far a scripted agent gets with substrate's tools, on apps that others wrote, and with @playwright/mcp where the
 * app is a page. `npm run bench agent -- [web] [programs] [corpus] [--app name] [--tool substrate]`; without a name all
 * parts. Transcripts and figures lie in .cache/bench-agent.
 */
import { WEB_APPS } from './agent/apps/index.ts';
import { type CorpusFinding, measureCorpus, printCorpus } from './agent/corpus.ts';
import { installApp, unpackDebian } from './agent/install.ts';
import { type Finding, measureApp, type ToolName } from './agent/measure.ts';
import { readOptions } from './agent/options.ts';
import { PROGRAMS } from './agent/programs/index.ts';
import { printFindings } from './agent/results.ts';
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

if (has('web')) {
  const findings: Finding[] = [];
  for (const app of webApps) findings.push(...(await measureApp(app, tools as readonly ToolName[])));
  printFindings('web', findings);
}
if (has('programs')) {
  const findings: Finding[] = [];
  for (const app of programs) findings.push(...(await measureApp(app, ['substrate'])));
  printFindings('programs', findings);
}
if (has('corpus')) {
  const findings: CorpusFinding[] = [];
  for (const app of [...webApps, ...programs]) {
    const finding = await measureCorpus(app).catch((error: unknown) => console.error(app.name, error));
    if (finding) findings.push(finding);
  }
  printCorpus(findings);
}
process.exit(0);
