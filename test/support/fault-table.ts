/** The rows of the fault table: a small program of each runtime behind a daemon, and the checks of every cell. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { ProcessInfo } from '../../src/model/process.ts';
import type { AppSummary, SchemaResponse, SubstrateState } from '../../src/model/wire.ts';
import { startChromium } from './chromium.ts';
import { makeHome, RunningDaemon } from './daemon.ts';
import { DOTNET, startDotnet } from './dotnet.ts';
import { serveInline } from './inline-pages.ts';
import { SHOP, startJava } from './java.ts';
import { until } from './real-processes.ts';
import { hasRuntime, RUNTIME_TARGETS, startDeno } from './runtimes.ts';
import { startTarget, type Target } from './targets.ts';

const { inspector } = createHost();
const SIGUSR1_BIT = 1n << 9n;

export interface FaultApp {
  readonly pid: number;
  readonly info: ProcessInfo;
  /** Null if it was ended by a signal. */
  readonly exited: Promise<number | null>;
  /** Makes it end by itself, which proves that its own work goes on. */
  readonly quit: () => void;
}

export interface FaultRuntime {
  /** A state of its own that nothing else changes. */
  readonly start: (env?: Record<string, string>) => Promise<FaultApp>;
  /** Its exit code when it quits; null for any. */
  readonly quitsWith: number | null;
}

const quitting = (target: Target): FaultApp => ({ ...target, quit: () => target.write('q') });

const PAGE = `<!doctype html><title>Desk</title>
<script>window.desk = { visits: 3, guests: [{ name: 'Ada' }, { name: 'Grace' }], open: true };</script>
<label>Note <input id="note" value="none"></label><button onclick="desk.visits++">Visit</button>`;

/** The differences between runtimes. */
const ALL: readonly [string, FaultRuntime][] = [
  [
    'Node',
    {
      start: async (env = {}) =>
        quitting(await startTarget('shop.cjs', { nodeArgs: ['--require', './quits-when-told.cjs'], env })),
      quitsWith: 7,
    },
  ],
  ['Java', { start: async (env = {}) => quitting(await startJava(SHOP, { env })), quitsWith: 0 }],
  ['Mono', { start: async (env = {}) => quitting(await startDotnet('mono', 'shop', { env })), quitsWith: 7 }],
  [
    `.NET (${DOTNET})`,
    { start: async (env = {}) => quitting(await startDotnet(DOTNET, 'shop', { env })), quitsWith: 7 },
  ],
  ['Deno', { start: async (env = {}) => quitting(await startDenoInbox(env)), quitsWith: 7 }],
  ['Chromium', { start: startBrowser, quitsWith: null }],
];

export const RUNTIMES = ALL.filter(([name]) => name !== 'Deno' || hasRuntime('deno'));

async function startDenoInbox(env: Record<string, string>): Promise<Target> {
  const program = path.join(RUNTIME_TARGETS, 'deno/quits-when-told.mts');
  const target = await startDeno({ args: ['run', program], env });
  // It handles the signal only some time after its start.
  await until('the handler', () => ((inspector.details(target.info)?.caughtSignals ?? 0n) & SIGUSR1_BIT) !== 0n);
  return target;
}

async function startBrowser(env: Record<string, string> = {}): Promise<FaultApp> {
  const pages = await serveInline({ '/': PAGE });
  const chromium = await startChromium({ url: `${pages.origin}/`, env });
  void chromium.exited.then(() => pages.close());
  return { ...chromium, quit: () => void process.kill(chromium.pid, 'SIGTERM') };
}

export const MOMENTS = ['attach', 'capture', 'action'] as const;
export type Moment = (typeof MOMENTS)[number];
/** The length of each: a fault must be able to hit every step. */
export const LATEST_MS: Record<Moment, number> = { attach: 400, capture: 60, action: 25 };
/** The allowed answers to a request whose program vanishes: done, refused, or unknown. */
export const HONEST = new Set([200, 400, 404, 409, 422, 503, 504]);

export interface Scene {
  readonly daemon: RunningDaemon;
  /** An app without a fault. */
  readonly neighbour: Target;
  readonly app: FaultApp;
}

/** The daemon, an app without a fault, and the one with the fault. */
export async function begin(
  { start }: FaultRuntime,
  moment: Moment,
  options: { env?: Record<string, string>; home?: string } = {},
): Promise<Scene> {
  const [neighbour, app] = await Promise.all([startTarget('inbox.mjs'), start(options.env)]);
  const daemon = await RunningDaemon.start(options.home ?? makeHome(), {
    env: {
      SUBSTRATE_PROBE__INTERVAL_MS: '50',
      SUBSTRATE_SCANNER__ATTACH: moment === 'attach' ? 'asked' : 'all',
      SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
    },
  });
  await until('both apps', async () => (await daemon.app(neighbour.pid)) && (await daemon.app(app.pid)));
  if (moment !== 'attach') await daemon.state(app.pid);
  // Requested, because nothing is attached to without being asked.
  await until('the neighbour', async () => (await daemon.get(`/substrate/v1/state/${neighbour.pid}`)).status === 200);
  return { daemon, neighbour, app };
}

/** Makes the daemon work in the app, and returns the status of the answer. */
export async function workOf(moment: Moment, { daemon, app: { pid } }: Scene): Promise<() => Promise<number>> {
  const statusOf = (answer: Promise<{ status: number }>) => answer.then(({ status }) => status);
  if (moment === 'attach') return () => statusOf(daemon.post(`/substrate/v1/attach/${pid}`, {}));
  if (moment === 'capture') return () => statusOf(daemon.get(`/substrate/v1/state/${pid}?fresh=true`));
  const found = await until('an action', async () => {
    const { body } = await daemon.get<SchemaResponse>(`/substrate/v1/schema/${pid}`);
    const kinds = ['reversible_write', 'reversible_read'];
    return kinds
      .flatMap((kind) => Object.entries(body.actions ?? {}).filter(([, { reversibility }]) => reversibility === kind))
      .at(0);
  });
  const [action, schema] = found;
  const example = { string: 'x', number: 1, boolean: true, array: [], object: {} };
  const parameters = Object.fromEntries(schema.parameters.map(({ name, type_name }) => [name, example[type_name]]));
  return () => statusOf(daemon.post('/substrate/v1/action', { pid, action, parameters }));
}

export async function isServed(daemon: RunningDaemon, { pid }: { pid: number }): Promise<void> {
  expect((await daemon.get('/health')).status).toBe(200);
  const { status, body } = await daemon.get<SubstrateState>(`/substrate/v1/state/${pid}?fresh=true`);
  expect([status, Object.keys(body.objects ?? {}).length > 0]).toEqual([200, true]);
}

/** From a new capture; null if there is none. */
export async function freshState(daemon: RunningDaemon, { pid }: { pid: number }): Promise<SubstrateState | null> {
  const { status, body } = await daemon.get<SubstrateState>(`/substrate/v1/state/${pid}?fresh=true`);
  expect(HONEST).toContain(status);
  return status === 200 ? body : null;
}

export function lives({ info }: { info: ProcessInfo }): boolean {
  return inspector.isAlive(info);
}

export function isGone(app: AppSummary | undefined): boolean {
  return app === undefined || app.probe_status === 'detached';
}

/** It was neither killed nor frozen: it ends by itself, as without a daemon. */
export async function endsByItself({ quitsWith }: FaultRuntime, app: FaultApp): Promise<void> {
  expect(lives(app)).toBe(true);
  app.quit();
  const code = await app.exited;
  if (quitsWith !== null) expect(code).toBe(quitsWith);
}

/** Files that an agent has not removed when its daemon stops vanish a moment later. */
export async function nothingIsLeft({ info }: { info: ProcessInfo }): Promise<void> {
  await until(`nothing is left of ${info.pid}`, () => leftBehind(info).length === 0).catch(() => undefined);
  expect(leftBehind(info)).toEqual([]);
}

/** Our files, and those of the runtimes' attach mechanisms, in the temporary folder. */
function leftBehind({ pid, startTime }: ProcessInfo): string[] {
  const ours = fs
    .readdirSync(os.tmpdir())
    .filter((name) => /^(?:\.attach_pid|\.mono_attach|substrate-(?!home|test|fuzz|chromium))/.test(name));
  // Files of other tests are there, too.
  const shared = fs.readdirSync('/dev/shm').filter((name) => name.includes(`substrate-clr-${pid}-${startTime}`));
  return [...ours, ...shared];
}
