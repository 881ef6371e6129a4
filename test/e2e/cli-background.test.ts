/** The daemon in the background, as a service, and completion in shells: all with the built program. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppSummary } from '../../src/model/wire.ts';
import { BINARY, cleanEnv, makeHome, run, stopAll } from '../support/daemon.ts';
import { knowTarget, LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { endTerminals, onTerminal, Pty } from '../support/pty.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

interface Up {
  readonly url: string;
  readonly dashboard: string;
  readonly started: boolean;
  readonly pid: number;
  readonly log: string;
}

describe('a daemon in the background', () => {
  let home: string;
  let env: Record<string, string>;
  let shop: Target;
  let shopId: string;
  let first: Up;
  let second: Up;

  const substrate = (...args: string[]) => run(home, args, env);
  const data = (name: string) => path.join(home, '.local/share/substrate', name);
  /** Requested with the key that the dashboard gets for the code of the link. */
  let pageKey: string | undefined;
  const listed = async () => {
    pageKey ??= await redeemed(first.dashboard);
    const answer = await fetch(`${first.url}/substrate/v1/apps`, { headers: { 'x-substrate-key': pageKey } });
    return ((await answer.json()) as { apps: AppSummary[] }).apps;
  };
  const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

  beforeAll(async () => {
    home = makeHome();
    shopId = knowTarget(home, 'shop.cjs');
    env = { ...LEAVE_OTHERS_ALONE, SUBSTRATE_SERVER__PORT: String(await freePort()) };
    shop = await startTarget('shop.cjs');
    const ups = await Promise.all([substrate('up', '--json'), substrate('up', '--json')]);
    const [one, other] = ups.map(({ stdout }) => JSON.parse(stdout) as Up);
    if (one === undefined || other === undefined) throw new Error('up did not answer');
    [first, second] = one.started ? [one, other] : [other, one];
  });
  afterAll(async () => {
    await substrate('down');
    endTerminals();
    await stopAll();
    await endAll();
  });

  it('is started once by two that come at the same time', () => {
    expect([first.started, second.started]).toEqual([true, false]);
    expect(second.pid).toBe(first.pid);
    expect(first.url).toBe(`http://127.0.0.1:${env.SUBSTRATE_SERVER__PORT}`);
  });

  it('has a session, a log and a record of its own, for its user alone', () => {
    const stat = fs.readFileSync(`/proc/${first.pid}/stat`, 'utf8');
    expect(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])).toBe(first.pid);
    expect(fs.readlinkSync(`/proc/${first.pid}/cwd`)).toBe('/');
    expect(first.log).toBe(data('daemon.log'));
    for (const file of ['daemon.log', 'daemon.json', 'cli-key.json']) expect(modeOf(data(file))).toBe(0o600);
    const { key } = JSON.parse(fs.readFileSync(data('cli-key.json'), 'utf8')) as { key: string };
    expect(key).toMatch(/^sk_/);
    expect(JSON.stringify([first, second])).not.toContain('sk_');
    expect(fs.readFileSync(first.log, 'utf8')).not.toContain(key);
  });

  it('gives a link that lets in', async () => {
    expect((await listed()).map(({ pid }) => pid)).toContain(shop.pid);
  });

  it('opens the browser without the key on any command line', async () => {
    const bin = path.join(home, 'bin');
    const seen = path.join(home, 'opened');
    fs.mkdirSync(bin);
    fs.writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$*" > '${seen}'\n`, { mode: 0o755 });
    const opened = await run(home, ['up', '--open'], { ...env, PATH: `${bin}:${process.env.PATH}` });
    expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(/\/#code=[\w-]+\n$/) });
    const code = opened.stdout.trim().split('#')[1] ?? '';
    const file = new URL(fs.readFileSync(seen, 'utf8'));
    expect(file.protocol).toBe('file:');
    expect(file.href).not.toContain(code);
    expect(modeOf(file.pathname)).toBe(0o600);
    expect(fs.readFileSync(file.pathname, 'utf8')).toContain(`url=${opened.stdout.trim()}"`);
    fs.writeFileSync(path.join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const failed = await run(home, ['up', '--open'], { ...env, PATH: `${bin}:${process.env.PATH}` });
    expect(failed.code).toBe(0);
    expect(failed.stderr).toContain('xdg-open failed (code 3)');
  });

  it('is not mistaken for another one', async () => {
    const elsewhere = await run(home, ['up'], { ...env, SUBSTRATE_SERVER__PORT: String(await freePort()) });
    expect(elsewhere).toMatchObject({ code: 5, stdout: '' });
    expect(elsewhere.stderr).toContain(`is at ${first.url}. End it first: substrate down`);
  });

  it('tells why it did not come up', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    server.on('connection', (socket) => socket.destroy());
    const taken = await run(makeHome(), ['up'], { SUBSTRATE_SERVER__PORT: String(port) });
    server.close();
    expect(taken).toMatchObject({ code: 1, stdout: '' });
    expect(taken.stderr).toContain('The daemon did not come up: it ended at once (code 1). The last lines of');
    expect(taken.stderr).toContain(`Port ${port} on 127.0.0.1 is taken.`);
  });

  it('says what a first look waits for, and for how long', async () => {
    const flag = path.join(home, 'is-free');
    const busy = await startTarget('busy.cjs', { args: [flag] });
    await until('the app', async () => (await listed()).some(({ pid }) => pid === busy.pid));
    const started = performance.now();
    const { code, pty } = await onTerminal([process.execPath, BINARY, 'state', String(busy.pid), '--timeout', '500'], {
      env: cleanEnv(home, env),
      columns: 120,
    });
    expect(code).toBe(7);
    // The daemon keeps trying for 20 s.
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(pty.text).toMatch(
      /␛\[36m.␛\[0m waiting for busy: (?:it is about to be attached to|the probe is being attached)/u,
    );
    expect(pty.lines).toEqual([expect.stringMatching(/^substrate: busy \(pid \d+\) has no state after 0\.5 s/)]);
    fs.writeFileSync(flag, '');
  });

  describe('completion', () => {
    const shells = makeShells();
    beforeAll(async () => {
      fs.mkdirSync(path.join(home, 'shell-bin'), { recursive: true });
      fs.symlinkSync(BINARY, path.join(home, 'shell-bin/substrate'));
      await until('the shop', async () => (await listed()).some(({ has_state }) => has_state));
    });
    const inShell = (shell: string, args: string[]) =>
      spawnSync(shell, args, {
        encoding: 'utf8',
        env: cleanEnv(home, { ...env, PATH: `${path.join(home, 'shell-bin')}:${process.env.PATH}`, TERM: 'dumb' }),
      });
    const bash = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const script = `source "$HOME/substrate.bash"; COMP_WORDS=(substrate ${list}); COMP_CWORD=${words.length}; _substrate; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = inShell('bash', ['--norc', '-c', script]);
      expect(stderr).toBe('');
      return stdout.split('\n').filter((line) => line !== '');
    };

    it('in bash: apps, their actions, and what those take', async () => {
      fs.writeFileSync(path.join(home, 'substrate.bash'), (await substrate('completion', 'bash')).stdout);
      // On a busy machine the daemon may answer too late: then nothing is offered, and the key is pressed again.
      await until('apps', () => bash('state', 'sho').includes(shopId));
      await until('actions', () => bash('action', String(shop.pid), 'cart.set').join() === 'cart.setCoupon');
      // Bash passes typed words with their quotes, and `name=value` as three words.
      const more = () => bash('action', '"shop"', 'cart.addItem', 'name', '=', 'tea', '');
      await until('parameters', () => more().join() === 'price=,quantity=');
    });

    it('is silent and quick where no daemon answers', async () => {
      const away = { ...env, SUBSTRATE_SERVER__PORT: '1' };
      expect(await run(makeHome(), ['__complete', '--', 'state', ''], away)).toEqual({
        code: 0,
        stdout: '',
        stderr: '',
      });
    });

    it.skipIf(!shells.fish)('in fish', async () => {
      const file = path.join(home, 'substrate.fish');
      fs.writeFileSync(file, (await substrate('completion', 'fish')).stdout);
      const complete = (line: string) =>
        inShell('fish', ['--no-config', '-c', `source '${file}'; complete -C '${line}'`]).stdout;
      expect(inShell('fish', ['-n', file]).status).toBe(0);
      const line = 'substrate action "shop" cart.setCoupon c';
      await until('parameters', () => complete(line) === 'coupon=\tstring\n');
    });

    it.skipIf(!shells.zsh)('in zsh', async () => {
      // The completion system of zsh only works at a prompt.
      const zdot = path.join(home, 'zdot');
      fs.mkdirSync(zdot);
      fs.writeFileSync(
        path.join(zdot, '.zshrc'),
        'PS1="prompt> "; autoload -Uz compinit; compinit -u -d "$ZDOTDIR/dump"; source <(substrate completion zsh)\n',
      );
      const pty = new Pty(['zsh', '-i'], {
        env: cleanEnv(home, { ...env, ZDOTDIR: zdot, PATH: `${path.join(home, 'shell-bin')}:${process.env.PATH}` }),
      });
      await pty.shows('prompt> ');
      pty.type(`substrate action ${shop.pid} cart.setC\t`);
      await pty.shows('cart.setCoupon');
      // There is no space between the name and its value.
      pty.type('c\tx');
      await pty.shows('coupon=x');
      pty.end();
    });
  });

  it('is ended by down, which waits for it and leaves nothing', async () => {
    const ended = await substrate('down', '--json');
    expect(JSON.parse(ended.stdout)).toEqual({ stopped: true, pid: first.pid });
    expect(fs.existsSync(`/proc/${first.pid}/cwd`)).toBe(false);
    for (const file of ['daemon.json', 'open-dashboard.html']) expect(fs.existsSync(data(file))).toBe(false);
  });

  it('does not signal a process that only has the pid of the old one', async () => {
    fs.writeFileSync(data('daemon.json'), JSON.stringify({ pid: shop.pid, start: '1', url: first.url }));
    expect(await substrate('down')).toMatchObject({ code: 0, stdout: 'No daemon is running.\n' });
    expect(shop.exitCode()).toBe(null);
  });

  it('puts a large log aside', async () => {
    fs.truncateSync(data('daemon.log'), 6 * 1024 * 1024);
    expect((await substrate('up')).code).toBe(0);
    expect(fs.statSync(data('daemon.log.1')).size).toBe(6 * 1024 * 1024);
    expect(fs.statSync(data('daemon.log')).size).toBeLessThan(1024 * 1024);
  });
});

describe('substrate service', () => {
  it.concurrent('prints a unit that systemd takes', async () => {
    const home = makeHome();
    const { code, stdout } = await run(home, ['service', 'install', '--print']);
    expect(code).toBe(0);
    expect(stdout).toContain(`ExecStart="${process.execPath}" "${BINARY}" "serve"\n`);
    const file = path.join(home, 'substrate.service');
    fs.writeFileSync(file, stdout);
    const analyzed = spawnSync('systemd-analyze', ['verify', '--user', file], {
      encoding: 'utf8',
      env: cleanEnv(home, { XDG_RUNTIME_DIR: home }),
    });
    // Without systemd this cannot be checked.
    if (analyzed.error === undefined) expect(analyzed).toMatchObject({ status: 0, stderr: '' });
  });

  it.concurrent('installs, says what is left to do where no systemd answers, and undoes it', async () => {
    const home = makeHome();
    const env = { XDG_CONFIG_HOME: path.join(home, 'conf'), SUBSTRATE_SERVER__PORT: '1' };
    const file = path.join(home, 'conf/systemd/user/substrate.service');
    const installed = await run(home, ['service', 'install'], env);
    expect(installed).toMatchObject({ code: 0, stdout: `${file} written\n` });
    expect(installed.stderr).toContain('systemctl --user enable substrate.service');
    expect(installed.stderr).toContain('substrate service uninstall');
    expect(installed.stderr).toContain('SUBSTRATE_SERVER__PORT');
    expect(fs.readFileSync(file, 'utf8')).toContain(`Environment="XDG_CONFIG_HOME=${home}/conf"`);
    expect((await run(home, ['service', 'install'], env)).stdout).toBe(`${file} is as it should be\n`);
    expect(await run(home, ['service', 'status', '--json'], env)).toMatchObject({ code: 1 });
    expect(await run(home, ['service', 'uninstall'], env)).toMatchObject({ code: 0, stdout: `${file} removed\n` });
    expect(fs.existsSync(file)).toBe(false);
    expect(await run(home, ['service', 'status'], env)).toMatchObject({ code: 4 });
  });
});

function makeShells(): { zsh: boolean; fish: boolean } {
  const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
  return { zsh: has('zsh'), fish: has('fish') };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function redeemed(link: string): Promise<string> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/substrate/v1/dashboard/key`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: hash.slice('#code='.length) }),
  });
  return ((await answer.json()) as { key: string }).key;
}
