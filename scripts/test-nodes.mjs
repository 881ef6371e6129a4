// `npm run test:nodes [-- 22 24 26 …]`: all tests again, with these versions of Node for the tests, the daemon and the
// programs that it attaches to. Run it after `npm test`, which builds and fetches everything. Other arguments are for
// vitest: `npm run test:nodes -- 26 test/unit/http`.
import path from 'node:path';
import { installRuntime } from './runtimes.mjs';
import { runGroups, sayOutcome } from './test-groups.mjs';

const isVersion = (text) => /^\d+$/.test(text);
const asked = process.argv.slice(2).filter(isVersion);
const filters = process.argv.slice(2).filter((text) => !isVersion(text));

const groups = [];
for (const version of asked.length > 0 ? asked : ['22', '24', '26']) {
  const node = installRuntime(`node${version}`);
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  for (const group of await runGroups(filters, { node, env })) groups.push({ node: version, ...group });
}
process.exit(sayOutcome(groups) ? 0 : 1);
