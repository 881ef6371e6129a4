// The tests in groups that can run in parallel. Tests of `e2e` start daemons, which attach to everything they see, and
// Node's inspector has one port for the whole machine: groups run in parallel only if they are isolated from each
// other. Each then also has a /tmp of its own, so that leftovers of killed programs go with it.
//
// A failed test fails the run. Only those listed in test/unsteady.json are tried once more: [{ "file", "name", "known":
// findings about it, "since": "2026-11-16" }].
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { aloneCommand } from './alone.mjs';
import { PARALLEL, UNIT } from './groups.mjs';
import { ROOT } from './install.mjs';
import { missingRuntimes } from './runtimes.mjs';

/**
 * Lanes run beside each other, the runs of a lane one after the other. Tests of all groups but `unit` wait for other
 * processes a good part of their time, so that two cores are busy with all of them until the end. Unit tests have a run of
 * their own, because they need only a build: they start while programs for the other tests are still being fetched.
 */
const WORKERS = Math.max(2, os.availableParallelism() - 1);
const LANES = [
  [
    { groups: [UNIT], workers: WORKERS },
    // More at a time, and programs with windows start too slowly.
    { groups: PARALLEL.filter((group) => group !== UNIT), workers: WORKERS },
  ],
  [
    { groups: ['inspector'], workers: 1 },
    { groups: ['e2e'], workers: 1, shard: '1/2' },
  ],
  [{ groups: ['e2e'], workers: 1, shard: '2/2' }],
];
const UNSTEADY = JSON.parse(fs.readFileSync(path.join(ROOT, 'test/unsteady.json'), 'utf8'));
const SLOW_FILES = 8;

/** The command that runs the tests of these groups; `args` are for vitest. */
export function vitestCommand(groups, args, node = process.execPath) {
  const chosen = groups.flatMap((group) => ['--project', group]);
  const reporters = ['--reporter=default', '--reporter=./scripts/outcome-reporter.mjs'];
  return [node, 'node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...reporters, ...chosen, ...args];
}

/**
 * Gives what `runTests` gives, for each set of groups. `args` are for vitest. `isReady(groups)` says, when it is known,
 * whether these groups can run; those that cannot are left out.
 */
export async function runGroups(args, { node = process.execPath, env = process.env, isReady = async () => true } = {}) {
  const lanes = LANES.map((runs, lane) =>
    runs.map(({ groups, shard, workers }) => ({
      groups,
      shard,
      isReady,
      command: [
        ...vitestCommand(groups, shard === undefined ? args : [...args, `--shard=${shard}`], node),
        `--maxWorkers=${workers}`,
      ],
      env,
      // The output of later lanes is printed at their end.
      output: lane === 0 ? 'inherit' : 'pipe',
    })),
  );
  // The system's tools for namespaces may be among what is being installed.
  if (!(await isReady([UNIT]))) return [];
  const alone = lanes.map((lane) => lane.map((run) => ({ ...run, command: aloneCommand(run.command) })));
  if (alone.flat().some(({ command }) => command === null)) return oneByOne(lanes.flat());
  return (await Promise.all(alone.map(oneByOne))).flat();
}

async function oneByOne(runs) {
  const results = [];
  for (const run of runs) if (await run.isReady(run.groups)) results.push(await runGroup(run));
  return results;
}

/**
 * Listed tests that failed are run again, each alone, in a process of its own. Those that pass then are no failures.
 */
export async function runGroup(run) {
  const result = await runTests(run);
  const again = [];
  for (const failure of result.failures) {
    const entry = UNSTEADY.find(({ file, name }) => file === failure.file && name === failure.name);
    if (entry === undefined) continue;
    const pattern = `^${failure.name.replace(/ > /g, ' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
    const command = [...run.command, failure.file, '-t', pattern];
    const second = await runTests({ ...run, command });
    if (second.isGood && second.passed > 0) again.push({ ...failure, entry });
  }
  const failures = result.failures.filter(
    ({ file, name }) => !again.some((one) => one.file === file && one.name === name),
  );
  const isGood = result.isGood || (again.length > 0 && failures.length === 0);
  return { ...result, isGood, failures, again };
}

/**
 * Returns { groups, isGood, seconds, passed, skipped, failures, slow } of one run of vitest. `output`: 'inherit',
 * 'pipe' (printed at the end) or 'ignore'.
 */
export async function runTests({ groups, shard, command: [program, ...args], output = 'inherit', env = process.env }) {
  const started = performance.now();
  // Not below /tmp, which is another one for tests that run alone.
  const name = [groups[0], ...(shard?.split('/') ?? [])].join('-');
  const outcomeFile = path.join(ROOT, '.cache', `outcome-${name}.json`);
  fs.mkdirSync(path.dirname(outcomeFile), { recursive: true });
  fs.rmSync(outcomeFile, { force: true });
  const stdio = ['ignore', output, output];
  const child = spawn(program, args, { cwd: ROOT, stdio, env: { ...env, OUTCOME_FILE: outcomeFile } });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [code, signal] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  const seconds = Math.round((performance.now() - started) / 1000);
  return {
    groups: [...groups, ...(shard === undefined ? [] : [shard])].join(' '),
    isGood: code === 0,
    seconds,
    ...readOutcome(outcomeFile, signal ?? code),
  };
}

function readOutcome(file, end) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    const failure = { file: 'vitest', name: 'the run itself', text: `It ended by itself (${end}).` };
    return { passed: 0, skipped: [], failures: [failure], slow: [] };
  }
}

/**
 * The summary: the result of each group, the time, skipped tests with the reason, and failures. Returns whether there
 * were none.
 */
export function sayOutcome(results) {
  const total = (count) => results.reduce((sum, result) => sum + count(result), 0);
  console.table(
    results.map(({ node, groups, seconds, passed, skipped, failures, again = [] }) => ({
      ...(node === undefined ? {} : { node }),
      groups,
      seconds,
      passed,
      skipped: skipped.length,
      'tried again': again.length,
      failed: failures.length,
    })),
  );
  saySlowest(results.flatMap(({ slow }) => slow));
  sayNotTried(results);
  for (const { groups, failures, again = [] } of results) {
    for (const { file, name, entry } of again)
      console.error(`UNSTEADY (${groups}) ${file}: ${name}\n  since ${entry.since}: ${entry.known}\n`);
    for (const { file, name, text } of failures) console.error(`FAILED (${groups}) ${file}: ${name}\n${text}\n`);
  }
  const [passed, failed] = [total((result) => result.passed), total(({ failures }) => failures.length)];
  console.log(`${passed} passed, ${failed} failed, ${total(({ skipped }) => skipped.length)} skipped`);
  return results.every(({ isGood }) => isGood);
}

function saySlowest(files) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOW_FILES);
  const list = slowest.map(({ file, seconds }) => `${file} ${seconds} s`);
  if (list.length > 0) console.log(`The longest files: ${list.join(', ')}`);
}

function sayNotTried(results) {
  const reasons = [];
  if (results.some(({ groups }) => groups !== UNIT))
    reasons.push(...missingRuntimes().map(({ label }) => `${label}: npm has no package of it for ${process.arch}`));
  if (process.getuid?.() !== 0) reasons.push('what needs root, as programs of other users do');
  const files = new Map();
  for (const file of results.flatMap(({ skipped }) => skipped)) files.set(file, (files.get(file) ?? 0) + 1);
  if (reasons.length === 0 && files.size === 0) return;
  console.log('Not tried here:');
  for (const reason of reasons) console.log(`  ${reason}`);
  for (const [file, count] of files) console.log(`  ${count} skipped in ${file}`);
}
