/** The commands that ask a running daemon, as a shell calls them. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppSummary, SubstrateState } from '../../src/model/wire.ts';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { knowTarget, LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

describe('the command line', () => {
  let daemon: RunningDaemon;
  let target: Target;
  let home: string;
  let shopId: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    home = makeHome();
    target = await startTarget('shop.cjs');
    shopId = knowTarget(home, 'shop.cjs');
    daemon = await RunningDaemon.start(home, { env: LEAVE_OTHERS_ALONE });
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

  describe('what is known of an app', () => {
    const inFile = (name: string, content: unknown) => {
      const file = path.join(home, name);
      fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    };
    const label = (at: string, name: string) => {
      return { path: at, label: name, type: 'number', confidence: 1, confirmed: true };
    };
    const shared = (labels: unknown[], more: object = {}) => {
      const head = { format: 'substrate-schema/1', app_id: shopId, app_name: 'shop' };
      return { ...head, labels, actions: [], ...more };
    };

    it('is exported without values, and imported where others are, also while the app runs', async () => {
      await substrate('learn', pid(), 'visits', 'stats.visitors', '--notes', 'counted by the server');
      const file = path.join(home, 'shop.schema.json');
      const exported = await substrate('schema', 'export', pid(), '--out', file, '--json');
      expect(JSON.parse(exported.stdout)).toMatchObject({ file, app_id: shopId, actions: 0 });
      const document = JSON.parse(fs.readFileSync(file, 'utf8'));
      expect(document.labels).toContainEqual({
        ...label('visits', 'stats.visitors'),
        notes: 'counted by the server',
      });
      const all = await substrate('schema', 'export', shopId, '--all');
      expect(all.stdout).toContain('cart.items[*].name');
      for (const value of ['apple', 'EUR', 'hunter2']) expect(all.stdout).not.toContain(value);
      expect(JSON.parse(all.stdout)).not.toHaveProperty('hints');

      // On another machine, where no daemon runs and the app has been seen.
      const elsewhere = makeHome();
      knowTarget(elsewhere, 'shop.cjs');
      const away = { SUBSTRATE_SERVER__PORT: '1' };
      const dry = await run(elsewhere, ['schema', 'import', file, '--dry-run'], away);
      expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^added +visits +stats\.visitors +new$/m) });
      expect(JSON.parse((await run(elsewhere, ['schema', 'export', shopId], away)).stdout).labels).toEqual([]);
      expect((await run(elsewhere, ['schema', 'import', file], away)).code).toBe(0);
      const again = await run(elsewhere, ['schema', 'export', 'shop'], away);
      expect(again.stdout).toBe(fs.readFileSync(file, 'utf8'));
    });

    it('renames the keys of an app that runs, at once, and keeps what is confirmed here unless it is forced', async () => {
      const file = inFile('theirs.json', shared([label('settings.theme.dark', 'look.dark'), label('visits', 'hits')]));
      const dry = await substrate('schema', 'import', file, '--dry-run');
      expect(dry.code).toBe(5);
      expect(dry.stdout).toMatch(/^conflict +visits +hits +it is confirmed here as stats\.visitors \(number\)$/m);
      expect((await substrate('schema', 'import', file)).code).toBe(5);
      const keys = async () => {
        const { stdout } = await substrate('state', pid(), '--flat', '--fresh');
        return stdout.split('\n').map((line) => line.split(' = ')[0]);
      };
      expect(await keys()).toEqual(expect.arrayContaining(['look.dark', 'stats.visitors']));
      const forced = await substrate('schema', 'import', file, '--force', '--json');
      expect(JSON.parse(forced.stdout)).toMatchObject({ counts: { changed: 1, unchanged: 1 }, dry_run: false });
      const after = await keys();
      expect(after).toContain('hits');
      expect(after).not.toContain('stats.visitors');
    });

    it('is taken from nobody who would do harm, or for another app by mistake', async () => {
      const evil = '{"path":"__proto__.x","label":"__proto__","type":"number","confidence":1,"confirmed":true}';
      const text = JSON.stringify(shared([])).replace('"labels":[]', `"labels":[${evil}]`);
      const hostile = await substrate('schema', 'import', inFile('evil.json', text));
      expect(hostile).toMatchObject({ code: 5, stdout: expect.stringContaining('it contains __proto__') });
      expect(await substrate('schema', 'import', '/dev/zero')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('larger than 16 MiB'),
      });
      const foreign = inFile('foreign.json', shared([label('a', 'b')], { app_id: 'shop-00000000' }));
      expect(await substrate('schema', 'import', foreign)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`--as ${shopId}`),
      });
      expect((await substrate('schema', 'import', foreign, '--as', pid(), '--dry-run')).code).toBe(0);
      expect((await substrate('schema', 'export', 'shopp')).stderr).toContain(`Did you mean ${shopId}`);
      expect((await substrate('schema', 'import', inFile('not.json', 'x'))).stderr).toContain('is no JSON');
    });

    it('may be more than the daemon takes at once', async () => {
      const labels = Array.from({ length: 4000 }, (_, at) => ({
        ...label(`never.seen${at}`, `more.names${at}`),
        notes: 'n'.repeat(300),
      }));
      const file = inFile('large.json', shared(labels));
      expect(fs.statSync(file).size).toBeGreaterThan(1024 * 1024);
      const taken = await substrate('schema', 'import', file, '--json');
      expect(JSON.parse(taken.stdout).counts).toMatchObject({ added: 4000 });
    });
  });

  it('says what is wrong, and what to do', async () => {
    expect(await run(home, ['apps', '--url', 'http://127.0.0.1:1'])).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('substrate up'),
    });
    expect(await substrate('apps', '--key', 'sk_wrong')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('--key'),
    });
    expect(await substrate('state', 'nobody')).toMatchObject({ code: 4, stderr: expect.stringContaining('shop-') });
    const gone = await startTarget('closure.cjs');
    await until('it to be found', () => daemon.app(gone.pid));
    process.kill(gone.pid, 'SIGKILL');
    await until('its end', async () => (await daemon.app(gone.pid))?.probe_status === 'detached');
    expect(await substrate('state', String(gone.pid))).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(`closure (pid ${gone.pid}) has ended.`),
    });
    expect(await substrate('schema', 'import', '/no/such/file')).toMatchObject({
      code: 4,
      stderr: 'substrate: There is no file /no/such/file.\n',
    });
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
