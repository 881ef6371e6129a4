/** The command line as a person sees it: on a terminal of a certain size, with colours, and interrupted at any time. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyCommand } from '../support/command-tree.ts';
import { BINARY, cleanEnv, makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { knowTarget, LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { endTerminals, onTerminal, Pty, withoutEscapes } from '../support/pty.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const ENTERED = '␛[?1049h';
const LEFT = '␛[?7h␛[?25h␛[?1049l';

describe('on a terminal', () => {
  let daemon: RunningDaemon;
  let shop: Target;
  let home: string;
  let captureId: string;
  let spareKey: string;
  let file: string;

  beforeAll(async () => {
    home = makeHome();
    shop = await startTarget('shop.cjs');
    const app_id = knowTarget(home, 'shop.cjs');
    daemon = await RunningDaemon.start(home, { env: LEAVE_OTHERS_ALONE });
    captureId = (await daemon.state(shop.pid)).capture_id;
    spareKey = (await makeKey(home, 'spare')).id;
    file = path.join(home, 'shop.schema.json');
    const label = { path: 'visits', label: 'hits', type: 'number', confidence: 1, confirmed: true };
    const document = { format: 'substrate-schema/1', app_id, app_name: 'shop', labels: [label], actions: [] };
    fs.writeFileSync(file, JSON.stringify(document));
  });
  afterAll(async () => {
    endTerminals();
    await stopAll();
    await endAll();
  });

  const environment = (extra: Record<string, string> = {}) =>
    cleanEnv(home, { SUBSTRATE_SERVER__PORT: new URL(daemon.base).port, ...extra });
  const command = (...args: string[]) => [process.execPath, BINARY, ...args];
  const typed = (args: string[], size: { columns?: number; rows?: number } = {}) =>
    onTerminal(command(...args), { env: environment(), ...size });
  const pid = () => String(shop.pid);
  const piped = (...args: string[]) => run(home, args, { SUBSTRATE_SERVER__PORT: new URL(daemon.base).port });

  /** The output of each, its colours, and its exit code. */
  const shown: [string, () => string[], RegExp, number][] = [
    ['apps', () => ['apps'], /␛\[32mactive/, 0],
    ['state', () => ['state', pid(), 'cart'], /␛\[32m"apple"␛\[0m/, 0],
    ['state --flat', () => ['state', pid(), 'cart', '--flat'], /cart\.items\[0\]\.name = ␛\[32m"apple"/, 0],
    ['schema', () => ['schema', pid()], /␛\[31mirreversible_write/, 0],
    ['schema export', () => ['schema', 'export', pid(), '--all'], /"format": "substrate-schema\/1"/, 0],
    ['action', () => ['action', pid(), 'cart.setCoupon', 'coupon=a'], /␛\[32m✓␛\[0m/, 0],
    ['verify', () => ['verify', pid(), 'visits === 0'], /␛\[32m✓␛\[0m visits/, 0],
    ['verify, in vain', () => ['verify', pid(), 'visits > 9', '--timeout', '300'], /␛\[31m✗␛\[0m visits/, 6],
    ['diff', () => ['diff', pid(), captureId], /Nothing has changed\.|␛\[2m\d+ differences?, up to /, 0],
    ['learn', () => ['learn', pid(), 'rates.USD', 'rates.dollar'], /\S/, 0],
    [
      'schema import',
      () => ['schema', 'import', file, '--dry-run'],
      /␛\[33mchanged␛\[0m {2}visits +hits +it was visits/,
      0,
    ],
    ['history', () => ['history', pid(), 'visits'], /visits/, 0],
    ['mcp install', () => ['mcp', 'install', '--print'], /cursor/i, 0],
    ['run', () => ['run', '--', 'sh', '-c', 'echo "<$0>"; exit 9', 'a b'], /<a b>\r\n/, 9],
    ['doctor', () => ['doctor', pid()], /shop \(pid \d+\) is Node\.js[\s\S]*The daemon is attached to it/, 0],
    ['keygen', () => ['keygen', '--label', 'made here'], /key: +sk_substrate_\w+\r\nid: +key_/, 0],
    ['keys list', () => ['keys', 'list'], /command line/, 0],
    ['audit', () => ['audit'], /No action was asked for|TIME/, 0],
    ['approve', () => ['approve'], /No action waits for a person\./, 0],
    ['deny', () => ['deny', 'ask_0'], /ask_0: no action waits with that id\./, 4],
    ['keys disable', () => ['keys', 'disable', spareKey], /key_\w+ disabled/, 0],
    ['keys enable', () => ['keys', 'enable', spareKey], /key_\w+ enabled/, 0],
    [
      'keys delete',
      () => ['keys', 'delete', 'key_nobody'],
      /␛\[31msubstrate:␛\[0m .*no key has the id "key_nobody"/,
      4,
    ],
    ['service install', () => ['service', 'install', '--print'], /ExecStart="\S+" "\S+" "serve"/, 0],
    ['service uninstall', () => ['service', 'uninstall'], /No service is installed\./, 0],
    ['service status', () => ['service', 'status'], /not installed/, 4],
    ['completion', () => ['completion', 'zsh'], /#compdef substrate/, 0],
    ['up', () => ['up'], /␛\[32m●␛\[0m substrate runs already[\s\S]*\/#code=[\w-]+/, 0],
    ['down', () => ['down'], /␛\[31msubstrate:␛\[0m A daemon answers at .*\r\n/, 5],
    [
      'an unknown app',
      () => ['state', 'shopp'],
      /␛\[31msubstrate:␛\[0m There is no app "shopp"\. Did you mean shop/i,
      4,
    ],
    [
      'a refusal',
      () => ['action', pid(), 'cart.addItem', 'name=fig', 'price=1'],
      /␛\[31msubstrate:␛\[0m[\s\S]*--verify/,
      5,
    ],
    ['a wrong command', () => ['stat'], /unknown command 'stat'\r\n\(Did you mean state\?\)/, 2],
    ['help', () => ['--help'], /Daemon:\r\n {2}up [\s\S]*Examples:/, 0],
  ];
  it.concurrent.each(shown)('%s', async (_, args, text, expected) => {
    const { code, pty } = await typed(args(), { columns: 200 });
    expect(pty.text).toMatch(text);
    expect(code).toBe(expected);
  });

  it('leaves out no command', () => {
    // Commands that keep running, and those in attach.test.ts.
    const here = [...shown.map(([, args]) => args().join(' ')), 'serve', 'mcp', 'watch', 'attach', 'detach'];
    const missing = [...everyCommand().keys()].filter(
      (name) => !here.some((line) => `${line} `.startsWith(`${name} `)),
    );
    expect(missing).toEqual([]);
  });

  it.concurrent('serve runs until ctrl-c', async () => {
    const pty = new Pty(command('serve', '--port', '0'), { env: cleanEnv(makeHome(), LEAVE_OTHERS_ALONE) });
    await pty.shows('substrate listening on http://127.0.0.1:');
    pty.type('\x03');
    expect(await pty.exited).toBe(0);
  });

  it.concurrent('mcp answers what is typed until its input ends', async () => {
    const pty = new Pty(command('mcp'), { env: environment() });
    pty.type('{"jsonrpc":"2.0","id":7,"method":"ping"}\n');
    await pty.shows('"result":{}');
    pty.type('\x04');
    expect(await pty.exited).toBe(0);
  });

  it.concurrent('waits for an app that is yet to be started, and ends quietly when nobody wants it any more', async () => {
    const pty = new Pty(command('state', 'closure', '--wait', '--flat'), { env: environment() });
    await pty.shows('waiting for closure to be found');
    // A process that ends before it was read, such as some that browsers start, is not the requested one.
    const first = await startTarget('closure.cjs');
    process.kill(first.pid, 'SIGSTOP');
    await pty.shows('waiting for closure: ');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    await startTarget('closure.cjs');
    await pty.exited;
    expect(pty.lines.join('\n')).toMatch(/^closure \(pid \d+\): \d+ keys/m);
    const watch = new Pty(command('watch', 'nobody', '--wait'), { env: environment() });
    await watch.shows('waiting for nobody to be found');
    watch.type('\x03');
    expect(await watch.exited).toBe(0);
    const late = await piped('state', 'nobody', '--wait', '--timeout', '1', '--json');
    expect(late).toMatchObject({ code: 4, stdout: '' });
    expect(JSON.parse(late.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { code: 'not_found' } });
  });

  it.concurrent.each([
    ['apps', () => ['apps'], /^\d+ +shop-[0-9a-f]{16} +active/m],
    ['schema', () => ['schema', pid()], /^cart\.setCoupon +\(coupon: st/m],
    ['keys', () => ['keys', 'list'], /^key_\w+… +enabled +command line$/m],
  ])('the table of %s fits a narrow window, and can be read there', async (_, args, text) => {
    const { pty } = await typed(args(), { columns: 40 });
    expect(pty.lines.filter((line) => line.length > 40)).toEqual([]);
    expect(pty.lines.join('\n')).toMatch(text);
  });

  it('says what it waits for, and wipes that away', async () => {
    const { pty } = await typed(['verify', pid(), 'visits > 9', '--timeout', '400'], { columns: 50 });
    expect(pty.text).toMatch(/\r␛\[K␛\[36m[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]␛\[0m waiting for visits > 9 \(0 s\)/u);
    expect(pty.text).toMatch(/\r␛\[K␛\[31m✗/);
    expect(pty.lines.join('\n')).not.toContain('waiting');
  });

  it('elsewhere is plain: nothing but the result on stdout, and no escape codes', async () => {
    const commands = [['apps'], ['state', pid()], ['schema', pid()], ['verify', pid(), 'visits === 0'], ['up']];
    const results = await Promise.all(commands.map((args) => piped(...args)));
    for (const { code, stdout, stderr } of results) {
      expect(code).toBe(0);
      expect(stdout).not.toBe('');
      expect(`${stdout}${stderr}`).not.toContain('\u001b');
    }
    expect(results.at(-1)?.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]+\n$/);
  });

  it('is not steered by what an app says', async () => {
    const evil = '\x1b[2J\x1b]0;owned\x07\r\x9b31m';
    await daemon.post('/substrate/v1/action', {
      pid: shop.pid,
      action: 'cart.setCoupon',
      parameters: { coupon: evil },
      verify_expression: 'cart.coupon !== "a"',
    });
    const commands = [
      ['state', pid(), 'cart.coupon'],
      ['state', pid(), 'cart.coupon', '--flat'],
      ['state', pid(), 'cart.coupon', '--json'],
      ['verify', pid(), 'cart.coupon === 1', '--timeout', '100'],
    ];
    for (const { pty } of await Promise.all(commands.map((args) => typed(args, { columns: 200 })))) {
      expect(pty.text).toContain('owned');
      expect(pty.text).not.toMatch(/␛\[2J|␛\]|␇|␛\[31mm/);
    }
  });

  it('ends quietly when its reader has gone', async () => {
    const { code, pty } = await onTerminal(
      ['bash', '-c', `set -o pipefail; "${process.execPath}" "${BINARY}" schema ${pid()} | head -c1 >/dev/null; true`],
      { env: environment() },
    );
    expect(code).toBe(0);
    expect(pty.text).not.toContain('EPIPE');
  });

  describe('watch', () => {
    const watching = (args: string[] = [], size = { columns: 100, rows: 12 }, extra: Record<string, string> = {}) =>
      new Pty(command('watch', pid(), ...args), { env: environment(extra), ...size });
    let round = 0;
    const setCoupon = (text: string) =>
      daemon.post('/substrate/v1/action', { pid: shop.pid, action: 'cart.setCoupon', parameters: { coupon: text } });

    it('draws, redraws what changed, and gives the window back at ctrl-c', async () => {
      const pty = watching(['cart']);
      await pty.shows('cart.items[0].name');
      expect(pty.text.indexOf(ENTERED)).toBeGreaterThanOrEqual(0);
      expect(withoutEscapes(pty.text)).toMatch(
        /shop \(pid \d+\) {2}\d+ keys {2}capture \d+\.\d s ago {2}\d+\.\d changes\/s/,
      );
      await setCoupon(`w${round}`);
      // The newest is on top, below the two lines of the head, and highlighted.
      await pty.shows('␛[3;1H␛[K␛[7mcart.coupon␛[0m');
      await pty.shows(`"w${round}"`);
      // Not for ever.
      await pty.shows('␛[3;1H␛[Kcart.coupon');
      pty.type('\x03');
      expect(await pty.exited).toBe(0);
      expect(pty.text.endsWith(LEFT)).toBe(true);
    });

    it('follows the size of the window', async () => {
      const pty = watching();
      await pty.shows('more below');
      expect(Math.max(...rowsUsed(pty.text))).toBeLessThanOrEqual(12);
      const before = pty.text.length;
      await pty.resize(50, 6);
      // Columns and rows may change one after the other: the last complete drawing counts.
      const redrawn = () => pty.text.slice(Math.max(before, pty.text.lastIndexOf('␛[2J')));
      await until('a redraw', () => redrawn().includes('␛[6;1H') && !redrawn().includes('␛[7;1H'));
      const after = redrawn();
      expect(Math.max(...rowsUsed(after))).toBe(6);
      expect(
        withoutEscapes(after.replaceAll(/␛\[\d+;1H/g, '\n'))
          .split('\n')
          .filter((line) => line.length > 50),
      ).toEqual([]);
      process.kill(await pty.pid(), 'SIGTERM');
      expect(await pty.exited).toBe(143);
      expect(pty.text.endsWith(LEFT)).toBe(true);
    });

    it('gives the window back also when it crashes', async () => {
      const crash = encodeURIComponent('process.on("SIGUSR2",()=>{throw new Error("crashed")})');
      const pty = watching([], undefined, { NODE_OPTIONS: `--import data:text/javascript,${crash}` });
      await pty.shows('more below');
      process.kill(await pty.pid(), 'SIGUSR2');
      expect(await pty.exited).not.toBe(0);
      expect(pty.text).toContain(LEFT);
      expect(pty.text.indexOf('Error: crashed')).toBeGreaterThan(pty.text.indexOf(LEFT));
    });

    it('writes lines when that is wanted', async () => {
      const pty = watching(['cart', '--plain']);
      await pty.shows('watching shop');
      await until('a line', async () => {
        await setCoupon(`p${round++}`);
        return /\d\d:\d\d:\d\d\.\d{3}␛\[0m ␛\[7mcart\.coupon/.test(pty.text);
      });
      pty.type('\x03');
      expect(await pty.exited).toBe(0);
      expect(pty.text).not.toContain('␛[?');
    });
  });
});

function rowsUsed(text: string): number[] {
  return [...text.matchAll(/␛\[(\d+);1H/g)].map(([, row]) => Number(row));
}
