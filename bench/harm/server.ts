/** A server under load: the effect of the attach and of later polls on its clients and its memory. */
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanEnv, ownCpu, type Program, rssMb, startProgram, waitFor } from '../shared/proc.ts';
import { PROGRAMS } from './folders.ts';
import { type HarmDaemon, isTouched, withDaemon } from './harm-daemon.ts';
import { Load, type Times } from './load.ts';
import { type Findings, type Goal, median, medianOf, type Row, ratio, rssGoal, say, signed } from './results.ts';

const SIZES = [
  { rows: 100, name: 'server, 500 leaves' },
  { rows: 75_000, name: 'server, 375,000 leaves' },
];
const RATE = 200;
/** The daemon attaches to a listening program at the age of 3 s: the first window begins shortly before. */
const BEGIN_MS = 2500;
const ATTACH_MS = 12_000;
const ATTACHED_MS = 10_000;
const RSS_EVERY_MS = 250;
/** The machine may be busy. */
const TIMEOUT_SECONDS = 90;
const MOST_MORE_DURING = 30;
const MOST_MORE_ATTACHED = 5;

interface Window extends Times {
  /** Share of a core. */
  readonly cpu: number;
  readonly rss: number;
}

/** Ages of the server in ms: the run without the daemon is measured at the same ones. */
interface Ages {
  readonly attachOver: number;
  readonly attached: number;
}

interface Ride {
  readonly during: Window;
  readonly attached: Window;
  readonly ages: Ages;
  /** The daemon's view of its state. */
  readonly sight: string;
}

export async function measureServers(rounds: number): Promise<Findings> {
  const load = new Load();
  try {
    const all: Findings[] = [];
    for (const { rows, name } of SIZES) {
      const on: Ride[] = [];
      const off: Ride[] = [];
      for (let round = 0; round < rounds; round++) {
        // The run with the daemon comes first, because it determines the ages for the other one.
        const ride = await withDaemon(true, (daemon) => rideServer(rows, load, daemon, null));
        on.push(ride);
        off.push(await rideServer(rows, load, null, ride.ages));
        say(`${name}, round ${round + 1}: p99 ${rideText(off.at(-1))} ms off, ${rideText(ride)} ms on`);
      }
      all.push(findingsOf(name, off, on));
    }
    return { rows: all.flatMap(({ rows }) => rows), goals: all.flatMap(({ goals }) => goals) };
  } finally {
    load.end();
  }
}

const rideText = (ride: Ride | undefined) => `${ride?.during.p99.toFixed(1)} and ${ride?.attached.p99.toFixed(1)}`;

async function rideServer(rows: number, load: Load, daemon: HarmDaemon | null, ages: Ages | null): Promise<Ride> {
  const args = [path.join(PROGRAMS, 'server.cjs'), String(rows)];
  const server = startProgram(process.execPath, args, { env: cleanEnv(os.tmpdir()) });
  const age = () => performance.now() - server.startedAt;
  const untilAge = (ms: number) => delay(Math.max(0, ms - age()));
  try {
    const port = Number(await waitFor('the server', TIMEOUT_SECONDS, () => /^\d+(?=\n)/.exec(server.stdout())?.[0]));
    load.start(port, RATE);
    await untilAge(BEGIN_MS);
    const during = await lookThrough(server, load, async () => {
      if (daemon === null) return untilAge(ages?.attachOver ?? 0);
      await waitFor('the attach', TIMEOUT_SECONDS, async () => isSeen(daemon, server.pid, isTouched));
      await delay(ATTACH_MS);
    });
    const attachOver = age();
    if (daemon === null) await untilAge(ages?.attached ?? 0);
    else await waitFor('a state', TIMEOUT_SECONDS, () => isSeen(daemon, server.pid, isActive));
    const since = age();
    const attached = await lookThrough(server, load, () => delay(ATTACHED_MS));
    load.stop();
    const sight = (await daemon?.sight(server.pid)) ?? '';
    return { during, attached, ages: { attachOver, attached: since }, sight };
  } finally {
    await server.end();
  }
}

const isActive = ({ probe_status }: { probe_status: string }) => probe_status === 'active';

async function isSeen(daemon: HarmDaemon, pid: number, is: typeof isTouched): Promise<boolean> {
  const app = await daemon.statusOf(pid);
  return app !== undefined && is(app);
}

/** The waiting times of the clients, and the resources of the server, during some work. */
async function lookThrough({ pid }: Program, load: Load, work: () => Promise<unknown>): Promise<Window> {
  await load.take();
  const samples: number[] = [rssMb(pid)];
  const timer = setInterval(() => samples.push(rssMb(pid)), RSS_EVERY_MS);
  const began = performance.now();
  const cpuBefore = ownCpu(pid);
  await work();
  const cpu = (ownCpu(pid) - cpuBefore) / ((performance.now() - began) / 1000);
  clearInterval(timer);
  return { ...(await load.take()), cpu, rss: median(samples) };
}

function findingsOf(name: string, off: readonly Ride[], on: readonly Ride[]): Findings {
  const rows: Row[] = [];
  const goals: Goal[] = [];
  for (const phase of ['during', 'attached'] as const) {
    const when = phase === 'during' ? 'during the attach' : 'attached';
    const most = phase === 'during' ? MOST_MORE_DURING : MOST_MORE_ATTACHED;
    const of = (rides: readonly Ride[]) => rides.map((ride) => ride[phase]);
    rows.push(...rowsOf(`${name}, ${when}`, of(off), of(on), on[0]?.sight ?? ''));
    goals.push(p99Goal(`${name}, ${when}`, of(off), of(on), most));
  }
  const rss = (rides: readonly Ride[]) => medianOf(rides, ({ attached }) => attached.rss);
  return { rows, goals: [...goals, rssGoal(name, rss(off), rss(on))] };
}

function rowsOf(what: string, off: readonly Window[], on: readonly Window[], sight: string): Row[] {
  const p99 = (windows: readonly Window[]) => medianOf(windows, (window) => window.p99);
  const rss = (windows: readonly Window[]) => medianOf(windows, (window) => window.rss);
  const cpu = (windows: readonly Window[]) => medianOf(windows, (window) => window.cpu) * 100;
  const sum = (windows: readonly Window[], figure: 'count' | 'errors') =>
    windows.reduce((total, window) => total + window[figure], 0);
  const counts = `${sum(off, 'count')} and ${sum(on, 'count')} answers`;
  return [
    {
      what: `${what}: p50 / p99 / max ms`,
      off: timesText(off),
      on: timesText(on),
      difference: `p99 ${signed(p99(on) - p99(off))} ms`,
      note: `${counts}, ${sum(off, 'errors')} and ${sum(on, 'errors')} errors`,
    },
    {
      what: `${what}: CPU % of a core`,
      off: cpu(off).toFixed(1),
      on: cpu(on).toFixed(1),
      difference: ratio(cpu(on), cpu(off)),
      note: sight,
    },
    {
      what: `${what}: memory MB`,
      off: rss(off).toFixed(1),
      on: rss(on).toFixed(1),
      difference: ratio(rss(on), rss(off)),
      note: `${signed(rss(on) - rss(off))} MB`,
    },
  ];
}

function timesText(windows: readonly Window[]): string {
  const worst = Math.max(...windows.map(({ max }) => max));
  const figures = [medianOf(windows, ({ p50 }) => p50), medianOf(windows, ({ p99 }) => p99), worst];
  return figures.map((value) => value.toFixed(1)).join(' / ');
}

function p99Goal(what: string, off: readonly Window[], on: readonly Window[], most: number): Goal {
  const more = medianOf(on, ({ p99 }) => p99) - medianOf(off, ({ p99 }) => p99);
  const errors = on.reduce((total, window) => total + window.errors, 0);
  return {
    what: `${what}: p99`,
    wanted: `at most +${most} ms, no errors`,
    found: `${signed(more)} ms, ${errors} errors`,
    isMet: more <= most && errors === 0,
  };
}
