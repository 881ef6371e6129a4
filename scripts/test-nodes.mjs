// `npm run test:nodes [-- 22 24 26 …]`: all tests again, with these versions of Node as what runs the tests, the daemon and
// the programs that are looked into. After `npm test`, which builds and fetches everything. Arguments that are no version
// go to vitest: `npm run test:nodes -- 26 test/http`.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './install.mjs';
import { installRuntime } from './runtimes.mjs';
import { runGroups } from './test-groups.mjs';

const isVersion = (text) => /^\d+$/.test(text);
const asked = process.argv.slice(2).filter(isVersion);
const filters = process.argv.slice(2).filter((text) => !isVersion(text));

const rows = [];
for (const version of asked.length > 0 ? asked : ['22', '24', '26']) rows.push(...(await runAll(version)));
console.table(rows.map(({ failures, ...row }) => row));
for (const { node, failures } of rows) for (const failure of failures) console.log(`${node}: ${failure}`);
process.exit(rows.every(({ isGood }) => isGood) ? 0 : 1);

async function runAll(version) {
  const node = installRuntime(`node${version}`);
  // Not below /tmp, which is another one for tests that run alone.
  const reportOf = ([first]) => path.join(ROOT, '.cache', `node${version}-${first}.json`);
  const argsOf = (projects) => {
    fs.rmSync(reportOf(projects), { force: true });
    return ['--reporter=default', '--reporter=json', `--outputFile=${reportOf(projects)}`, ...filters];
  };
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  const groups = await runGroups(argsOf, { node, env });
  return groups.map(({ projects, isGood, seconds }) => {
    const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = readReport(reportOf(projects));
    const failures = testResults.flatMap(failuresOf);
    return { node: version, projects: projects.join(' '), passed, failed, seconds, isGood, failures };
  });
}

function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
  const all = failed.length === 0 && status === 'failed' ? [message] : failed;
  return all.map((text) => `${path.relative(ROOT, name)}: ${text}`);
}

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
