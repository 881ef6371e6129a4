// The tests in groups that can run beside each other. Live tests start daemons, which attach to whatever they see, and Node's
// inspector has one port for the whole machine: these run beside others only where they see nothing of them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { aloneCommand } from './alone.mjs';
import { ROOT } from './install.mjs';

const GROUPS = [['unit', 'jvm', 'clr', 'browser'], ['inspector'], ['live']];

/** `argsOf(projects)`: what vitest is given for them. Gives { projects, isGood, seconds } for each group. */
export async function runGroups(argsOf, { node = process.execPath, env = process.env } = {}) {
  const commandOf = (projects) => {
    const chosen = projects.flatMap((project) => ['--project', project]);
    return [node, 'node_modules/vitest/vitest.mjs', 'run', ...chosen, '--passWithNoTests', ...argsOf(projects)];
  };
  const [rest, ...others] = GROUPS;
  const alone = others.map((projects) => ({ projects, command: aloneCommand(commandOf(projects)) }));
  if (alone.some(({ command }) => command === null))
    return oneByOne(GROUPS.map((projects) => ({ projects, command: commandOf(projects), output: 'inherit', env })));
  const results = await Promise.all([
    oneByOne([{ projects: rest, command: [...commandOf(rest), '--maxWorkers=2'], output: 'inherit', env }]),
    // What these print comes when they are over.
    oneByOne(alone.map(({ projects, command }) => ({ projects, command, output: 'pipe', env }))),
  ]);
  return results.flat();
}

async function oneByOne(groups) {
  const results = [];
  for (const group of groups) results.push(await run(group));
  return results;
}

async function run({ projects, command: [program, ...args], output, env }) {
  const started = performance.now();
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', output, output], env });
  const printed = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(printed));
  return { projects, isGood: code === 0, seconds: Math.round((performance.now() - started) / 1000) };
}
