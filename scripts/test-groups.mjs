// The tests in groups that can run beside each other. Live tests start daemons, which attach to whatever they see, and Node's
// inspector has one port for the whole machine: groups run beside each other only where they see nothing of each other. Each
// then has a /tmp of its own too, and what programs leave there when they are killed goes with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { aloneCommand } from './alone.mjs';
import { ROOT } from './install.mjs';

const GROUPS = [['unit', 'jvm', 'clr', 'browser'], ['inspector'], ['live']];

/** Gives { projects, isGood, seconds, passed, skipped, failures, unstable } for each group. `args` are for vitest. */
export async function runGroups(args, { node = process.execPath, env = process.env } = {}) {
  const groups = GROUPS.map((projects) => {
    const chosen = projects.flatMap((project) => ['--project', project]);
    const reporters = ['--reporter=default', '--reporter=./scripts/outcome-reporter.mjs'];
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', ...reporters];
    return { projects, command: [node, ...vitest, ...chosen, ...args], output: 'inherit', env };
  });
  const alone = groups.map((group) => ({ ...group, command: aloneCommand(group.command) }));
  if (alone.some(({ command }) => command === null)) return oneByOne(groups);
  const [rest, ...others] = alone;
  const results = await Promise.all([
    oneByOne([{ ...rest, command: [...rest.command, '--maxWorkers=2'] }]),
    // What these print comes when they are over.
    oneByOne(others.map((group) => ({ ...group, output: 'pipe' }))),
  ]);
  return results.flat();
}

/** The last words: how each group went, and what failed. Gives whether nothing did. */
export function sayOutcome(groups) {
  console.table(
    groups.map(({ failures, unstable, ...group }) => ({
      ...group,
      failed: failures.length,
      unstable: unstable.length,
    })),
  );
  for (const { projects, failures, unstable } of groups) {
    for (const each of unstable) console.error(`UNSTABLE (${projects}), failed once and then passed: ${each}\n`);
    for (const failure of failures) console.error(`FAILED (${projects}) ${failure}\n`);
  }
  return groups.every(({ isGood }) => isGood);
}

async function oneByOne(groups) {
  const results = [];
  for (const group of groups) results.push(await run(group));
  return results;
}

async function run({ projects, command: [program, ...args], output, env }) {
  const started = performance.now();
  // Not below /tmp, which is another one for tests that run alone.
  const outcomeFile = path.join(ROOT, '.cache', `outcome-${projects[0]}.json`);
  fs.rmSync(outcomeFile, { force: true });
  const stdio = ['ignore', output, output];
  const child = spawn(program, args, { cwd: ROOT, stdio, env: { ...env, OUTCOME_FILE: outcomeFile } });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [code, signal] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  const seconds = Math.round((performance.now() - started) / 1000);
  return { projects: projects.join(' '), isGood: code === 0, seconds, ...readOutcome(outcomeFile, signal ?? code) };
}

function readOutcome(file, end) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return { passed: 0, skipped: 0, failures: [`vitest ended by itself (${end})`], unstable: [] };
  }
}
