/** The commands that ask a running daemon, as a shell calls them. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppSummary, SubstrateState } from '../../src/model/wire.ts';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

describe('the command line', () => {
  let daemon: RunningDaemon;
  let target: Target;
  let home: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    home = makeHome();
    target = await startTarget('shop.cjs');
    daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__INTERVAL_MS: '100' } });
    await daemon.state(target.pid);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await stopAll();
    await endAll();
  });

  const substrate = (...args: string[]) => run(home, [...args, '--url', daemon.base]);
  const pid = () => String(target.pid);

  it('lists apps, for people and for programs', async () => {
    const people = await substrate('apps');
    expect(people).toMatchObject({ code: 0, stderr: '' });
    expect(people.stdout).toMatch(/^PID +APP +RUNTIME +STATUS +CONF +KEYS +ACTIONS +NAME$/m);
    expect(people.stdout).toMatch(new RegExp(`^${pid()} +shop-[0-9a-f]{8} +Node.js +active +0\\.\\d\\d `, 'm'));
    const { apps } = JSON.parse((await substrate('apps', '--json')).stdout) as { apps: AppSummary[] };
    expect(apps.find((app) => app.pid === target.pid)?.app_name).toBe('shop');
  });

  it('needs no key on the machine of the daemon: it has one of its own, for its user alone', async () => {
    await substrate('apps');
    const folder = path.join(home, '.local/share/substrate');
    const file = path.join(folder, 'cli-key.json');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const before = fs.readFileSync(file, 'utf8');
    await substrate('apps');
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
    const { id } = JSON.parse(before) as { id: string };
    await run(home, ['keys', 'disable', id]);
    expect((await substrate('apps')).code).toBe(0);
    expect(fs.readFileSync(file, 'utf8')).not.toBe(before);
  });

  it('shows the state as a tree, as lines, in part, and as JSON', async () => {
    const tree = await substrate('state', pid());
    expect(tree.stdout).toContain('cart\n  items\n    length  1\n    [0]\n      name  "apple"\n');
    expect(tree.stderr).toMatch(/shop \(pid \d+\): \d+ keys, confidence 0\.\d\d/);
    const id = (await daemon.app(target.pid))?.app_id ?? '';
    const flat = await substrate('state', id, 'cart.items[*].name', '**.dark', '--flat');
    expect(flat.stdout).toBe('settings.theme.dark = true\ncart.items[0].name = "apple"\n');
    const json = JSON.parse((await substrate('state', pid(), 'visits', '--json', '--fresh')).stdout) as SubstrateState;
    expect(json.objects).toEqual({ visits: 0 });
    expect((await substrate('state', pid(), 'nothing.like.it')).stderr).toContain('No key matches');
  });

  it('lists actions', async () => {
    const { stdout } = await substrate('schema', pid(), 'cart.set*');
    expect(stdout).toMatch(/^cart\.setCoupon +reversible_write +\(coupon: string\) -> void/m);
    expect(stdout).not.toContain('addItem');
    expect(JSON.parse((await substrate('schema', pid(), 'cart.set*', '--json')).stdout).actions).toHaveProperty([
      'cart.setCoupon',
    ]);
  });

  it('acts with proof, and ends with the code that says what came of it', async () => {
    const act = (...args: string[]) => substrate('action', pid(), ...args);
    const done = await act('cart.addItem', 'name=pear', 'price=3', '--verify', 'cart.items.length === 2');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('verified: cart.items.length is 2');
    expect(done.stdout).toContain('cart.items.length: 1 → 2');
    const untrue = await act('cart.setCoupon', 'coupon=5', '--verify', 'cart.coupon === 5', '--timeout', '200');
    expect(untrue.code).toBe(6);
    expect(untrue.stdout).toContain('"5"');
    const exact = JSON.parse((await act('cart.setCoupon', 'coupon:="six"', '--json')).stdout);
    expect(exact).toMatchObject({ success: true, state_delta: { 'cart.coupon': { after: 'six' } } });
    expect(await act('cart.applyDiscount', 'share=2', '--verify', 'true')).toMatchObject({ code: 1 });
    const refused = await act('cart.addItem', 'name=fig', 'price=3');
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain('--verify');
    expect(await act('cart.adItem', 'name=fig')).toMatchObject({ code: 4, stdout: '' });
    expect((await act('cart.addItem', 'name=fig', 'price=much')).code).toBe(2);
    expect((await act('cart.addItem', 'fig')).stderr).toContain('no name=value');
  });

  it('waits for what is to be true', async () => {
    expect(await substrate('verify', pid(), 'cart.items.length >= 1')).toMatchObject({ code: 0 });
    const not = await substrate('verify', pid(), 'visits > 1000', '--timeout', '100');
    expect(not.code).toBe(6);
    expect(not.stdout).toContain('✗ visits is 0; expected > 1000.');
    expect((await substrate('verify', pid(), 'visits >')).code).toBe(2);
  });

  it('shows what differs since a capture', async () => {
    const { capture_id } = JSON.parse((await substrate('state', pid(), '--fresh', '--json')).stdout) as SubstrateState;
    await substrate('action', pid(), 'cart.setCoupon', 'coupon=seven');
    const diff = await substrate('diff', pid(), capture_id);
    expect(diff.stdout).toContain('cart.coupon: ');
    expect(diff.stdout).toContain('→ "seven"');
    expect((await substrate('diff', pid(), '01890000-0000-7000-8000-000000000000')).code).toBe(4);
  });

  it('shows changes as they come, until it is interrupted', async () => {
    const child = spawn(process.execPath, [BINARY, 'watch', pid(), 'cart', '--json', '--url', daemon.base], {
      env: { PATH: process.env.PATH, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let shown = '';
    let said = '';
    child.stdout.on('data', (chunk) => {
      shown += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    await until('the watch', () => said.includes('watching shop'));
    let round = 0;
    await until('a change', async () => {
      await substrate('action', pid(), 'cart.setCoupon', `coupon=w${round++}`);
      return shown.includes('cart.coupon');
    });
    const [first] = shown.trim().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ changes: [{ path: 'cart.coupon', after: expect.any(String) }] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('teaches names', async () => {
    expect(await substrate('learn', pid(), 'rates.USD', 'rates.dollar')).toMatchObject({ code: 0 });
    await until('the name', async () => (await substrate('state', pid(), 'rates.dollar', '--flat')).stdout !== '');
    const unknown = await substrate('learn', pid(), 'no.such.key', 'x');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain('no.such.key');
  });

  it('says what is wrong, and what to do', async () => {
    expect(await run(home, ['apps', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('substrate serve'),
    });
    expect(await substrate('apps', '--key', 'sk_wrong')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--key'),
    });
    expect(await substrate('state', 'nobody')).toMatchObject({ code: 4, stderr: expect.stringContaining('shop-') });
    expect((await substrate('apps', '--nope')).code).toBe(2);
    expect((await substrate('--help')).code).toBe(0);
  });

  it('colours only where that is wanted', async () => {
    const plain = await run(home, ['apps', '--url', daemon.base]);
    expect(plain.stdout).not.toContain('\x1b');
    const coloured = await run(home, ['apps', '--url', daemon.base], { FORCE_COLOR: '1' });
    expect(coloured.stdout).toContain('\x1b[32mactive');
    const refused = await run(home, ['apps', '--url', daemon.base], { FORCE_COLOR: '1', NO_COLOR: '1' });
    expect(refused.stdout).not.toContain('\x1b');
  });
});
