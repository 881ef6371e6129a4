/** The commands that use a running daemon, as a shell calls them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppSummary, SubstrateState } from '../../src/model/wire.ts';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { knowTarget, LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { readableBy, removeCopies } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const NOBODY = 65_534;

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
    removeCopies();
  });

  const substrate = (...args: string[]) => run(home, [...args, '--url', daemon.base]);
  const pid = () => String(target.pid);
  const setCoupon = (coupon: string) =>
    daemon.post('/substrate/v1/action', { pid: target.pid, action: 'cart.setCoupon', parameters: { coupon } });

  it('lists apps, for people and for programs', async () => {
    const [people, programs] = await Promise.all([substrate('apps'), substrate('apps', '--json')]);
    expect(people).toMatchObject({ code: 0, stderr: '' });
    expect(people.stdout).not.toContain('\x1b');
    expect(people.stdout).toMatch(/^PID +APP +RUNTIME +STATUS +CONF +KEYS +ACTIONS +NAME$/m);
    expect(people.stdout).toMatch(new RegExp(`^${pid()} +shop-[0-9a-f]{16} +Node.js +active +0\\.\\d\\d `, 'm'));
    const { apps } = JSON.parse(programs.stdout) as { apps: AppSummary[] };
    expect(apps.find((app) => app.pid === target.pid)?.app_name).toBe('shop');
  });

  it('needs no key on the machine of the daemon: it has one of its own, for its user alone', async () => {
    const folder = path.join(home, '.local/share/substrate');
    const file = path.join(folder, 'cli-key.json');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const before = fs.readFileSync(file, 'utf8');
    // An empty variable is no key.
    expect((await run(home, ['apps', '--url', daemon.base], { SUBSTRATE_KEY: '' })).code).toBe(0);
    expect(fs.readFileSync(file, 'utf8')).toBe(before);
    const { id } = JSON.parse(before) as { id: string };
    await run(home, ['keys', 'disable', id]);
    expect((await substrate('apps')).code).toBe(0);
    expect(fs.readFileSync(file, 'utf8')).not.toBe(before);
  });

  it('shows the state as a tree, as lines, in part, and as JSON', async () => {
    const [tree, flat, exact, none] = await Promise.all([
      substrate('state', pid()),
      substrate('state', shopId, 'cart.items[*].name', '**.dark', '--flat'),
      substrate('state', pid(), 'visits', '--json', '--fresh'),
      substrate('state', pid(), 'crat.**', 'nothing.like.it'),
    ]);
    expect(tree.stdout).toContain('cart\n  items\n    length  1\n    [0]\n      name  "apple"\n');
    expect(tree.stderr).toMatch(/shop \(pid \d+\): \d+ keys, confidence 0\.\d\d.*\n.*of the program were/);
    expect(flat.stdout).toBe('settings.theme.dark = true\ncart.items[0].name = "apple"\n');
    expect((JSON.parse(exact.stdout) as SubstrateState).objects).toEqual({ visits: 0 });
    expect(none.stderr).toContain(
      'Nothing matches crat.**. Nearest: cart.\nNothing matches nothing.like.it. "**.<name>"',
    );
  });

  it('lists actions', async () => {
    const [{ stdout }, programs, none] = await Promise.all([
      substrate('schema', pid(), 'cart.set*'),
      substrate('schema', pid(), 'cart.set*', '--json'),
      substrate('schema', pid(), 'nothing*'),
    ]);
    expect(none).toMatchObject({ stdout: '', stderr: expect.stringContaining('No action matches.') });
    expect(stdout).toMatch(/^cart\.setCoupon +reversible_write +\(coupon: string\) -> void/m);
    expect(stdout).not.toContain('addItem');
    expect(JSON.parse(programs.stdout).actions).toHaveProperty(['cart.setCoupon']);
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
    const [failed, refused, unknown, untyped, nameless, missing] = await Promise.all([
      act('cart.applyDiscount', 'share=2', '--verify', 'cart.items.length >= 0'),
      act('cart.addItem', 'name=fig', 'price=3'),
      act('cart.adItem', 'name=fig'),
      act('cart.addItem', 'name=fig', 'price=much'),
      act('cart.addItem', 'fig'),
      act('cart.addItem', 'name=fig', '--verify', 'cart.items.length >= 0'),
    ]);
    expect(failed).toMatchObject({ code: 1 });
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toContain('--verify');
    expect(unknown).toMatchObject({ code: 4, stdout: '' });
    expect(untyped.code).toBe(2);
    expect(nameless.stderr).toContain('no name=value');
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('substrate schema <app> <action>') });
  });

  it('waits for what is to be true', async () => {
    const [true_, not, wrong] = await Promise.all([
      substrate('verify', pid(), 'cart.items.length >= 1'),
      substrate('verify', pid(), 'visits > 1000', '--timeout', '100'),
      substrate('verify', pid(), 'visits >'),
    ]);
    expect(true_).toMatchObject({ code: 0 });
    expect(not.code).toBe(6);
    expect(not.stdout).toContain('✗ visits is 0; expected > 1000.');
    expect(wrong.code).toBe(2);
  });

  it('shows what differs since a capture', async () => {
    const { capture_id } = await daemon.state(target.pid);
    await setCoupon('seven');
    const [diff, forgotten] = await Promise.all([
      substrate('diff', pid(), capture_id),
      substrate('diff', pid(), '01890000-0000-7000-8000-000000000000'),
    ]);
    expect(diff.stdout).toContain('cart.coupon: ');
    expect(diff.stdout).toContain('→ "seven"');
    expect(forgotten.code).toBe(4);
  });

  it('shows what a key held, as a line, as JSON and as CSV', async () => {
    await setCoupon('eight');
    const [shown, json, csv] = await Promise.all([
      substrate('history', pid(), 'cart.items.length', 'cart.coupon', 'nothing.here'),
      substrate('history', pid(), 'cart.coupon', '--json'),
      substrate('history', pid(), 'cart.coupon', '--csv'),
    ]);
    expect(shown.stdout).toMatch(
      /^cart\.items\.length\n {2}[▁▂▃▄▅▆▇█ ]{40}\n {2}least \d+, most \d+, last \d+, \d+ changes?\n/,
    );
    expect(shown.stdout).toMatch(
      /cart\.coupon\n {2}last "eight", \d+ changes?\nnothing\.here\n {2}the kept history does not/,
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ series: [{ key: 'cart.coupon' }] });
    expect(csv.stdout).toMatch(/^time,key,value\n(?:\S+Z,cart\.coupon,.*\n)*\S+Z,cart\.coupon,eight\n$/);
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
      await setCoupon(`w${round++}`);
      return shown.includes('cart.coupon');
    });
    const [first] = shown.trim().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ changes: [{ path: 'cart.coupon', after: expect.any(String) }] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('teaches names', async () => {
    const [learnt, unknown] = await Promise.all([
      substrate('learn', pid(), 'rates.USD', 'rates.dollar'),
      substrate('learn', pid(), 'no.such.key', 'x'),
    ]);
    expect(learnt).toMatchObject({ code: 0 });
    await until('the name', async () => 'rates.dollar' in (await daemon.state(target.pid)).objects);
    expect(unknown).toMatchObject({ code: 4, stdout: '' });
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

      // On another machine without a daemon, where the app is known.
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
      const foreign = inFile('foreign.json', shared([label('a', 'b')], { app_id: 'shop-00000000' }));
      const [hostile, endless, other, renamed, misspelt, noJson, folder, nowhere] = await Promise.all([
        substrate('schema', 'import', inFile('evil.json', text)),
        substrate('schema', 'import', '/dev/zero'),
        substrate('schema', 'import', foreign),
        substrate('schema', 'import', foreign, '--as', pid(), '--dry-run'),
        substrate('schema', 'export', 'shopp'),
        substrate('schema', 'import', inFile('not.json', 'x')),
        substrate('schema', 'import', home),
        substrate('schema', 'export', pid(), '--out', path.join(home, 'no', 'such')),
      ]);
      expect(hostile).toMatchObject({ code: 5, stdout: expect.stringContaining('it contains __proto__') });
      expect(endless).toMatchObject({ code: 2, stderr: expect.stringContaining('larger than 16 MiB') });
      expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining(`--as ${shopId}`) });
      expect(renamed.code).toBe(0);
      expect(misspelt.stderr).toContain(`Did you mean ${shopId}`);
      expect(noJson.stderr).toContain('is no JSON');
      expect(folder).toMatchObject({ code: 2, stderr: expect.stringContaining(`${home} cannot be read`) });
      expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('such cannot be written') });
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
    const gone = await startTarget('closure.cjs');
    await until('it to be found', () => daemon.app(gone.pid));
    process.kill(gone.pid, 'SIGKILL');
    await until('its end', async () => (await daemon.app(gone.pid))?.probe_status === 'detached');
    const says = (text: string | RegExp) => {
      return typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text);
    };
    const cases: [string[], number, string | RegExp][] = [
      [['apps', '--url', 'http://127.0.0.1:1'], 3, 'substrate up'],
      [['apps', '--url', 'localhost:7842'], 2, 'expected one such as http://127.0.0.1:7842'],
      [['apps', '--url', daemon.base, '--key', 'sk_wrong'], 3, '--key'],
      [['state', 'nobody', '--url', daemon.base], 4, 'shop-'],
      [['state', String(gone.pid), '--url', daemon.base], 4, `closure (pid ${gone.pid}) has ended.`],
      [['schema', 'import', '/no/such/file'], 4, /^substrate: There is no file \/no\/such\/file\.\n$/],
      // Also as JSON.
      [['state', '--json'], 2, /\{"error":\{"code":"usage","exit_code":2,"message":"missing required argument 'app'"/],
    ];
    await Promise.all(
      cases.map(async ([args, code, text]) => {
        expect([args, await run(home, args)]).toEqual([args, { code, stdout: '', stderr: says(text) }]);
      }),
    );
    const help = await run(home, ['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(process.getuid?.() === 0)(
    'says why it has no key of its own, and needs no home to say what is wrong',
    async () => {
      const dist = readableBy(NOBODY, path.dirname(BINARY));
      const asNobody = (args: string[], env: NodeJS.ProcessEnv) =>
        spawnSync(process.execPath, [path.join(dist, path.basename(BINARY)), ...args], {
          ...{ uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' },
          env: { PATH: process.env.PATH, ...env },
        });
      const foreign = asNobody(['apps', '--url', daemon.base], { HOME: home });
      expect(foreign).toMatchObject({
        status: 3,
        stdout: '',
        stderr: expect.stringMatching(/No key of its own: .*EACCES/),
      });
      const homeless = asNobody(['keys', 'list', '--json'], { HOME: '' });
      expect(JSON.parse(homeless.stdout).keys_file).toMatch(/^\//);
    },
  );

  it('colours only where that is wanted', async () => {
    const [coloured, refused] = await Promise.all([
      run(home, ['apps', '--url', daemon.base], { FORCE_COLOR: '1' }),
      run(home, ['apps', '--url', daemon.base], { FORCE_COLOR: '1', NO_COLOR: '1' }),
    ]);
    expect(coloured.stdout).toContain('\x1b[32mactive');
    expect(refused.stdout).not.toContain('\x1b');
  });
});
