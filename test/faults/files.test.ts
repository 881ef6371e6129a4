/** Faults of the daemon's own files and limits: `npm run test:faults`. As root, in a mount namespace of their own. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SubstrateState } from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { endAll, pidOf, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const mounted: string[] = [];

afterEach(async () => {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['-l', folder]);
  await stopAll();
  await endAll();
});

const dataOf = (home: string) => path.join(home, '.local/share/substrate');
const act = (daemon: RunningDaemon, { pid }: Target, coupon: string) =>
  daemon.post('/substrate/v1/action', { pid, action: 'cart.setCoupon', parameters: { coupon } });

async function begin(home = makeHome()) {
  const app = await startTarget('shop.cjs');
  const daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__INTERVAL_MS: '50' } });
  await daemon.state(app.pid);
  return { home, app, daemon };
}

async function serves(daemon: RunningDaemon, app: Target): Promise<void> {
  expect((await daemon.get('/health')).status).toBe(200);
  const { status, body } = await daemon.get<SubstrateState>(`/substrate/v1/state/${app.pid}?fresh=true`);
  expect([status, body.objects?.['cart.items.length']]).toEqual([200, expect.any(Number)]);
}

/** Fills its disk. */
function fill(folder: string): void {
  try {
    for (;;) fs.appendFileSync(path.join(folder, 'filler'), Buffer.alloc(1024));
  } catch {
    // It is full.
  }
}

describe('a full disk', () => {
  it('keeps nothing from being read and done; what cannot be written is logged', async () => {
    const home = makeHome();
    const data = dataOf(home);
    fs.mkdirSync(data, { recursive: true, mode: 0o700 });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', data]);
    mounted.push(data);
    await makeKey(home);
    const { app, daemon } = await begin(home);
    fill(data);
    expect((await act(daemon, app, 'FULL')).status).toBe(200);
    await serves(daemon, app);
    await until('a line in the log', () => /cannot be (?:logged|written|kept|saved)/.test(daemon.stderr()));
    // A file that the daemon has replaced meanwhile left some room.
    fill(data);
    const idempotent = await fetch(`${daemon.base}/substrate/v1/action`, {
      method: 'POST',
      headers: { 'x-substrate-key': daemon.key, 'content-type': 'application/json', 'idempotency-key': 'full' },
      body: JSON.stringify({ pid: app.pid, action: 'cart.setCoupon', parameters: { coupon: 'ONCE' } }),
    });
    // Without a guarantee that it runs once, it does not run.
    expect(idempotent.status).toBe(503);
    expect((await daemon.state(app.pid)).objects['cart.coupon']).toBe('FULL');
    // With room again, nothing is lost and everything works.
    fs.rmSync(path.join(data, 'filler'));
    expect((await act(daemon, app, 'ROOM')).status).toBe(200);
    await until('the log of actions', () => fs.readFileSync(path.join(data, 'audit.jsonl'), 'utf8').includes('"ran"'));
    await serves(daemon, app);
  });
});

describe('file descriptors that run out', () => {
  it('are an overload, not an end', async () => {
    const { app, daemon } = await begin();
    const pid = pidOf(daemon.child);
    const open = fs.readdirSync(`/proc/${pid}/fd`).length;
    execFileSync('prlimit', [`--pid=${pid}`, `--nofile=${open + 3}:20000`]);
    const many = await Promise.allSettled(
      Array.from({ length: 40 }, () => daemon.get(`/substrate/v1/state/${app.pid}?fresh=true`)),
    );
    expect(many.length).toBe(40);
    execFileSync('prlimit', [`--pid=${pid}`, '--nofile=20000:20000']);
    expect(daemon.child.exitCode).toBeNull();
    await until('it serves again', async () => {
      try {
        return (await daemon.get(`/substrate/v1/state/${app.pid}?fresh=true`)).status === 200;
      } catch {
        return false;
      }
    });
    expect(app.exitCode()).toBeNull();
  });
});

describe('files that somebody else breaks', () => {
  const SPOILS: readonly [string, (file: string) => void][] = [
    ['cut off', (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2))],
    ['empty', (file) => fs.truncateSync(file, 0)],
    [
      'a link',
      (file) => {
        fs.renameSync(file, `${file}.moved`);
        fs.symlinkSync('/etc/passwd', file);
      },
    ],
    [
      'a folder',
      (file) => {
        fs.rmSync(file);
        fs.mkdirSync(file);
      },
    ],
    ['gone', (file) => fs.rmSync(file)],
  ];

  it.each(SPOILS)('keys that are %s let nobody in who was not before, and the daemon goes on', async (_, spoil) => {
    const { home, app, daemon } = await begin();
    spoil(path.join(dataOf(home), 'keys.json'));
    const answer = await daemon.get(`/substrate/v1/state/${app.pid}`);
    expect([200, 401]).toContain(answer.status);
    const stranger = await fetch(`${daemon.base}/substrate/v1/apps`, {
      headers: { 'x-substrate-key': `sk_substrate_${'0'.repeat(40)}` },
    });
    expect(stranger.status).toBe(401);
    expect(daemon.child.exitCode).toBeNull();
    expect(app.exitCode()).toBeNull();
  });

  it.each(SPOILS)('a schema that is %s is begun anew', async (_, spoil) => {
    const { home, app, daemon } = await begin();
    const { app_id } = await daemon.state(app.pid);
    await run(home, [
      'learn',
      String(app.pid),
      'cart.coupon',
      'cart.voucher',
      '--url',
      daemon.base,
      '--key',
      daemon.key,
    ]);
    const file = path.join(dataOf(home), 'schemas', `${app_id}.json`);
    await until('its file', () => fs.existsSync(file));
    await daemon.stop();
    spoil(file);
    const next = await RunningDaemon.start(home, { key: daemon.key });
    expect((await next.state(app.pid)).objects['cart.items.length']).toEqual(expect.any(Number));
    await serves(next, app);
  });

  it.each(SPOILS)('a log of actions that is %s keeps no action from running', async (_, spoil) => {
    const { home, app, daemon } = await begin();
    await act(daemon, app, 'FIRST');
    const file = path.join(dataOf(home), 'audit.jsonl');
    spoil(file);
    expect((await act(daemon, app, 'SECOND')).status).toBe(200);
    expect(fs.readFileSync('/etc/passwd', 'utf8')).not.toContain('cart.setCoupon');
    await serves(daemon, app);
  });
});

describe('a daemon that is killed at any moment while it writes', () => {
  it('loses nothing that it had promised', async () => {
    const home = makeHome();
    const app = await startTarget('shop.cjs');
    const { key } = await makeKey(home);
    for (let attempt = 0; attempt < 6; attempt++) {
      const daemon = await RunningDaemon.start(home, { key, env: { SUBSTRATE_RATE_LIMIT__ENABLED: 'false' } });
      await daemon.state(app.pid);
      const working = Array.from({ length: 5 }, (_, at) => act(daemon, app, `C${attempt}-${at}`).catch(() => null));
      const learnt = run(home, [
        'learn',
        String(app.pid),
        'cart.coupon',
        `cart.voucher${attempt}`,
        '--url',
        daemon.base,
        '--key',
        key,
      ]);
      await new Promise((resolve) => setTimeout(resolve, attempt * 120));
      await daemon.stop('SIGKILL');
      const { code } = await learnt;
      await Promise.all(working);
      const folder = path.join(dataOf(home), 'schemas');
      const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
      for (const name of names.filter((one) => one.endsWith('.json')))
        expect(() => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8'))).not.toThrow();
      expect([0, 1, 3, 4, 5, 7]).toContain(code);
      expect((await run(home, ['keys', 'list', '--json'])).code).toBe(0);
      expect((await run(home, ['audit', '--json'])).code).toBe(0);
      expect(app.exitCode()).toBeNull();
    }
  });
});
