/** A Java program that computes: its loss of speed while attached, and its memory afterwards. */
import { once } from 'node:events';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanEnv, ownCpu, type Program, rssMb, startProgram, waitFor } from '../shared/proc.ts';
import { compileJava, javaCommand } from './compiled.ts';
import { HarmDaemon, withDaemon } from './harm-daemon.ts';
import { type Findings, type Goal, medianOf, type Row, ratio, rssGoal, say, signed } from './results.ts';

/** Until the compilers of the JVM are done. */
const WARM_UP_MS = 8000;
const WINDOW_MS = 10_000;
const READY_SECONDS = 60;
const ATTACHES = 10;
const NAME = 'Java, 10,000 keys';
const LEAST_THROUGHPUT = 0.98;
const MOST_GROWTH = 1.1;

interface Speed {
  /** Operations per second. */
  readonly wall: number;
  /** Operations per second of CPU time of the whole program, which a busy machine does not change. */
  readonly cpu: number;
}

/** One JVM with two windows: in the second one it is attached, or not. */
interface JobRun {
  readonly first: Speed;
  readonly second: Speed;
  readonly rss: number;
  /** Age at the beginning of the second window, in ms. */
  readonly secondAt: number;
  /** The daemon's view of its state. */
  readonly sight: string;
}

export { compileJava as prepareJava };

export async function measureJava(rounds: number): Promise<Findings> {
  if (javaCommand('Job') === null) {
    say('no JDK 17 here: the Java program is left out');
    return { rows: [], goals: [] };
  }
  const on: JobRun[] = [];
  const off: JobRun[] = [];
  for (let round = 0; round < rounds; round++) {
    const run = await runJob(null);
    on.push(run);
    off.push(await runJob(run.secondAt));
    say(`Java, round ${round + 1}: second window to first ${share(off.at(-1))} off, ${share(run)} on`);
  }
  const grown = await attachOften();
  return { rows: [...rowsOf(off, on), growthRow(grown)], goals: [...goalsOf(off, on), growthGoal(grown)] };
}

const shareOf = ({ first, second }: JobRun, by: keyof Speed) => second[by] / first[by];
const share = (run: JobRun | undefined, by: keyof Speed = 'wall') => (run ? shareOf(run, by).toFixed(3) : '–');

/** `secondAt`: without a daemon, the second window begins at this age. Null if a daemon attaches before it. */
async function runJob(secondAt: number | null): Promise<JobRun> {
  const job = await startJob();
  try {
    await delay(WARM_UP_MS);
    const first = await throughput(job);
    return await withDaemon(secondAt === null, async (daemon) => {
      if (daemon) await attachTo(daemon, job.pid);
      else await delay(Math.max(0, (secondAt ?? 0) - age(job)));
      const at = age(job);
      const second = await throughput(job);
      const rss = rssMb(job.pid);
      return { first, second, rss, secondAt: at, sight: (await daemon?.sight(job.pid)) ?? '' };
    });
  } finally {
    await job.end();
  }
}

const age = ({ startedAt }: Program) => performance.now() - startedAt;

async function startJob(): Promise<Program> {
  const [java = '', ...args] = javaCommand('Job', ['-Xmx256m']) ?? [];
  const job = startProgram(java, args, { env: cleanEnv(os.tmpdir()) });
  await waitFor('the Java program', READY_SECONDS, () => job.stdout().startsWith('ready\n'));
  return job;
}

/** A program that computes is not attached to without being asked. */
async function attachTo(daemon: HarmDaemon, pid: number): Promise<void> {
  await waitFor('the Java program in the list', READY_SECONDS, () => daemon.statusOf(pid));
  await daemon.attach(pid);
}

async function throughput(job: Program): Promise<Speed> {
  const before = { ...(await progress(job)), cpu: ownCpu(job.pid) };
  await delay(WINDOW_MS);
  const after = { ...(await progress(job)), cpu: ownCpu(job.pid) };
  const operations = after.operations - before.operations;
  return { wall: operations / ((after.nanos - before.nanos) / 1e9), cpu: operations / (after.cpu - before.cpu) };
}

async function progress({ child }: Program): Promise<{ operations: number; nanos: number }> {
  if (!child.stdout) throw new Error('its output is a pipe');
  const line = once(child.stdout, 'data');
  child.stdin?.write('\n');
  const [operations = Number.NaN, nanos = Number.NaN] = String((await line)[0])
    .split(' ')
    .map(Number);
  return { operations, nanos };
}

interface Growth {
  readonly before: number;
  readonly first: number;
  readonly last: number;
}

/** Attached and detached, again and again. */
async function attachOften(): Promise<Growth> {
  const job = await startJob();
  const daemon = await HarmDaemon.start();
  try {
    await delay(WARM_UP_MS);
    const sizes = [rssMb(job.pid)];
    for (let time = 0; time < ATTACHES; time++) {
      await attachTo(daemon, job.pid);
      await daemon.detach(job.pid);
      sizes.push(rssMb(job.pid));
    }
    say(`Java, memory after each of ${ATTACHES} attaches: ${sizes.map((size) => size.toFixed(1)).join(' ')} MB`);
    const [before = Number.NaN, first = Number.NaN] = sizes;
    return { before, first, last: sizes.at(-1) ?? Number.NaN };
  } finally {
    await daemon.stop();
    await job.end();
  }
}

function rowsOf(off: readonly JobRun[], on: readonly JobRun[]): Row[] {
  const rss = (runs: readonly JobRun[]) => medianOf(runs, (run) => run.rss);
  return [
    speedRow('million operations per second', 'wall', off, on),
    speedRow('million operations per second of CPU', 'cpu', off, on),
    {
      what: `${NAME}: memory MB`,
      off: rss(off).toFixed(1),
      on: rss(on).toFixed(1),
      difference: ratio(rss(on), rss(off)),
      note: `${signed(rss(on) - rss(off))} MB, ${on[0]?.sight}`,
    },
  ];
}

function speedRow(unit: string, by: keyof Speed, off: readonly JobRun[], on: readonly JobRun[]): Row {
  const millions = (runs: readonly JobRun[]) => (medianOf(runs, ({ second }) => second[by]) / 1e6).toFixed(2);
  const shares = (runs: readonly JobRun[]) => runs.map((run) => share(run, by)).join(' ');
  return {
    what: `${NAME}: ${unit}`,
    off: millions(off),
    on: millions(on),
    difference: `${speedRatio(off, on, by).toFixed(3)} x`,
    note: `against the same JVM before: off ${shares(off)}, on ${shares(on)}`,
  };
}

/**
 * Two JVMs compile the same code differently: each is compared with itself, and that with one that was never attached.
 */
function speedRatio(off: readonly JobRun[], on: readonly JobRun[], by: keyof Speed): number {
  return medianOf(on, (run) => shareOf(run, by)) / medianOf(off, (run) => shareOf(run, by));
}

function goalsOf(off: readonly JobRun[], on: readonly JobRun[]): Goal[] {
  const found = speedRatio(off, on, 'wall');
  const rss = (runs: readonly JobRun[]) => medianOf(runs, (run) => run.rss);
  return [
    {
      what: 'Java: throughput',
      wanted: `at least ${LEAST_THROUGHPUT} x`,
      found: `${found.toFixed(3)} x`,
      isMet: found >= LEAST_THROUGHPUT,
    },
    rssGoal('Java', rss(off), rss(on)),
  ];
}

function growthRow({ before, first, last }: Growth): Row {
  return {
    what: `Java, ${ATTACHES} attaches and detaches: memory MB`,
    off: `${first.toFixed(1)} after the first`,
    on: `${last.toFixed(1)} after the last`,
    difference: ratio(last, first),
    note: `${before.toFixed(1)} before`,
  };
}

function growthGoal({ first, last }: Growth): Goal {
  return {
    what: `Java: memory after ${ATTACHES} attaches`,
    wanted: `at most ${MOST_GROWTH} x of the first`,
    found: ratio(last, first),
    isMet: last / first <= MOST_GROWTH,
  };
}
