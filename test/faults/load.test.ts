/** The daemon is killed at random moments while many use it: its promises are kept afterwards. `npm run test:faults` */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import type { ActionResponse } from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { lives, nothingIsLeft } from '../support/fault-table.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

vi.setConfig({ testTimeout: 180_000 });

const KILLS = 5;
const READERS = 4;
const WATCHERS = 4;
const ACTORS = 3;
const LATEST_MS = 1500;

afterEach(async () => {
  await stopAll();
  await endAll();
});

interface Sent {
  readonly name: string;
  /** Null if the daemon was killed before the answer. */
  answer: ActionResponse | null;
}

it('each action that was acknowledged has run once, each other at most once; keys and schemas are whole', async () => {
  const home = makeHome();
  const data = path.join(home, '.local/share/substrate');
  const apps = await Promise.all([startTarget('shop.cjs'), startTarget('inbox.mjs')]);
  const [shop] = apps;
  const { key } = await makeKey(home);
  const sent: Sent[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const daemon = await start(home, key);
    for (const { pid } of apps) await daemon.state(pid);
    const over = new AbortController();
    const users = [
      ...Array.from({ length: READERS }, (_, at) => read(daemon, apps[at % apps.length] ?? shop, over.signal)),
      ...Array.from({ length: WATCHERS }, (_, at) => watch(daemon, apps[at % apps.length] ?? shop, over.signal)),
      ...Array.from({ length: ACTORS }, (_, at) => act(daemon, shop, `${kill}-${at}`, sent, over.signal)),
      learn(home, daemon, shop, kill),
    ];
    await until('an answer', () => sent.some(({ name, answer }) => name.startsWith(`${kill}-`) && answer));
    await delay(Math.random() * LATEST_MS);
    await daemon.stop('SIGKILL');
    over.abort();
    await Promise.all(users);
    checkFiles(data);
    expect((await run(home, ['keys', 'list', '--json'])).stdout).toContain('test');
    expect((await run(home, ['audit', '--json'])).code).toBe(0);
    expect(apps.map(lives)).toEqual([true, true]);
  }

  // Each is sent once more: finished actions are reported, and nothing is done again.
  const daemon = await start(home, key);
  const retried = sent.filter(({ answer }, at) => answer === null || at % 5 === 0);
  await daemon.state(shop.pid);
  for (const { name, answer } of retried) {
    const { status, body } = await add(daemon, shop, name);
    if (answer === null) expect([status, body?.executed]).toEqual([200, true]);
    else expect(body?.action_id).toBe(answer.action_id);
  }
  const names = Object.entries((await fresh(daemon, shop)).objects).flatMap(([path, value]) =>
    /^cart\.items\[\d+\]\.name$/.test(path) ? [String(value)] : [],
  );
  const timesOf = (wanted: string) => names.filter((name) => name === wanted).length;
  expect(sent.length).toBeGreaterThan(KILLS);
  expect(sent.filter(({ name, answer }) => answer?.success === true && timesOf(name) !== 1)).toEqual([]);
  expect(sent.filter(({ name }) => timesOf(name) > 1)).toEqual([]);
  await daemon.stop();
  expect(apps.map(lives)).toEqual([true, true]);
  await nothingIsLeft(shop);
});

const start = (home: string, key: string) =>
  RunningDaemon.start(home, {
    key,
    // The whole cart must be visible.
    env: { SUBSTRATE_RATE_LIMIT__ENABLED: 'false', SUBSTRATE_PROBE__INTERVAL_MS: '100' },
  });

async function fresh(daemon: RunningDaemon, { pid }: Target) {
  return (await daemon.get<{ objects: Record<string, unknown> }>(`/substrate/v1/state/${pid}?fresh=true`)).body;
}

/** Until the end; the daemon may be gone at any moment. */
async function read(daemon: RunningDaemon, app: Target, over: AbortSignal): Promise<void> {
  while (!over.aborted) await fresh(daemon, app).catch(() => delay(20));
}

async function watch(daemon: RunningDaemon, { pid }: Target, over: AbortSignal): Promise<void> {
  const socket = daemon.watch(pid);
  socket.on('error', () => undefined);
  await new Promise((resolve) => over.addEventListener('abort', resolve, { once: true }));
  socket.terminate();
}

async function act(daemon: RunningDaemon, app: Target, who: string, sent: Sent[], over: AbortSignal): Promise<void> {
  for (let at = 0; !over.aborted; at++) {
    const one: Sent = { name: `${who}-${at}`, answer: null };
    sent.push(one);
    const answer = await add(daemon, app, one.name).catch(() => null);
    if (answer?.status === 200) one.answer = answer.body;
    // The daemon has gone.
    if (answer === null) return;
  }
}

async function add({ base, key }: RunningDaemon, { pid }: Target, name: string) {
  const response = await fetch(`${base}/substrate/v1/action`, {
    method: 'POST',
    headers: { 'x-substrate-key': key, 'content-type': 'application/json', 'idempotency-key': name },
    body: JSON.stringify({
      pid,
      action: 'cart.addItem',
      parameters: { name, price: 1 },
      verify_expression: 'cart.items.length > 0',
    }),
  });
  return { status: response.status, body: (await response.json()) as ActionResponse };
}

async function learn(home: string, { base, key }: RunningDaemon, { pid }: Target, turn: number): Promise<void> {
  await run(home, ['learn', String(pid), 'visits', `visits${turn}`, '--url', base, '--key', key]);
}

function checkFiles(data: string): void {
  const files = fs.readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  expect(files).toContain('keys.json');
  // Records of actions may be torn: an action with an incomplete record was not begun.
  for (const name of files.filter((file) => !file.startsWith('retries')))
    expect(() => JSON.parse(fs.readFileSync(path.join(data, name), 'utf8'))).not.toThrow();
}
