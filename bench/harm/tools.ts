/** Compilers, bundlers, test runners and linters: the daemon must not attach to them, and they must not notice it. */
import { withDaemon } from './harm-daemon.ts';
import { type Findings, type Goal, median, type Row, ratio, say } from './results.ts';
import { isSameOutput } from './same-output.ts';
import { makeToolApps, type ToolApp } from './tool-apps.ts';
import { runTool, type ToolRun } from './tool-run.ts';

const MOST_CPU = 1.02;

interface OnRun extends ToolRun {
  readonly attaches: number;
}

interface ToolResult {
  readonly name: string;
  readonly off: readonly ToolRun[];
  readonly on: readonly OnRun[];
  readonly isSame: boolean;
}

/** `wanted`: their names; empty for all. */
export async function measureTools(rounds: number, wanted: readonly string[]): Promise<Findings> {
  const results: ToolResult[] = [];
  const apps = makeToolApps().filter(({ command }) => wanted.length === 0 || wanted.includes(command[0] ?? ''));
  for (const app of apps) results.push(await measureTool(app, rounds));
  return { rows: results.map(rowOf), goals: goalsOf(results) };
}

async function measureTool(app: ToolApp, rounds: number): Promise<ToolResult> {
  // Fills the caches; its output is one more sample of the natural differences.
  const first = await runTool(app);
  say(`${app.name}: ended with ${first.code}, ${first.cpu.toFixed(2)} s of CPU`);
  const off: ToolRun[] = [];
  const on: OnRun[] = [];
  for (let round = 0; round < rounds; round++) {
    // The first one alternates with each round.
    for (const isOn of round % 2 === 0 ? [false, true] : [true, false]) {
      if (isOn) on.push(await runBesideDaemon(app));
      else off.push(await runTool(app));
    }
    say(
      `${app.name}, round ${round + 1}: off ${off.at(-1)?.cpu.toFixed(2)} s, on ${on.at(-1)?.cpu.toFixed(2)} s of CPU`,
    );
  }
  const isSame = on.every((run) => isSameRun([first, ...off], run, app.isUnordered));
  return { name: app.name, off, on, isSame };
}

function runBesideDaemon(app: ToolApp): Promise<OnRun> {
  return withDaemon(true, async (daemon) => {
    const touched = daemon?.watchAttaches();
    const run = await runTool(app);
    return { ...run, attaches: (await touched?.())?.size ?? 0 };
  });
}

function isSameRun(before: readonly ToolRun[], run: ToolRun, isUnordered: boolean): boolean {
  const isSame = (stream: 'stdout' | 'stderr') =>
    isSameOutput(
      before.map((other) => other[stream]),
      run[stream],
      isUnordered,
    );
  const hasSameCode = before.every(({ code }) => code === run.code);
  if (!hasSameCode) say(`exit code ${run.code} instead of ${before[0]?.code}`);
  for (const stream of ['stdout', 'stderr'] as const) {
    if (!isSame(stream)) say(`${stream} is another one:\n${run[stream].slice(-2000)}`);
  }
  return hasSameCode && isSame('stdout') && isSame('stderr');
}

const cpuOf = (runs: readonly ToolRun[]) => median(runs.map(({ cpu }) => cpu));
const attachesOf = ({ on }: ToolResult) => on.reduce((sum, { attaches }) => sum + attaches, 0);

function rowOf(result: ToolResult): Row {
  const { name, off, on, isSame } = result;
  const cpus = off.map(({ cpu }) => cpu);
  const codes = [...new Set([...off, ...on].map(({ code }) => code))].join(', ');
  return {
    what: `${name}: CPU s`,
    off: cpuOf(off).toFixed(2),
    on: cpuOf(on).toFixed(2),
    difference: ratio(cpuOf(on), cpuOf(off)),
    note: [
      `output ${isSame ? 'same' : 'DIFFERENT'}`,
      `exit code ${codes}`,
      `${attachesOf(result)} attaches`,
      `off by itself ${ratio(Math.max(...cpus), Math.min(...cpus))}`,
    ].join(', '),
  };
}

function goalsOf(results: readonly ToolResult[]): Goal[] {
  const slow = results.filter(({ off, on }) => cpuOf(on) / cpuOf(off) > MOST_CPU);
  const other = results.filter(({ isSame }) => !isSame);
  const attaches = results.reduce((sum, result) => sum + attachesOf(result), 0);
  const names = (list: readonly ToolResult[]) => list.map(({ name }) => name).join(', ');
  const worst = Math.max(...results.map(({ off, on }) => cpuOf(on) / cpuOf(off)));
  return [
    {
      what: 'tools: CPU',
      wanted: `at most ${MOST_CPU} x`,
      found: slow.length === 0 ? `at most ${worst.toFixed(3)} x` : `up to ${worst.toFixed(3)} x: ${names(slow)}`,
      isMet: slow.length === 0,
    },
    {
      what: 'tools: output and exit code',
      wanted: 'same',
      found: other.length === 0 ? 'same' : `DIFFERENT: ${names(other)}`,
      isMet: other.length === 0,
    },
    { what: 'tools: attached to', wanted: '0', found: String(attaches), isMet: attaches === 0 },
  ];
}
