/** A running app, alone or in a page, and a daemon that attaches only on request. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Chromium, evaluateInTab, freePort, startChromium } from '../../test/support/chromium.ts';
import { BINARY, makeHome, RunningDaemon } from '../../test/support/daemon.ts';
import { end, pidOf } from '../../test/support/real-processes.ts';
import type { App, Truth } from './app.ts';
import { modulesOf } from './install.ts';
import { openSubstrate, type SubstrateHands } from './substrate-hands.ts';

const READY_MS = 90_000;
/** Users do not ask at once; actions are judged meanwhile. */
export const SETTLE_MS = 5000;
const WINDOW = '--window-size=1400,900';

const SETTINGS = {
  SUBSTRATE_SCANNER__ATTACH: 'asked',
  SUBSTRATE_RATE_LIMIT__ENABLED: 'false',
  SUBSTRATE_PROBE__SETTLE_MS: '500',
};

/** The budget of the app: that of users, unless the measurement says otherwise. */
let budgets: 'tests' | 'users' = 'users';

export function limitNothing(): void {
  budgets = 'tests';
}

export interface Stage {
  readonly truth: Truth;
  /** The process that a tool reads: the browser, or the program. */
  readonly pid: number;
  readonly debugPort: number;
  readonly folder: string;
}

/** The app, and a new browser if it needs one; everything is removed afterwards. */
export async function onStage<Result>(app: App, work: (stage: Stage) => Promise<Result>): Promise<Result> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-agent-'));
  const running = await app.start({ port: await freePort(), folder, modules: modulesOf(app) });
  let chromium: Chromium | null = null;
  try {
    const { url, child } = running;
    if (app.isHttp !== false) await ready(`${app.name} to answer`, async () => (await fetch(url)).status < 500);
    if (app.fill !== undefined) await ready(`${app.name} to be filled`, async () => (await app.fill?.(url)) ?? true);
    if (app.page !== undefined) {
      chromium = await startChromium({ url: `${url}${app.page}`, args: [WINDOW] });
    }
    const page = chromium;
    const evaluate = <T>(expression: string): Promise<T> => {
      if (page === null) throw new Error(`${app.name} has no page`);
      return evaluateInTab<T>(page, expression);
    };
    const truth = { url, evaluate };
    await ready(`${app.name} to be ready`, () => app.ready(truth));
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${app.name} has ended by itself`);
    return await work({ truth, pid: page?.pid ?? pidOf(child), debugPort: page?.debugPort ?? 0, folder });
  } finally {
    await chromium?.close();
    await end(running);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

async function ready(what: string, ask: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + READY_MS;
  let last: unknown = null;
  while (Date.now() < deadline) {
    try {
      if (await ask()) return;
    } catch (error) {
      last = error;
    }
    await delay(250);
  }
  throw new Error(`waited in vain for ${what}${last instanceof Error ? `: ${last.message}` : ''}`);
}

export async function startDaemon(home = makeHome()): Promise<RunningDaemon> {
  return RunningDaemon.start(home, { env: SETTINGS, budgets });
}

interface Attached {
  readonly probe_status?: string;
  readonly reason?: string;
  readonly error?: { readonly message: string };
}

/** Asks again for as long as the answer is that it takes a while. */
export async function attachTo(daemon: RunningDaemon, pid: number): Promise<Attached> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const { status, body } = await daemon.post<Attached>(`/substrate/v1/attach/${pid}`, {});
    if (status !== 503 || Date.now() > deadline || !/ask again/i.test(body.error?.message ?? '')) return body;
    await delay(SETTLE_MS);
  }
}

/** Attached, with tools to read it. */
export async function substrateOn(daemon: RunningDaemon, pid: number): Promise<SubstrateHands> {
  const body = await attachTo(daemon, pid);
  if (body.probe_status !== 'active') {
    throw new Error(`${pid} is ${body.probe_status ?? 'not attached'}: ${body.reason ?? body.error?.message}`);
  }
  await delay(SETTLE_MS);
  return openSubstrate(BINARY, daemon.base, daemon.key);
}
