/**
 * The daemon's effect on other programs, with its default settings: off and on in turns. `npm run bench harm -- [tools]
 * [server] [java] [short] [--rounds 3] [--tool jest] [--short 300]`; without a name all parts.
 */

import { prepareFolders } from './harm/folders.ts';
import { measureJava, prepareJava } from './harm/java.ts';
import { readOptions } from './harm/options.ts';
import type { Findings } from './harm/results.ts';
import { printFindings } from './harm/results.ts';
import { measureServers } from './harm/server.ts';
import { measureShort, prepareShort } from './harm/short.ts';
import { installTools } from './harm/tool-packages.ts';
import { measureTools } from './harm/tools.ts';
import { excludeWhatRuns, isAlone, runAlone } from './shared/alone.ts';

const options = readOptions(process.argv.slice(2));
const has = (part: string) => options.parts.includes(part);

if (isAlone() === null) {
  // Beforehand, because the measurement has no network.
  prepareFolders();
  if (has('tools')) installTools();
  if (has('java')) prepareJava();
  if (has('short')) prepareShort();
  process.exit(runAlone());
}
if (!isAlone()) excludeWhatRuns();

const findings: Findings[] = [];
if (has('tools')) findings.push(await measureTools(options.rounds, options.tools));
if (has('server')) findings.push(await measureServers(options.rounds));
if (has('java')) findings.push(await measureJava(options.rounds));
if (has('short')) findings.push(await measureShort(options.short));
printFindings(findings);
