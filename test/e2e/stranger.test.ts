/** Another user has taken the port of the daemon: no client may send it a key. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForeignListenerError, Substrate } from '../../src/client/node.ts';
import { BINARY, cleanEnv, makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { readableBy, removeCopies, startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const NOBODY = 65_534;
const PYTHON_CLIENT = path.resolve(import.meta.dirname, '../../clients/python');

/**
 * Imitates the daemon, and prints everything that it receives. With a file named, it accepts no connection before that
 * file exists.
 */
const STRANGER = `
const fs = require('node:fs');
const net = require('node:net');
const [port, flag] = process.argv.slice(1);
const health = { status: 'ok', version: '0', uptime_secs: 1, tracked_processes: 1, auth_enabled: true };
const body = JSON.stringify({ ...health, apps: [], code: 'x', expires_at: '2999-01-01T00:00:00Z', total: 0 });
const server = net.createServer((socket) => {
  console.log('connected');
  socket.on('error', () => {});
  socket.on('close', () => console.log('closed'));
  socket.on('data', (data) => {
    console.log('was sent: ' + data);
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body);
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  // In a turn of its own, in which nothing is accepted until it may.
  setTimeout(() => {
    console.log('listening ' + server.address().port);
    while (flag && !fs.existsSync(flag)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }, 0);
});`;

interface Stranger {
  readonly port: string;
  readonly base: string;
  readonly output: () => string;
}

async function startStranger({ uid = NOBODY, port = '0', flag = '' } = {}): Promise<Stranger> {
  const args = ['-e', STRANGER, '--', port, ...(flag === '' ? [] : [flag])];
  const { output } = await startProgram(process.execPath, args, { uid, cwd: '/', ready: /listening \d+/ });
  const taken = /listening (\d+)/.exec(output())?.[1] ?? '';
  return { port: taken, base: `http://127.0.0.1:${taken}`, output };
}

/** It was reached, and received nothing. */
function expectSilence(stranger: Stranger): void {
  expect(stranger.output()).toContain('connected');
  expect(stranger.output()).not.toContain('was sent');
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a stranger at the port', () => {
  let stranger: Stranger;
  let home: string;
  let env: Record<string, string>;
  let key: string;

  beforeAll(async () => {
    home = makeHome();
    ({ key } = await makeKey(home));
    stranger = await startStranger();
    env = { ...LEAVE_OTHERS_ALONE, SUBSTRATE_SERVER__PORT: stranger.port };
  });
  afterAll(async () => {
    await stopAll();
    await endAll();
    removeCopies();
  });

  it.each([
    'apps',
    'state shop',
    'watch shop',
    'action shop cart.clear',
    'learn shop a b',
    'apps --url http://localhost:PORT',
    'apps --url http://0.0.0.0:PORT --key sk_given',
  ])('hears nothing from substrate %s', async (words) => {
    const args = words.replace('PORT', stranger.port).split(' ');
    for (const extra of [{}, { SUBSTRATE_KEY: key }]) {
      const { code, stdout, stderr } = await run(home, args, { ...env, ...extra });
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(
        /A process of another user \(\w+, uid 65534\) listens at 127\.0\.0\.1:\d+: no key is sent/,
      );
    }
    expectSilence(stranger);
  });

  it('hears nothing from the client for Python', async () => {
    const script =
      'import substrated\ntry: substrated.Substrate().apps()\nexcept substrated.SubstrateError as e: print(e)';
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', script], {
      env: cleanEnv(home, {
        PYTHONPATH: PYTHON_CLIENT,
        PYTHONDONTWRITEBYTECODE: '1',
        SUBSTRATE_URL: stranger.base,
        SUBSTRATE_KEY: key,
      }),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^foreign_listener: A process of another user \(uid 65534\) listens at 127\.0\.0\.1:\d+: no key is/,
    );
    await until('the connection', () => stranger.output().includes('closed'));
    expectSilence(stranger);
  });

  it('is told of for programs, too', async () => {
    const { stderr } = await run(home, ['apps', '--json'], env);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unreachable', exit_code: 3 } });
  });

  it('is not what up takes for its daemon', async () => {
    for (const args of [['up'], ['up', '--open'], ['up', '--json']]) {
      const { code, stdout, stderr } = await run(home, args, env);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('uid 65534');
    }
    expect(fs.existsSync(path.join(home, '.local/share/substrate/open-dashboard.html'))).toBe(false);
    expectSilence(stranger);
  });

  it('hears nothing when somebody presses the tab key', async () => {
    const words = ['__complete', '--', 'state', ''];
    expect(await run(home, words, { ...env, SUBSTRATE_KEY: key })).toEqual({ code: 0, stdout: '', stderr: '' });
    expectSilence(stranger);
  });

  it('is named by doctor', async () => {
    const { stdout } = await run(home, ['doctor'], env);
    expect(stdout).toMatch(/A process of another user \(\w+, uid 65534\) listens at/);
    expectSilence(stranger);
  });

  it('hears nothing from the tools for models', async () => {
    const child = spawn(process.execPath, [BINARY, 'mcp'], {
      env: cleanEnv(home, env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    for (const message of [
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'list_apps', arguments: {} } },
    ])
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await until('an answer', () => said.includes('"id":2'));
    child.stdin.end();
    expect(said).toContain('uid 65534');
    expectSilence(stranger);
  });

  it('hears nothing from the client, and none of its watches', async () => {
    const substrate = new Substrate({ baseUrl: stranger.base, key });
    await expect(substrate.apps()).rejects.toBeInstanceOf(ForeignListenerError);
    await expect(substrate.watch(1, { states: false }).next()).rejects.toBeInstanceOf(ForeignListenerError);
    expectSilence(stranger);
  });

  it('hears nothing either when it is slow to take the connection', async () => {
    const flag = path.join(os.tmpdir(), `substrate-flag-${process.pid}`);
    const slow = await startStranger({ flag });
    const substrate = new Substrate({ baseUrl: slow.base, key });
    await expect(substrate.apps()).rejects.toThrow('accepts no connection, so its user is unknown');
    fs.writeFileSync(flag, '');
    await until('the end of the connection', () => slow.output().includes('closed'));
    fs.rmSync(flag);
    expectSilence(slow);
  });

  it('hears nothing when it takes the place of a daemon that was watched', async () => {
    const target: Target = await startTarget('shop.cjs');
    const daemon = await RunningDaemon.start(makeHome());
    await daemon.state(target.pid);
    const events = new Substrate({ baseUrl: daemon.base, key: daemon.key }).watch(target.pid);
    expect((await events.next()).value).toMatchObject({ kind: 'state' });
    const after = events.next();
    after.catch(() => {});
    await daemon.stop();
    const heir = await startStranger({ port: new URL(daemon.base).port });
    await expect(after).rejects.toBeInstanceOf(ForeignListenerError);
    expectSilence(heir);
  });
});

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('a daemon of root', () => {
  afterAll(async () => {
    await stopAll();
    await endAll();
    removeCopies();
  });

  it('may be asked by everybody who has a key', async () => {
    const daemon = await RunningDaemon.start(makeHome(), { env: LEAVE_OTHERS_ALONE });
    const dist = readableBy(NOBODY, path.dirname(BINARY));
    const args = [path.join(dist, path.basename(BINARY)), 'apps', '--json', '--url', daemon.base, '--key', daemon.key];
    const asked = spawnSync(process.execPath, args, {
      ...{ uid: NOBODY, gid: NOBODY, cwd: '/', encoding: 'utf8' },
      env: { PATH: process.env.PATH, HOME: '/' },
    });
    expect(asked).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(asked.stdout)).toHaveProperty('apps');
  });
});
