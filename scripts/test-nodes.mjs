// `npm run test:nodes [-- 22 24 26 …]`: all tests again, with these versions of Node as what runs the tests, the daemon and
// the programs that are looked into. After `npm test`, which builds and fetches everything. Arguments that are no version
// go to vitest: `npm run test:nodes -- 26 test/http`.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { aloneCommand } from './alone.mjs';
import { ROOT } from './install.mjs';
import { installRuntime } from './runtimes.mjs';

const GROUPS = [['unit', 'jvm', 'clr', 'browser'], ['inspector'], ['live']];
const isVersion = (text) => /^\d+$/.test(text);
const asked = process.argv.slice(2).filter(isVersion);
const filters = process.argv.slice(2).filter((text) => !isVersion(text));

const rows = [];
for (const version of asked.length > 0 ? asked : ['22', '24', '26'])
  for (const projects of GROUPS) rows.push(runGroup(installRuntime(`node${version}`), projects));
console.table(rows.map(({ failures, ...row }) => row));
for (const { node, failures } of rows) for (const failure of failures) console.log(`${node}: ${failure}`);
process.exit(rows.every(({ isGood }) => isGood) ? 0 : 1);

function runGroup(node, projects) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  // Not below /tmp, which is another one for tests that run alone.
  const report = path.join(ROOT, '.cache', `${version}-${projects[0]}.json`);
  fs.rmSync(report, { force: true });
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`];
  const command = [
    node,
    'node_modules/vitest/vitest.mjs',
    'run',
    ...chosen,
    '--passWithNoTests',
    ...reporters,
    ...filters,
  ];
  const [program, ...args] = (projects[0] === 'unit' ? null : aloneCommand(command)) ?? command;
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
  const started = performance.now();
  const isGood = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env }).status === 0;
  const seconds = Math.round((performance.now() - started) / 1000);
  const { numPassedTests: passed = 0, numFailedTests: failed = 0, testResults = [] } = readReport(report);
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed').map((test) => test.fullName);
    const all = failed.length === 0 && status === 'failed' ? [message] : failed;
    return all.map((text) => `${path.relative(ROOT, name)}: ${text}`);
  });
  return { node: version, projects: projects.join(' '), passed, failed, seconds, isGood, failures };
}

function readReport(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
