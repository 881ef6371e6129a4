/** The waiting times of a client of the built daemon, and their cost for the page. */
import { setTimeout as delay } from 'node:timers/promises';
import type WebSocket from 'ws';
import { createHost } from '../src/host/host.ts';
import type { DiffResponse, SubstrateState } from '../src/model/wire.ts';
import type { Chromium } from '../test/support/chromium.ts';
import { makeHome, RunningDaemon } from '../test/support/daemon.ts';
import { until } from '../test/support/real-processes.ts';
import type { BusyTime, Tab } from './browser-tab.ts';
import { Client } from './shared/client.ts';
import { repeat, summary, type Timing } from './shared/stats.ts';

/** The measurement itself requests polls; limits would only measure themselves. */
const QUIET = {
  SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
  SUBSTRATE_PROBE__INTERVAL_MS: '600000',
  SUBSTRATE_PROBE__SETTLE_MS: '0',
};
const FIRST_STATES = 3;
const CHANGES = 10;
const BUSY_CALLS = 50;
/** The daemon's minimal pause between two polls; a change after it is reported at once. */
const BETWEEN_CHANGES_MS = 600;

export interface DaemonFigures {
  readonly keys: number;
  readonly bytes: number;
  /** The tier of the state. */
  readonly tier: string;
  /** From the daemon's ready line until the app has a state. */
  readonly firstState: Timing;
  readonly cached: Timing;
  readonly cachedFirstByte: Timing;
  /** The same with the text parsed, for clients that want the values. */
  readonly cachedParsed: Timing;
  readonly same: Timing;
  /** Until the headers: everything before the body. */
  readonly sameFirstByte: Timing;
  readonly sameParsed: Timing;
  readonly changedParsed: Timing;
  /** As reported by the daemon, in whole milliseconds. */
  readonly captureLatency: Timing;
  /** Changes since a capture, without a new one: those that the daemon's own polls have found. */
  readonly diff: Timing;
  /** From the click in the page to the notification, including the click's own work. */
  readonly watch: Timing;
  readonly click: Timing;
  readonly busy: BusyTime;
}

/** Reads of a running daemon, for taking turns with another tool. */
export interface DaemonReader {
  freshParsed(): Promise<unknown>;
  measure(): Promise<Omit<DaemonFigures, 'firstState'>>;
  close(): Promise<void>;
}

export async function openDaemon(chromium: Chromium, tab: Tab): Promise<DaemonReader & { firstState: Timing }> {
  const firsts: number[] = [];
  for (let round = 1; round < FIRST_STATES; round++) {
    const { daemon, ms } = await startWithState(chromium.pid);
    firsts.push(ms);
    await daemon.stop();
  }
  const { daemon, ms } = await startWithState(chromium.pid);
  firsts.push(ms);
  const client = new Client(daemon.base, daemon.key);
  return {
    firstState: summary(firsts),
    freshParsed: () => client.json<SubstrateState>(`/state/${chromium.pid}?fresh=true`),
    measure: async () => ({
      ...(await measureReads(client, chromium.pid, tab)),
      ...(await measureWatch(daemon, chromium.pid, tab)),
    }),
    close: async () => {
      client.close();
      await daemon.stop();
    },
  };
}

/** An unknown app every time, because the home is new. */
async function startWithState(pid: number): Promise<{ daemon: RunningDaemon; ms: number }> {
  // Other programs of this machine are excluded: they would cost time that is not the browser's.
  const others = (await createHost().scanner.scan()).appeared.filter((process) => process.pid !== pid);
  const exclude = ['node', ...others.map((process) => process.pid)].join();
  const daemon = await RunningDaemon.start(makeHome(), { env: { ...QUIET, SUBSTRATE_SCANNER__EXCLUDE: exclude } });
  const began = performance.now();
  await until('the first state', async () => (await daemon.app(pid))?.has_state);
  return { daemon, ms: performance.now() - began };
}

async function measureReads(client: Client, pid: number, tab: Tab) {
  const cachedRoute = `/state/${pid}`;
  const freshRoute = `${cachedRoute}?fresh=true`;
  const read = async (route: string) => {
    await client.request(route);
    return undefined;
  };
  const parse = async (route: string) => {
    await client.json<SubstrateState>(route);
    return undefined;
  };
  const state = await client.json<SubstrateState>(freshRoute);
  const { body } = await client.request(cachedRoute);

  const cached = await repeat(() => read(cachedRoute));
  const cachedFirstByte = await repeat(async () => (await client.request(cachedRoute)).firstByteMs);
  const cachedParsed = await repeat(() => parse(cachedRoute));
  const same = await repeat(() => read(freshRoute));
  const sameFirstByte = await repeat(async () => (await client.request(freshRoute)).firstByteMs);
  const sameParsed = await repeat(() => parse(freshRoute));
  const captureLatency = await repeat(async () => {
    return (await client.json<SubstrateState>(freshRoute)).probe_metadata.capture_latency_ms;
  });
  const changes: number[] = [];
  for (let round = 0; round < CHANGES; round++) {
    await tab.touch();
    const began = performance.now();
    await parse(freshRoute);
    changes.push(performance.now() - began);
  }
  const since = (await client.json<SubstrateState>(cachedRoute)).capture_id;
  const diffRoute = `/diff/${pid}?since=${since}`;
  const diff = await repeat(async () => void (await client.json<DiffResponse>(diffRoute)));
  const busy = await tab.busyPerCall(BUSY_CALLS, () => client.request(freshRoute));
  const changedParsed = summary(changes);
  const keys = Object.keys(state.objects).length;
  const bytes = body.length;
  return {
    keys,
    bytes,
    tier: state.probe_metadata.probe_tier,
    cached,
    cachedFirstByte,
    cachedParsed,
    same,
    sameFirstByte,
    sameParsed,
    changedParsed,
    captureLatency,
    diff,
    busy,
  };
}

async function measureWatch(daemon: RunningDaemon, pid: number, tab: Tab): Promise<{ watch: Timing; click: Timing }> {
  const socket = daemon.watch(pid);
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  const watch: number[] = [];
  const click: number[] = [];
  for (let round = 0; round < CHANGES; round++) {
    await delay(BETWEEN_CHANGES_MS);
    const began = performance.now();
    const notified = nextMessage(socket);
    const clicked = tab.touchOnly().then(() => click.push(performance.now() - began));
    await notified;
    watch.push(performance.now() - began);
    await clicked;
  }
  socket.close();
  return { watch: summary(watch), click: summary(click) };
}

function nextMessage(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('message', () => resolve());
    // Changes of a page that cannot report them would come with the next poll, which is far away.
    setTimeout(resolve, 10_000).unref();
  });
}
